// linearAttention(): attention in linear time in the sequence length.
import type { AttentionOptions } from './scaled_dot_product.js';
import type { OwnedTensor, TensorLike } from '../arguments/tensor.js';

/**
 * φ, applied to every number of a query and a key:
 *
 * - `'elu'`: x + 1 above 0, e^x elsewhere
 * - `'relu'`: max(x, 0)
 * - `'exp'`: e^x (Infinity from 88.3 on)
 *
 * or `'efficient'`: a softmax over the features of each query, and one over the positions of each key
 * feature.
 */
export type FeatureMap = 'elu' | 'relu' | 'exp' | 'efficient';

/** The state of linear attention: sums over the keys and values so far. */
export interface LinearAttentionState {
  /** Σ_j φ(k_j) v_jᵀ: batch × kvHeads × d_k × d_v. */
  S: OwnedTensor;
  /** Σ_j φ(k_j): batch × kvHeads × d_k. */
  z: OwnedTensor;
}

/** Options of `linearAttention()`: the feature map, the state, and options of `attention()` that have a linear form. */
export interface LinearAttentionOptions extends Pick<
  AttentionOptions,
  'heads' | 'kvHeads' | 'keyLengths' | 'weights'
> {
  /** Default `'elu'`. */
  featureMap?: FeatureMap | null;
  /** Query i attends to keys j ≤ i. Needs qLen = kLen; `'efficient'` has no causal form. */
  causal?: boolean | null;
  /** Added to the denominator, at least 0. Default 0. Not with `'efficient'`. */
  epsilon?: number | null;
  /**
   * `true`: also returns the state after this call. A state of an earlier call: continues from it, so that its
   * keys are visible to every query. Not with `'efficient'`.
   */
  state?: boolean | { readonly S: TensorLike; readonly z: TensorLike } | null;
}

/** Output, and weights and state if requested. */
export type LinearAttentionResult<Options extends LinearAttentionOptions> = {
  output: OwnedTensor;
  weights?: OwnedTensor;
  state?: LinearAttentionState;
} & (Options extends { weights: true | 'average' } ? { weights: OwnedTensor } : unknown) &
  (Options extends { state: true | object } ? { state: LinearAttentionState } : unknown);

export interface LinearAttention {
  /**
   * Linear attention,
   *
   * ```
   * o_i = φ(q_i)ᵀ S / (φ(q_i)ᵀ z + ε)     S = Σ_j φ(k_j) v_jᵀ     z = Σ_j φ(k_j)
   * ```
   *
   * over all keys, or with `causal` over j ≤ i; and efficient attention,
   *
   * ```
   * o_i = ρ_q(q_i)ᵀ Σ_j ρ_k(k)_j v_jᵀ
   * ```
   *
   * Dims as in `attention()`. A sequence may be divided into chunks: pass to each the state of the previous one.
   * The state of two chunks is the sum of their states. A row whose denominator is 0 is zeros.
   * Masks and windows have no linear form; `keyLengths` has.
   *
   * Time 2·(heads·qLen + kvHeads·kLen)·d_k·d_v multiply-adds, memory linear in length. Weights, the
   * matrix φ(q_i)·φ(k_j) / denominator, are computed only if requested, at the cost that the method avoids:
   * time and memory for qLen × kLen. With a state they cover the keys of this call only.
   *
   * Throws a `RangeError` for shapes that do not fit, and for `causal`, `state` and `epsilon` with
   * `'efficient'`.
   *
   * Sources: Katharopoulos et al., "Transformers are RNNs" (2020), arXiv 2006.16236; Shen et al.,
   * "Efficient Attention" (2018), arXiv 1812.01243.
   *
   * @example
   * ```js
   * import { loadAttention, tensor } from 'attention-wasm';
   *
   * const { linearAttention } = await loadAttention();
   * const query = tensor([[1]]);
   * const options = { featureMap: 'relu' };
   * const whole = linearAttention(query, tensor([[1], [3]]), tensor([[4], [8]]), options);
   * console.log(whole.output.data[0]); // 7: (1·4 + 3·8) / (1 + 3)
   *
   * // The same in two chunks: the second call continues from the state of the first.
   * const { state } = linearAttention(query, tensor([[1]]), tensor([[4]]), { ...options, state: true });
   * const { output } = linearAttention(query, tensor([[3]]), tensor([[8]]), { ...options, state });
   * console.log(output.data[0], state.S.dims); // 7 [ 1, 1, 1, 1 ]
   * ```
   */
  linearAttention<const Options extends LinearAttentionOptions = {}>(
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    options?: Options,
  ): LinearAttentionResult<Options>;
}
