// Tensors: arguments and results.

/** Row-major numbers and their dimensions. */
export interface Tensor {
  /** Row-major: the last axis is the fastest. */
  readonly data: Float32Array;
  /** Sizes of the axes, the outermost first. Their product is the length of `data`. */
  readonly dims: readonly number[];
}

/**
 * A tensor as an argument. Float64 numbers, 16-bit numbers (exactly) and int8 numbers times the scale of their row are
 * converted to float32; weights of layers keep 16-bit and int8 types. Results are always float32. Arguments are copied and
 * never changed.
 */
export type TensorLike = FloatTensor | HalfTensor | Int8Tensor | RuntimeTensor;

/** Floating-point numbers of 16, 32 or 64 bits; 64-bit ones are rounded to float32. */
export interface FloatTensor {
  /** Row-major. */
  readonly data: Float32Array | Float64Array | Float16ArrayLike;
  /** Sizes of the axes, the outermost first. Their product is the length of `data`. */
  readonly dims: readonly number[];
}

/** 16-bit numbers as their bits: bfloat16, and float16 in engines without `Float16Array`. */
export interface HalfTensor {
  /** Row-major; each element is the bits of a number. */
  readonly data: Uint16Array;
  /** The format of the bits. */
  readonly type: 'float16' | 'bfloat16';
  /** Sizes of the axes, the outermost first. Their product is the length of `data`. */
  readonly dims: readonly number[];
}

/** Quantized numbers: data[row, c] · scales[row]; rows are along the last axis. */
export interface Int8Tensor {
  /** Row-major. */
  readonly data: Int8Array;
  /** One scale per row; their number is the product of all dims except the last. */
  readonly scales: Float32Array;
  /** Sizes of the axes, the outermost first. Their product is the length of `data`. */
  readonly dims: readonly number[];
}

/**
 * A tensor of onnxruntime-web or transformers.js, whose declared types allow any number type and location. As an
 * argument its data must have an accepted type and be in CPU memory.
 */
export interface RuntimeTensor {
  /** Row-major, of a type that the argument accepts. */
  readonly data:
    | Float32Array
    | Float64Array
    | Float16ArrayLike
    | Int8Array
    | Uint8Array
    | Uint8ClampedArray
    | Int16Array
    | Uint16Array
    | Int32Array
    | Uint32Array
    | BigInt64Array
    | BigUint64Array
    | readonly unknown[];
  /** The runtime's name of the type: `'float32'`, `'float16'`, `'int64'`, … */
  readonly type: string;
  /** The location of the data: `'cpu'`, `'cpu-pinned'`, `'gpu-buffer'`, … */
  readonly location: string;
  /** Sizes of the axes, the outermost first. Their product is the length of `data`. */
  readonly dims: readonly number[];
}

/** A `Float16Array`, declared for type libraries without it. */
export interface Float16ArrayLike extends ArrayBufferView {
  /** Distinguishes it from other arrays. */
  readonly [Symbol.toStringTag]: 'Float16Array';
  /** Number of elements. */
  readonly length: number;
  [index: number]: number;
}

/**
 * A mask, broadcast (aligned to the right) to batch × heads × qLen × kLen; three dims are
 * heads × qLen × kLen.
 *
 * - `Uint8Array`: 1 = may attend, 0 = may not, as in PyTorch's `scaled_dot_product_attention`, JAX,
 *   ONNX and Keras. `nn.MultiheadAttention` uses the opposite meaning.
 * - `BigInt64Array`, `BigUint64Array`: the same as int64, as an `attention_mask` of a tokenizer is; 0 = may not.
 * - `Float32Array`: added to the score, after the softcap. Exactly -Infinity means "may not attend";
 *   finite numbers, however negative, are only added.
 */
export type Mask = BooleanMask | AdditiveMask | RuntimeTensor;

/** A boolean mask: 0 = may not attend. */
export interface BooleanMask {
  /** Row-major. */
  readonly data: Uint8Array | BigInt64Array | BigUint64Array;
  /** As the mask is broadcast: 1 to 4 axes, each as long as it should be or 1. */
  readonly dims: readonly number[];
}

/** An additive mask; -Infinity = may not attend. */
export interface AdditiveMask {
  /** Row-major. */
  readonly data: Float32Array;
  /** As the mask is broadcast: 1 to 4 axes, each as long as it should be or 1. */
  readonly dims: readonly number[];
}

/** Numbers in an array or a typed array. */
export type NumberList =
  | readonly number[]
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array;

/** A result. The caller owns its memory: later calls do not change it. */
export interface OwnedTensor extends Tensor {
  /** Row-major. */
  readonly data: Float32Array;
  /** Sizes of the axes, the outermost first. Their product is the length of `data`. */
  readonly dims: number[];
}
