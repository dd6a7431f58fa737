// layerNorm() and rmsNorm(): what stands before, after and at the end of a stack of layers.
import type { OwnedTensor, TensorLike } from '../arguments/tensor.js';

export interface RmsNormOptions {
  /** As many numbers as the last axis of x. Default: all 1. */
  weight?: TensorLike | null;
  /** Default 1e-5. */
  epsilon?: number | null;
}

export interface LayerNormOptions extends RmsNormOptions {
  /** As many numbers as the last axis of x. Default: all 0. */
  bias?: TensorLike | null;
}

export interface Norms {
  /**
   * (x - mean) / √(variance + epsilon) · weight + bias for each row, the last axis of x, of 1 to 4 dims.
   * Sums are taken in float64. Throws a `RangeError` where weight or bias have other than a row's numbers.
   * Source: Ba, Kiros & Hinton, "Layer Normalization" (2016); as `torch.nn.functional.layer_norm`.
   */
  layerNorm(x: TensorLike, options?: LayerNormOptions): OwnedTensor;

  /**
   * x / √(mean of x² + epsilon) · weight. Source: Zhang & Sennrich, "Root Mean Square Layer
   * Normalization" (2019).
   */
  rmsNorm(x: TensorLike, options?: RmsNormOptions): OwnedTensor;
}
