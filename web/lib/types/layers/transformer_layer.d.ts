// TransformerLayer: a configurable layer with the building blocks of published models.
import type { KeyValueCache } from '../attention/key_value_cache.js';
import type { LayerEdits } from './multi_head_attention.js';
import type { NumberList, OwnedTensor, TensorLike } from '../arguments/tensor.js';
import type { RequestsWeights, DecoderForwardOptions, TransformerObject } from './transformer.js';

/** Weights of one attention block. Matrices are out × in, or in × out with that `layout`; biases are optional. */
export interface LayerAttentionWeights {
  /** d_model to heads·d_k; d_k need not be d_model / heads. */
  query: TensorLike;
  /** d_model, in `cross` the width of the memory, to kvHeads·d_k. */
  key: TensorLike;
  /** The same to kvHeads·d_v. */
  value: TensorLike;
  /** heads·d_v to d_model. */
  output: TensorLike;
  /** heads·d_k. */
  queryBias?: TensorLike | null;
  /** kvHeads·d_k. */
  keyBias?: TensorLike | null;
  /** kvHeads·d_v. */
  valueBias?: TensorLike | null;
  /** d_model. */
  outputBias?: TensorLike | null;
  /** Weight of an RMS norm of queries before the rotary embedding: d_k, of each head (Dehghani et al., 2023, arXiv 2302.05442), or heads·d_k, of all as one row (OLMo Team, 2025, arXiv 2501.00656). */
  queryNorm?: TensorLike | null;
  /** d_k or kvHeads·d_k: the same norm for keys. */
  keyNorm?: TensorLike | null;
}

/** Weights of a layer. Their presence determines the blocks of the layer. */
export interface LayerWeights {
  /** Weights of self-attention. */
  self: LayerAttentionWeights & {
    /** buckets × heads, with the option `relativePositions`. */
    relativeBias?: TensorLike | null;
    /**
     * buckets × heads·d_k, with the option `positionBuckets`: keys of relative positions. scale · q·(its key) is added to a
     * score (disentangled attention: He et al., 2020, arXiv 2006.03654). `kvHeads` must be `heads`.
     */
    positionKey?: TensorLike | null;
    /** As `positionKey`: queries of relative positions. scale · k·(its query) is added. Such layers take no cache. */
    positionQuery?: TensorLike | null;
  };
  /** Weights of cross-attention, which follows self-attention. */
  cross?: LayerAttentionWeights | null;
  /** d_model, as for all norms. Biases are for layer norms only. With `normFirst` and without `parallel` it may be absent: attention then uses x (OLMo 2). */
  selfNorm?: TensorLike | null;
  /** d_model. */
  selfNormBias?: TensorLike | null;
  /** Norm of cross-attention, with `cross` only. */
  crossNorm?: TensorLike | null;
  /** d_model. */
  crossNormBias?: TensorLike | null;
  /** With `normFirst` it may be absent: feed-forward then uses x, with `parallel` the output of `selfNorm` (Phi). */
  feedForwardNorm?: TensorLike | null;
  /** d_model. */
  feedForwardNormBias?: TensorLike | null;
  /** d_model: norm of the output of self-attention, before it is added to x; with `normFirst`, not with `parallel`. Source: Gemma Team (2024), arXiv 2408.00118. */
  selfOutputNorm?: TensorLike | null;
  /** d_model. */
  selfOutputNormBias?: TensorLike | null;
  /** d_model: the same norm for feed-forward. */
  feedForwardOutputNorm?: TensorLike | null;
  /** d_model. */
  feedForwardOutputNormBias?: TensorLike | null;
  /** Up projection of feed-forward, d_model to d_feedforward: narrow(activation(widen x)) */
  widen: TensorLike;
  /** d_feedforward. */
  widenBias?: TensorLike | null;
  /** As `widen`; with it narrow(activation(gate x) · (widen x)). Source: Shazeer (2020), arXiv 2002.05202. */
  gate?: TensorLike | null;
  /** As `widenBias`. */
  gateBias?: TensorLike | null;
  /** Down projection of feed-forward, d_feedforward to d_model. */
  narrow: TensorLike;
  /** d_model. */
  narrowBias?: TensorLike | null;
  /** d_model: factor on the output of self-attention, before it is added to x. Source: Touvron et al. (2021), arXiv 2103.17239. */
  selfScale?: TensorLike | null;
  /** d_model: the same factor for feed-forward. */
  feedForwardScale?: TensorLike | null;
}

/** Rotary embedding of queries and keys: see `rotaryEmbedding()`. */
export interface LayerRotary {
  /** Rotary dimension: how many numbers of each head are rotated, an even number. Default d_k. */
  width?: number | null;
  /** Pairs: see `rotaryEmbedding()`. Default `false`: numbers c and c + width/2. */
  interleaved?: boolean | null;
  /** Default 10000. */
  base?: number | null;
  /** width/2 angles in radians per position, instead of those of `base`. */
  frequencies?: NumberList | null;
  /** Multiplies cosines and sines. Default 1. Source: Peng et al., "YaRN" (2023), arXiv 2309.00071. */
  factor?: number | null;
}

/**
 * Relative position biases: a learned number for each head and bucket is added to the score. Small distances
 * have a bucket each, larger ones are grouped logarithmically up to maxDistance; all distances from there on use
 * the last bucket. Source: Raffel et al., "T5" (2019), arXiv 1910.10683, §2.1.
 */
export interface LayerRelativePositions {
  /** Distance of the last bucket. Must exceed the distances with a bucket each: half of the buckets, a quarter if bidirectional. */
  maxDistance: number;
  /** `true`: keys after the query have the second half of the buckets, an even number then; `false`: bucket 0. */
  bidirectional: boolean;
}

/** Options of a layer. A `RangeError` is thrown if they contradict the weights. */
export interface LayerOptions {
  /** Number of query heads. */
  heads: number;
  /** Number of key/value heads, a divisor of `heads`. Default `heads`. */
  kvHeads?: number | null;
  /** x·Φ(x) is `'gelu'`, its approximation by tanh `'gelu_tanh'`, x·σ(1.702 x) `'quick_gelu'`, x·σ(x) `'silu'`. Default `'relu'`. */
  activation?: 'relu' | 'gelu' | 'gelu_tanh' | 'quick_gelu' | 'silu' | null;
  /** `true`: x = x + f(norm(x)); `false`: x = norm(x + f(x)), f being attention or feed-forward. Default: the value of `parallel`. */
  normFirst?: boolean | null;
  /** `'rms'`: x / √(mean of x² + epsilon) · weight. Default `'layer'`. */
  norm?: 'layer' | 'rms' | null;
  /** Epsilon of all norms. Default 1e-5. */
  epsilon?: number | null;
  /** x = x + attention(norm(x)) + feedForward(norm'(x)); not with `cross`. Default `false`. */
  parallel?: boolean | null;
  /** Factor on q·k, for self-attention and cross-attention. Default 1/√d_k. */
  scale?: number | null;
  /** Rotary embedding of self-attention. Default none. */
  rotary?: LayerRotary | null;
  /** Relative positions of self-attention, with `self.relativeBias`. Default none. */
  relativePositions?: LayerRelativePositions | null;
  /**
   * Rows of `self.positionKey` and `self.positionQuery` by distance, key minus query position: 2D + 1 rows, from −D to D.
   * Distances beyond have the row of D or −D.
   */
  positionBuckets?: NumberList | null;
  /** Layout of all matrices. Default `'out × in'`, as in checkpoints of PyTorch. */
  layout?: 'out × in' | 'in × out' | null;
}

/**
 * Options of `attention()` that apply to the self-attention of a layer. Query i is at
 * position offset + i and key j at j; with a cache x starts at the cache's length. Masks, rotary embedding and relative
 * positions use these positions.
 */
export interface LayerForwardOptions extends DecoderForwardOptions {
  /** Memory of a layer with `cross`: [batch ×] memoryLen × its width, or the cache of `projectMemory()`. */
  memory?: TensorLike | KeyValueCache | null;
  /** Whether to return queries, keys and values, as used in the dot product: after normalization and rotary embedding. */
  projections?: boolean | null;
}

/** Queries, keys and values of self-attention, including the keys and values of a cache. Dims follow [batch ×]. */
export interface LayerProjections {
  /** heads × len × d_k. */
  query: OwnedTensor;
  /** kvHeads × kLen × d_k. */
  key: OwnedTensor;
  /** kvHeads × kLen × d_v. */
  value: OwnedTensor;
}

/** Queries, keys and values of cross-attention. */
export interface LayerCrossProjections {
  /** heads × len × d_k. */
  crossQuery: OwnedTensor;
  /** kvHeads × memoryLen × d_k. */
  crossKey: OwnedTensor;
  /** kvHeads × memoryLen × d_v. */
  crossValue: OwnedTensor;
}

/** The output, and other results if requested. */
export type LayerResult<Options> = {
  /** Same dims as x. */
  output: OwnedTensor;
  /** Weights of self-attention: [batch ×] heads × len × kLen; without the heads axis if averaged. */
  weights?: OwnedTensor;
  /** Weights of cross-attention: [batch ×] heads × len × memoryLen. */
  crossWeights?: OwnedTensor;
  /** The captures of `interventions`, one after the other. */
  captured?: OwnedTensor;
} & (Options extends RequestsWeights ? { weights: OwnedTensor } : unknown) &
  Partial<LayerCrossProjections> &
  (Options extends { projections: true } ? LayerProjections : Partial<LayerProjections>);

/**
 * A configurable Transformer layer with the building blocks of published models. Its weights are packed once, in the
 * module's memory. TransformerEncoderLayer and TransformerDecoderLayer are the same with the
 * names of `torch.nn`.
 *
 * Time: that of a MultiHeadAttention and 4·rows·d_model·d_feedforward operations, 6 with a gate. The pool
 * of `attention-wasm/pool` has no such class: it divides attention, MultiHeadAttention and the layers of
 * `torch.nn`.
 */
export interface TransformerLayer extends TransformerObject {
  /** Heads of keys and values of self-attention. */
  readonly kvHeads: number;
  /** d_v of self-attention. */
  readonly valueDim: number;

  /** x: [batch ×] len × d_model. Throws a `RangeError` for invalid shapes, before anything is computed. */
  forward<const Options extends LayerForwardOptions = {}>(
    x: TensorLike,
    options?: Options,
  ): LayerResult<Options>;

  /**
   * A cache of the projected keys and values of the memory, for the option `memory` of repeated calls. Edits have isCross
   * 1.
   */
  projectMemory(memory: TensorLike, options?: { interventions?: LayerEdits | null }): KeyValueCache;
}

export interface TransformerLayerConstructor {
  readonly prototype: TransformerLayer;

  /**
   * Creates a layer. Throws a `TypeError` for unknown names, a `RangeError` for weights that are missing or contradict
   * each other or the options.
   *
   * @example
   * ```js
   * import { loadAttention } from 'attention-wasm';
   *
   * const { TransformerLayer } = await loadAttention();
   * const weight = (...dims) => ({
   *   data: Float32Array.from({ length: dims.reduce((a, b) => a * b) }, (_, at) => Math.sin(at)),
   *   dims,
   * });
   * const attention = { query: weight(8, 8), key: weight(4, 8), value: weight(4, 8), output: weight(8, 8) };
   * const norms = { selfNorm: weight(8), feedForwardNorm: weight(8) };
   * const feedForward = { gate: weight(16, 8), widen: weight(16, 8), narrow: weight(8, 16) };
   * const layer = TransformerLayer.fromWeights(
   *   { self: attention, ...norms, ...feedForward },
   *   { heads: 4, kvHeads: 2, activation: 'silu', norm: 'rms', normFirst: true, rotary: {} }, // as Llama
   * );
   * const cache = layer.createCache({ capacity: 20 });
   * layer.forward(weight(3, 8), { cache, causal: true }); // three tokens that are known
   * const { output, weights } = layer.forward(weight(1, 8), { cache, weights: true }); // and a new one
   * console.log(output.dims, weights.dims); // [ 1, 8 ] [ 4, 1, 4 ]
   * for (const object of [layer, cache]) object.delete();
   * ```
   */
  fromWeights(weights: LayerWeights, options: LayerOptions): TransformerLayer;
}
