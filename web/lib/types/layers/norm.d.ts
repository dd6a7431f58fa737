// layerNorm() and rmsNorm(): what stands before, after and at the end of a stack of layers.
import type { OwnedTensor, TensorLike } from '../arguments/tensor.js';

/** Options of `rmsNorm()`. */
export interface RmsNormOptions {
  /** As many numbers as the last axis of x. Default: all 1. */
  weight?: TensorLike | null;
  /** Default 1e-5. */
  epsilon?: number | null;
}

/** Options of `layerNorm()`. */
export interface LayerNormOptions extends RmsNormOptions {
  /** As many numbers as the last axis of x. Default: all 0. */
  bias?: TensorLike | null;
}

export interface Norms {
  /**
   * (x - mean) / √(variance + epsilon) · weight + bias for each row, the last axis of x, of 1 to 4 dims.
   * Sums are computed in float64. Throws a `RangeError` if weight or bias have another length than a row.
   * Source: Ba, Kiros & Hinton, "Layer Normalization" (2016); as `torch.nn.functional.layer_norm`.
   *
   * @example
   * ```js
   * import { loadAttention, tensor, toNested } from 'attention-wasm';
   *
   * const { layerNorm } = await loadAttention();
   * const [row] = toNested(layerNorm(tensor([[1, 3]]), { bias: tensor([10, 10]) }));
   * console.log(row.map((number) => number.toFixed(4)).join(' ')); // 9.0000 11.0000
   * ```
   */
  layerNorm(x: TensorLike, options?: LayerNormOptions): OwnedTensor;

  /**
   * x / √(mean of x² + epsilon) · weight. Source: Zhang & Sennrich, "Root Mean Square Layer
   * Normalization" (2019).
   *
   * @example
   * ```js
   * import { loadAttention, tensor, toNested } from 'attention-wasm';
   *
   * const { rmsNorm } = await loadAttention();
   * const [row] = toNested(rmsNorm(tensor([[3, 4]])));
   * console.log(row.map((number) => number.toFixed(4)).join(' ')); // 0.8485 1.1314: 3 and 4, over √12.5
   * ```
   */
  rmsNorm(x: TensorLike, options?: RmsNormOptions): OwnedTensor;
}
