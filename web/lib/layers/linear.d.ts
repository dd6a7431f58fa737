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

/** The size and the type of a layer whose weights come later. */
export interface LinearReserveOptions {
  /** Width of x. */
  inDim: number;
  /** Width of the result. */
  outDim: number;
  /** Whether there is a bias. Default no. */
  bias?: boolean | null;
  /** What the numbers are kept as. Default `'float32'`. */
  type?: 'float32' | 'float16' | 'bfloat16' | 'int8' | null;
}

export interface LinearConstructor {
  readonly prototype: Linear;

  /**
   * weight: inDim × outDim; bias: outDim.
   *
   * @example
   * ```js
   * import { loadAttention, tensor, toNested } from 'attention-wasm';
   *
   * const { Linear } = await loadAttention();
   * const weight = tensor([[1, 2], [3, 4]]); // in × out
   * const layer = Linear.fromWeights({ weight, bias: tensor([10, 20]) });
   * console.log(toNested(layer.forward(tensor([[1, 1]])))); // [ [ 14, 26 ] ]
   * layer.delete();
   * ```
   */
  fromWeights(weights: { weight: TensorLike; bias?: TensorLike | null }): Linear;

  /**
   * Of the state dict of `torch.nn.Linear`: `weight`, outDim × inDim, and `bias` if there is one.
   *
   * @example
   * ```js
   * import { loadAttention, tensor, toNested } from 'attention-wasm';
   *
   * const { Linear } = await loadAttention();
   * const stateDict = { 'head.weight': tensor([[1, 3], [2, 4]]) }; // out × in
   * const layer = Linear.fromTorch(stateDict, { prefix: 'head.' });
   * console.log(toNested(layer.forward(tensor([[1, 1]])))); // [ [ 4, 6 ] ]
   * layer.delete();
   * ```
   */
  fromTorch(stateDict: StateDict, options?: { prefix?: string | null }): Linear;

  /**
   * A layer of zeros, for weights that come piece by piece: `fill()`.
   *
   * @example
   * ```js
   * import { loadAttention, tensor, toNested } from 'attention-wasm';
   *
   * const { Linear } = await loadAttention();
   * const words = Linear.reserve({ inDim: 2, outDim: 3 });
   * words.fill(0, tensor([[1, 0], [0, 1]])); // two rows
   * words.fill(2, tensor([[1, 1]])); // and the third
   * console.log(toNested(words.forward(tensor([[2, 3]])))); // [ [ 2, 3, 5 ] ]
   * console.log(toNested(words.rows([2]))); // [ [ 1, 1 ] ]
   * words.delete();
   * ```
   */
  reserve(options: LinearReserveOptions): Linear;
}
