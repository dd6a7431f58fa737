// Tensors: what goes in and what comes out.

/** Row-major numbers and their dimensions. */
export interface Tensor {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/**
 * A tensor as an argument. Float64 and 16-bit numbers are converted to float32, the latter exactly,
 * and so are int8 numbers times the scale of their row;
 * results are always float32. Inputs are copied and never changed.
 */
export type TensorLike = FloatTensor | HalfTensor | Int8Tensor | RuntimeTensor;

export interface FloatTensor {
  readonly data: Float32Array | Float64Array | Float16ArrayLike;
  readonly dims: readonly number[];
}

/** 16-bit numbers as their bits, where the engine has no `Float16Array` and for bfloat16. */
export interface HalfTensor {
  readonly data: Uint16Array;
  readonly type: 'float16' | 'bfloat16';
  readonly dims: readonly number[];
}

/** Quantised numbers: data[row, c] · scales[row], a row being the last axis. */
export interface Int8Tensor {
  readonly data: Int8Array;
  /** One for each row: the product of all dims but the last. */
  readonly scales: Float32Array;
  readonly dims: readonly number[];
}

/**
 * A tensor as onnxruntime-web and transformers.js declare theirs: numbers of any type and in any place. They have to
 * be of a type accepted here, and in the memory of the processor, by the time they are given.
 */
export interface RuntimeTensor {
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
  readonly type: string;
  readonly location: string;
  readonly dims: readonly number[];
}

/** A `Float16Array`, spelled out for libraries of types that do not know it yet. */
export interface Float16ArrayLike extends ArrayBufferView {
  readonly [Symbol.toStringTag]: 'Float16Array';
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

export interface BooleanMask {
  readonly data: Uint8Array | BigInt64Array | BigUint64Array;
  readonly dims: readonly number[];
}

export interface AdditiveMask {
  readonly data: Float32Array;
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

export interface OwnedTensor extends Tensor {
  readonly data: Float32Array;
  readonly dims: number[];
}
