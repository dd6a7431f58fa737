// embed(): from numbers of words to their vectors.
import type { NumberList, OwnedTensor, TensorLike } from '../arguments/tensor.js';

/** Whole numbers: an array, a typed array, or a tensor of them such as a tokenizer's `input_ids`. */
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
   * dims of the ids and d. Only the rows asked for are copied. Throws a `RangeError` that names an id
   * which is not in the table.
   */
  embed(ids: Ids, table: TensorLike): OwnedTensor;
}
