// embed(): from token ids to their vectors.
import type { NumberList, OwnedTensor, TensorLike } from '../arguments/tensor.js';

/** Integers: an array, a typed array, or a tensor such as a tokenizer's `input_ids`. */
export type Ids =
  | NumberList
  | BigInt64Array
  | BigUint64Array
  | readonly bigint[]
  | {
      readonly data: NumberList | BigInt64Array | BigUint64Array | readonly bigint[];
      readonly dims: readonly number[];
    };

export interface Embed {
  /**
   * Embedding lookup x_i = E w_i, w_i one-hot: row ids[i] of a table vocabulary × d. The result has the
   * dims of the ids followed by d. Only the requested rows are copied. Throws a `RangeError` that names the id if an id is
   * not in the table.
   *
   * @example
   * ```js
   * import { loadAttention, tensor, toNested } from 'attention-wasm';
   *
   * const { embed } = await loadAttention();
   * const table = tensor([[1, 2], [3, 4], [5, 6]]); // vocabulary × d
   * console.log(toNested(embed([2, 0], table))); // [ [ 5, 6 ], [ 1, 2 ] ]
   * ```
   */
  embed(ids: Ids, table: TensorLike): OwnedTensor;
}
