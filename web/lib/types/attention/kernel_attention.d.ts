// kernelAttention(): attention as a weighted mean under any similarity.
import type { AttentionOptions } from './scaled_dot_product.js';
import type { BooleanMask, OwnedTensor, RuntimeTensor, TensorLike } from '../arguments/tensor.js';

/**
 * The similarity of a query and a key:
 *
 * | name | sim(q, k) | |
 * |---|---|---|
 * | `'exponential'` | exp(scale · q·k) | softmax attention, bit for bit |
 * | `'gaussian'` | exp(-‖q - k‖² / (2 · bandwidth²)) | of keys of one length: softmax attention with scale 1/bandwidth² |
 * | `'laplacian'` | exp(-Σ_c \|q_c - k_c\| / bandwidth) | |
 * | `'cosine'` | q·k / (‖q‖·‖k‖), 0 where a length is 0; neither a length nor q·k overflows or underflows | may be negative |
 * | `'polynomial'` | (scale · q·k + constant)^degree | never negative for an even degree |
 *
 * or a function of a query and a key, called once for every pair of every head. Its arguments are
 * views of copies: writing to them does not change the caller's tensors, but does affect later calls of the function.
 */
export type Similarity =
  | 'exponential'
  | 'gaussian'
  | 'laplacian'
  | 'cosine'
  | 'polynomial'
  | ((query: Float32Array, key: Float32Array) => number);

/**
 * Options of `kernelAttention()`: the similarity and its parameters, and the options of `attention()` that apply to it.
 */
export interface KernelAttentionOptions extends Pick<
  AttentionOptions,
  'heads' | 'kvHeads' | 'causal' | 'offset' | 'window' | 'keyLengths' | 'weights'
> {
  /** Default `'exponential'`. */
  similarity?: Similarity | null;
  /** Factor on q·k for exponential and polynomial. Default 1/√d_k. */
  scale?: number | null;
  /** Bandwidth of gaussian (default d_k^¼) and laplacian (default √d_k), greater than 0. */
  bandwidth?: number | null;
  /** Constant of polynomial. Default 1. */
  constant?: number | null;
  /** Degree of polynomial, an integer from 1 to 1000. Default 2. */
  degree?: number | null;
  /** A `Uint8Array`, 1 = may attend: there are no scores to add to. */
  mask?: BooleanMask | RuntimeTensor | null;
}

/** Output and weights, with the dims of `attention()`. */
export type KernelAttentionResult<Options extends KernelAttentionOptions> = {
  output: OwnedTensor;
  weights?: OwnedTensor;
} & (Options extends { weights: true | 'average' } ? { weights: OwnedTensor } : unknown);

export interface KernelAttention {
  /**
   * Attention as a weighted mean with any similarity,
   *
   * ```
   * o_i = Σ_j sim(q_i, k_j) · v_j / Σ_j sim(q_i, k_j)      over the visible keys
   * ```
   *
   * Dims, visibility and results as in `attention()`. Exponential, gaussian and laplacian are computed
   * as a softmax of log sim, so nothing underflows. A row whose similarities add up to 0, or that has
   * no visible keys, is zeros. Weights of a similarity that can be negative can be negative or above 1.
   *
   * Time as `attention()`; with a function, one call of it per pair besides, and memory for
   * heads · qLen · kLen numbers.
   *
   * Throws a `RangeError` for an option that the similarity does not have.
   *
   * Sources: Tsai et al., "Transformer Dissection" (2019), arXiv 1908.11775; Katharopoulos et al.
   * (2020), arXiv 2006.16236, eq. 3.
   *
   * @example
   * ```js
   * import { loadAttention, tensor } from 'attention-wasm';
   *
   * const { kernelAttention } = await loadAttention();
   * const [query, key, value] = [tensor([[0]]), tensor([[0], [1]]), tensor([[0], [1]])];
   * const near = { similarity: 'gaussian', bandwidth: 1, weights: true };
   * console.log(kernelAttention(query, key, value, near).weights.data[0].toFixed(4)); // 0.6225: 1 / (1 + e^-½)
   *
   * const product = { similarity: (q, k) => (q[0] + 1) * k[0], weights: true };
   * const { weights } = kernelAttention(query, tensor([[1], [3]]), value, product);
   * console.log(weights.data); // Float32Array(2) [ 0.25, 0.75 ]
   * ```
   */
  kernelAttention<const Options extends KernelAttentionOptions = KernelAttentionOptions>(
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    options?: Options,
  ): KernelAttentionResult<Options>;
}
