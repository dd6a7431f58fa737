// Linear: a projection of one's own, to logits for instance.
import type { ModuleObject } from '../attention/key_value_cache.js';
import type { StateDict } from './multi_head_attention.js';
import type { NumberList, OwnedTensor, TensorLike } from '../arguments/tensor.js';

/**
 * y = x·W + b, with weights that live in the module, packed once. Weights of float16, bfloat16 and int8 stay as
 * narrow as they came; the results have the bits that the same numbers in float32 give.
 */
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

  /**
   * Writes rows of W as torch has it, outDim × inDim, from row `firstRow` on, and their numbers of the bias.
   * weightRows: rows × inDim, of the type of the layer; one of float32 takes any. biasPart: rows; left out, these
   * numbers stay as they are. Throws a `RangeError` for rows of another width or type, and beyond the last.
   */
  fill(firstRow: number, weightRows: TensorLike, biasPart?: TensorLike | null): void;

  /**
   * Rows of W as torch has it, ids × inDim: where words go in and out by the same vectors, the table lives once.
   * Throws a `RangeError` for an id that is not a whole number below outDim.
   */
  rows(ids: NumberList): OwnedTensor;
}

export interface LinearReserveOptions {
  inDim: number;
  outDim: number;
  /** Whether there is a bias. Default no. */
  bias?: boolean | null;
  /** What the numbers are kept as. Default `'float32'`. */
  type?: 'float32' | 'float16' | 'bfloat16' | 'int8' | null;
}

export interface LinearConstructor {
  readonly prototype: Linear;

  /** weight: inDim × outDim; bias: outDim. */
  fromWeights(weights: { weight: TensorLike; bias?: TensorLike | null }): Linear;

  /** Of the state dict of `torch.nn.Linear`: `weight`, outDim × inDim, and `bias` if there is one. */
  fromTorch(stateDict: StateDict, options?: { prefix?: string | null }): Linear;

  /** A layer of zeros, for weights that come piece by piece: `fill()`. */
  reserve(options: LinearReserveOptions): Linear;
}
