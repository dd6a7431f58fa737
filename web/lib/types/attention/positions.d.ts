// Positions: rotary embedding, sinusoidal vectors and ALiBi slopes.
import type { NumberList, OwnedTensor, TensorLike } from '../arguments/tensor.js';

/** Options of `rotaryEmbedding()`: which pairs of numbers are rotated, and by which angles. */
export interface RotaryEmbeddingOptions {
  /** Number of heads side by side in the last axis, for 2 and 3 dims. Default 1. */
  heads?: number | null;
  /** Rotary dimension: how many numbers of each head are rotated, an even number up to d. Default d. */
  width?: number | null;
  /** Pairs: `false`: numbers c and c + width/2 (GPT-NeoX, Llama); `true`: 2c and 2c + 1 (RoFormer, GPT-J). Default `false`. */
  interleaved?: boolean | null;
  /** Default 10000. */
  base?: number | null;
  /** Position of the first row. Default 0. */
  offset?: number | null;
  /** Position of every row, or of every row of every batch entry; instead of `offset`. */
  positions?: NumberList | null;
  /** Custom cosines, len × width/2 (for scaled frequencies, for instance), with `sin`; instead of base and positions. */
  cos?: TensorLike | null;
  /** Custom sines, len × width/2, with `cos`. */
  sin?: TensorLike | null;
}

export interface Positions {
  /**
   * Rotary position embedding: pairs of numbers of a query or key are rotated by an angle that grows
   * with the position, so that q_m·k_n depends on m - n only.
   *
   * ```
   * pair c:   angle   = p · base^(-2c / width)
   *           first'  = first · cos - second · sin
   *           second' = first · sin + second · cos
   * ```
   *
   * x is a query or key in any layout of `attention()`; the result has its dims. Angles are computed in
   * float64. Time and memory linear in x. Throws a `RangeError` for a width that is odd or too large
   * and for tables or positions that do not fit.
   *
   * Source: Su et al., "RoFormer" (2021), arXiv 2104.09864.
   *
   * @example
   * The second row is turned by 1 radian, the first stays:
   *
   * ```js
   * import { loadAttention, tensor } from 'attention-wasm';
   *
   * const { rotaryEmbedding } = await loadAttention();
   * const turned = rotaryEmbedding(tensor([[1, 0], [1, 0]]));
   * console.log([...turned.data].map((number) => number.toFixed(4)).join(' ')); // 1.0000 0.0000 0.5403 0.8415
   * ```
   */
  rotaryEmbedding(x: TensorLike, options?: RotaryEmbeddingOptions): OwnedTensor;

  /**
   * The position vectors of the Transformer, length × dim, to be added to embeddings:
   *
   * ```
   * P[p, 2c] = sin(p / base^(2c/dim))     P[p, 2c+1] = cos of the same     p = offset, offset + 1, …
   * ```
   *
   * `dim` is even. Source: Vaswani et al., "Attention Is All You Need" (2017), §3.5.
   *
   * @example
   * ```js
   * import { loadAttention, toNested } from 'attention-wasm';
   *
   * const { sinusoidalPositions } = await loadAttention();
   * const [first, second] = toNested(sinusoidalPositions(2, 2));
   * console.log(first, second.map((number) => number.toFixed(4)).join(' ')); // [ 0, 1 ] 0.8415 0.5403
   * ```
   */
  sinusoidalPositions(
    length: number,
    dim: number,
    options?: { offset?: number | null; base?: number | null },
  ): OwnedTensor;

  /**
   * The slopes of ALiBi for a number of heads, for the option `slopes`: 2^(-8(h+1)/n) for a power of two
   * n; for other numbers those of the largest power of two below, then every other one of twice that.
   *
   * Source: Press et al. (2021), arXiv 2108.12409.
   *
   * @example
   * ```js
   * import { loadAttention, tensor } from 'attention-wasm';
   *
   * const { alibiSlopes, attention } = await loadAttention();
   * const slopes = alibiSlopes(4);
   * console.log(slopes); // [ 0.25, 0.0625, 0.015625, 0.00390625 ]
   * const x = tensor([[1, 2, 3, 4], [4, 3, 2, 1]]); // 2 tokens, 4 heads of 1
   * console.log(attention(x, x, x, { heads: 4, causal: true, slopes }).output.dims); // [ 2, 4 ]
   * ```
   */
  alibiSlopes(heads: number): number[];
}
