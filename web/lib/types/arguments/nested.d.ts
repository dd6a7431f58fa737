// tensor() and toNested(): conversion between nested arrays and tensors.
import type {
  BooleanMask,
  Float16ArrayLike,
  FloatTensor,
  NumberList,
  OwnedTensor,
  RuntimeTensor,
} from './tensor.js';

/** Nested arrays of numbers, equally long at each depth, at most 4 deep: `[[1, 2], [3, 4]]`. Typed arrays are allowed. */
export type Nested = NumberList | Float16ArrayLike | readonly Nested[];
/** Nested arrays of true and false. */
export type NestedBooleans = readonly boolean[] | readonly NestedBooleans[];

/**
 * The tensor of nested arrays; from true and false a mask (true = may attend). Throws a `TypeError` for other elements,
 * and a `RangeError` for arrays of unequal length; both name the index.
 *
 * @example
 * ```js
 * import { tensor } from 'attention-wasm';
 *
 * console.log(tensor([[1, 2, 3], [4, 5, 6]]).dims); // [ 2, 3 ]
 * const mask = tensor([[true, false], [true, true]]);
 * console.log(mask.data); // Uint8Array(4) [ 1, 0, 1, 1 ]
 * ```
 */
export function tensor(nested: Nested): OwnedTensor;
export function tensor(nested: NestedBooleans): {
  readonly data: Uint8Array;
  readonly dims: number[];
};

/**
 * The numbers of a tensor as nested arrays, one level per dim: `[[1, 2], [3, 4]]`; for printing, JSON and
 * comparisons. The type parameter declares the depth: `toNested<number[][]>(weights)`.
 *
 * @example
 * ```js
 * import { toNested } from 'attention-wasm';
 *
 * const matrix = { data: Float32Array.of(1, 2, 3, 4), dims: [2, 2] };
 * console.log(toNested(matrix)); // [ [ 1, 2 ], [ 3, 4 ] ]
 * ```
 */
export function toNested<Numbers extends Nested | number = number[][]>(
  tensor: FloatTensor | BooleanMask | RuntimeTensor,
): Numbers;
