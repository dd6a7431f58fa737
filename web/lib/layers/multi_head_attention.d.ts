// MultiHeadAttention: the layer.
import type { KeyValueCache, ModuleObject } from '../attention/key_value_cache.js';
import type { AttentionOptions, ScoresOf, ScoreStage } from '../attention/scaled_dot_product.js';
import type { OwnedTensor, TensorLike } from '../arguments/tensor.js';

/** Matrices are in × out, q = x · W_Q, as in the papers; biases are optional. */
export interface MultiHeadWeights {
  /** modelDim × heads·d_k. */
  query: TensorLike;
  /** contextDim × kvHeads·d_k. */
  key: TensorLike;
  /** contextDim × kvHeads·d_v. */
  value: TensorLike;
  /** heads·d_v × out. Without it the heads are put together and left as they are. */
  output?: TensorLike | null;
  queryBias?: TensorLike | null;
  keyBias?: TensorLike | null;
  valueBias?: TensorLike | null;
  outputBias?: TensorLike | null;
}

/** Names and tensors of a PyTorch module: an object, or a Map such as `attention-wasm/safetensors` reads. */
export type StateDict =
  { readonly [name: string]: StateDictTensor } | ReadonlyMap<string, StateDictTensor>;

/** Looser than TensorLike, so that a whole file can be handed over; what a layer uses must be floats. */
export interface StateDictTensor {
  readonly data: ArrayBufferView;
  readonly dims: readonly number[];
  readonly type?: string;
  readonly scales?: ArrayBufferView;
}

export interface MultiHeadOptions {
  heads: number;
  /** A divisor of `heads`. Default `heads`. */
  kvHeads?: number | null;
}

/** Options of `attention()` but for the head counts, which are the layer's. */
export interface ForwardOptions extends Omit<AttentionOptions, 'heads' | 'kvHeads'> {
  /** Each head's output before they are put together. */
  headOutputs?: boolean | null;
  /**
   * Decoding: keys and values of the context (which is x) are appended to this cache, then x attends
   * to all that it holds, with the cache's own offset.
   */
  cache?: KeyValueCache | null;
}

export type ForwardResult<Options extends ForwardOptions> = {
  /** [batch ×] qLen × out. */
  output: OwnedTensor;
  /** [batch ×] heads × qLen × kLen; averaged: no heads axis. */
  weights?: OwnedTensor;
  scores?: OwnedTensor | { readonly [Stage in ScoreStage]?: OwnedTensor };
  logSumExp?: OwnedTensor;
  /** [batch ×] heads × qLen × d_v. */
  headOutputs?: OwnedTensor;
} & (Options extends { weights: true | 'average' } ? { weights: OwnedTensor } : unknown) &
  ScoresOf<Options> &
  (Options extends { logSumExp: true } ? { logSumExp: OwnedTensor } : unknown) &
  (Options extends { headOutputs: true } ? { headOutputs: OwnedTensor } : unknown);

export interface CacheOptions {
  /** Default 1. */
  batch?: number | null;
  capacity: number;
  /** Default `false`. */
  sliding?: boolean | null;
}

/**
 * Multi-head attention,
 *
 * ```
 * q = x·W_Q + b_Q     k = c·W_K + b_K     v = c·W_V + b_V
 * output = concat(head_0, head_1, …)·W_O + b_O,   head_h = attention(q_h, k_h, v_h)
 * ```
 *
 * with weights that live in the module, packed once. Source: Vaswani et al., "Attention Is All You
 * Need" (2017), §3.2.2.
 */
export interface MultiHeadAttention extends ModuleObject {
  readonly heads: number;
  readonly kvHeads: number;
  /** d_k. */
  readonly keyDim: number;
  /** d_v. */
  readonly valueDim: number;
  /** Width of x. */
  readonly modelDim: number;

  /**
   * Self-attention of x, [batch ×] qLen × modelDim; or cross-attention: x asks and the context,
   * [batch ×] kLen × contextDim, is looked into. A KeyValueCache as context holds what was projected
   * before (see `projectContext()`).
   *
   * Time 2·rows·in·out operations for each projection, and that of `attention()`. Throws a `RangeError`
   * for rows of another width than the layer's.
   */
  forward<const Options extends ForwardOptions = {}>(
    x: TensorLike,
    context?: TensorLike | KeyValueCache | null,
    options?: Options,
  ): ForwardResult<Options>;

  /** q, k and v of each head: batch × heads × qLen × d_k, batch × kvHeads × kLen × d_k and × d_v. */
  project(
    x: TensorLike,
    context?: TensorLike | null,
  ): { query: OwnedTensor; key: OwnedTensor; value: OwnedTensor };

  /** An empty cache for this layer. */
  createCache(options: CacheOptions): KeyValueCache;

  /** A cache that holds keys and values of a context, for many calls of `forward(x, cache)`. */
  projectContext(context: TensorLike): KeyValueCache;
}

export interface MultiHeadAttentionConstructor {
  readonly prototype: MultiHeadAttention;

  /** A layer of one's own weights. */
  fromWeights(weights: MultiHeadWeights, options: MultiHeadOptions): MultiHeadAttention;

  /**
   * A layer of the state dict of `torch.nn.MultiheadAttention`: `in_proj_weight` or `q_proj_weight`,
   * `k_proj_weight` and `v_proj_weight`; `out_proj.weight`; biases `in_proj_bias` and `out_proj.bias`
   * if there are any. With a `prefix` the names that begin with it, without it, count. Other names are
   * refused with a `RangeError`, `bias_k` and `bias_v` among them.
   */
  fromTorch(
    stateDict: StateDict,
    options: MultiHeadOptions & { prefix?: string | null },
  ): MultiHeadAttention;
}
