// Linear: a projection of one's own, to logits for instance.
import type { ModuleObject } from '../attention/key_value_cache.js';
import type { StateDict } from './multi_head_attention.js';
import type { NumberList, OwnedTensor, TensorLike } from '../arguments/tensor.js';

/**
 * y = x·W + b, with weights that are packed once, in the module's memory, in their own type. float16 and bfloat16 weights give the
 * bits of the same numbers as float32. int8 weights are multiplied as integers: each row of x is rounded to integers of
 * 14 bits, products are exact, and results have the same bits on every machine. Against float64 with the same weights, the
 * RMS error is at most 3·10⁻⁴ of the RMS output for normally distributed rows, 2·10⁻³ for rows with outliers.
 */
export interface Linear extends ModuleObject {
  /** Width of x. */
  readonly inDim: number;
  /** Width of the result. */
  readonly outDim: number;

  /**
   * x: [[batch ×] rows ×] inDim; the result has rows of outDim numbers. Time:
   * 2·rows·inDim·outDim operations. Throws a `RangeError` for rows of another width.
   */
  forward(x: TensorLike): OwnedTensor;

  /**
   * Writes rows of W in PyTorch's layout, outDim × inDim, from row `firstRow` on, and their bias.
   * weightRows: rows × inDim, of the type of the layer; a float32 layer accepts any type. biasPart: one number per row;
   * if absent, the bias is unchanged. Throws a `RangeError` for rows of another width or type, or beyond the last row.
   */
  fill(firstRow: number, weightRows: TensorLike, biasPart?: TensorLike | null): void;

  /**
   * Rows of W in PyTorch's layout, ids × inDim: the embedding of models that share it with the output layer.
   * Throws a `RangeError` for an id that is not an integer from 0 to outDim - 1.
   */
  rows(ids: NumberList): OwnedTensor;
}

/** The size and type of a layer whose weights are written later by `fill()`. */
export interface LinearReserveOptions {
  /** Width of x. */
  inDim: number;
  /** Width of the result. */
  outDim: number;
  /** Whether the layer has a bias. Default `false`. */
  bias?: boolean | null;
  /** Type of the weights in memory. Default `'float32'`. */
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
   * A layer from the state dict of `torch.nn.Linear`: `weight`, outDim × inDim, and `bias` if there is one.
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
   * A layer of zeros, whose weights are written in blocks by `fill()`.
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
