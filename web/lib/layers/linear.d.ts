// Linear: a projection of one's own, to logits for instance.
import type { ModuleObject } from '../attention/key_value_cache.js';
import type { StateDict } from './multi_head_attention.js';
import type { OwnedTensor, TensorLike } from '../arguments/tensor.js';

/** y = x·W + b, with weights that live in the module, packed once. */
export interface Linear extends ModuleObject {
  /** Width of x. */
  readonly inDim: number;
  /** Width of the result. */
  readonly outDim: number;

  /**
   * x: [[batch ×] rows ×] inDim; the result has outDim numbers in the place of each row. Time
   * 2·rows·inDim·outDim operations. Throws a `RangeError` for rows of another width.
   */
  forward(x: TensorLike): OwnedTensor;
}

export interface LinearConstructor {
  readonly prototype: Linear;

  /** weight: inDim × outDim; bias: outDim. */
  fromWeights(weights: { weight: TensorLike; bias?: TensorLike | null }): Linear;

  /** Of the state dict of `torch.nn.Linear`: `weight`, outDim × inDim, and `bias` if there is one. */
  fromTorch(stateDict: StateDict, options?: { prefix?: string | null }): Linear;
}
