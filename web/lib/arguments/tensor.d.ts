// Tensors: what goes in and what comes out.

/** Row-major numbers and their dimensions. */
export interface Tensor {
  /** Row-major: the last axis is the fastest. */
  readonly data: Float32Array;
  /** Sizes of the axes, the outermost first. Their product is the length of `data`. */
  readonly dims: readonly number[];
}

/**
 * A tensor as an argument. Float64 and 16-bit numbers are converted to float32, the latter exactly,
 * and so are int8 numbers times the scale of their row;
 * results are always float32. Inputs are copied and never changed.
 */
export type TensorLike = FloatTensor | HalfTensor | Int8Tensor | RuntimeTensor;

/** Numbers of 16, 32 or 64 bits. Those of 64 are rounded to 32. */
export interface FloatTensor {
  /** Row-major. */
  readonly data: Float32Array | Float64Array | Float16ArrayLike;
  /** Sizes of the axes, the outermost first. Their product is the length of `data`. */
  readonly dims: readonly number[];
}

/** 16-bit numbers as their bits, where the engine has no `Float16Array` and for bfloat16. */
export interface HalfTensor {
  /** Row-major, the bits of a number in each. */
  readonly data: Uint16Array;
  /** How the bits are read. */
  readonly type: 'float16' | 'bfloat16';
  /** Sizes of the axes, the outermost first. Their product is the length of `data`. */
  readonly dims: readonly number[];
}

/** Quantised numbers: data[row, c] · scales[row], a row being the last axis. */
export interface Int8Tensor {
  /** Row-major. */
  readonly data: Int8Array;
  /** One for each row: the product of all dims but the last. */
  readonly scales: Float32Array;
  /** Sizes of the axes, the outermost first. Their product is the length of `data`. */
  readonly dims: readonly number[];
}

/**
 * A tensor as onnxruntime-web and transformers.js declare theirs: numbers of any type and in any place. They have to
 * be of a type accepted here, and in the memory of the processor, by the time they are given.
 */
export interface RuntimeTensor {
  /** Row-major. Its type must be one that the argument takes. */
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
  /** What the runtime calls the type: `'float32'`, `'float16'`, `'int64'`, … */
  readonly type: string;
  /** Where the numbers are: `'cpu'`, `'cpu-pinned'`, `'gpu-buffer'`, … */
  readonly location: string;
  /** Sizes of the axes, the outermost first. Their product is the length of `data`. */
  readonly dims: readonly number[];
}

/** A `Float16Array`, spelled out for libraries of types that do not know it yet. */
export interface Float16ArrayLike extends ArrayBufferView {
  /** What tells it from other arrays. */
  readonly [Symbol.toStringTag]: 'Float16Array';
  /** How many numbers it has. */
  readonly length: number;
  [index: number]: number;
}

/**
 * A mask, broadcast (aligned to the right) to batch × heads × qLen × kLen; three dims are
 * heads × qLen × kLen.
 *
 * - `Uint8Array`: 1 = may attend, 0 = may not, as in PyTorch's `scaled_dot_product_attention`, JAX,
 *   ONNX and Keras. `nn.MultiheadAttention` has it the other way round.
 * - `BigInt64Array`, `BigUint64Array`: the same as int64, as an `attention_mask` of a tokenizer is; 0 = may not.
 * - `Float32Array`: added to the score, after the softcap. Exactly -Infinity means "may not attend";
 *   any finite number, however negative, is only a number.
 */
export type Mask = BooleanMask | AdditiveMask | RuntimeTensor;

/** A mask that only hides: 0 = may not attend. */
export interface BooleanMask {
  /** Row-major. */
  readonly data: Uint8Array | BigInt64Array | BigUint64Array;
  /** As the mask is broadcast: 1 to 4 axes, each as long as it should be or 1. */
  readonly dims: readonly number[];
}

/** A mask of numbers that are added to scores; -Infinity hides. */
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

/** A result. Its memory is the caller's: no later call changes it. */
export interface OwnedTensor extends Tensor {
  /** Row-major. */
  readonly data: Float32Array;
  /** Sizes of the axes, the outermost first. Their product is the length of `data`. */
  readonly dims: number[];
}
