// TransformerLayer: a layer of the blocks that published models are made of.
import type { KeyValueCache } from '../attention/key_value_cache.js';
import type { NumberList, OwnedTensor, TensorLike } from '../arguments/tensor.js';
import type { AsksForWeights, DecoderForwardOptions, TransformerObject } from './transformer.js';

/** Of one attention of a layer. Matrices are out × in, or in × out by `layout`; biases are optional. */
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
  /** d_k: each head's queries go through an RMS norm, before they are turned. Source: Dehghani et al. (2023), arXiv 2302.05442. */
  queryNorm?: TensorLike | null;
  /** d_k: the same for keys. */
  keyNorm?: TensorLike | null;
}

/** All weights of a layer. Which there are says what the layer does. */
export interface LayerWeights {
  /** Of self-attention. */
  self: LayerAttentionWeights & {
    /** buckets × heads, with the option `relativePositions`. */
    relativeBias?: TensorLike | null;
  };
  /** Attention to a memory, after self-attention. */
  cross?: LayerAttentionWeights | null;
  /** d_model, as all norms. Their biases are those of layer norms. */
  selfNorm: TensorLike;
  /** d_model. */
  selfNormBias?: TensorLike | null;
  /** With `cross`. */
  crossNorm?: TensorLike | null;
  /** d_model. */
  crossNormBias?: TensorLike | null;
  /** Without it both of `parallel` parts take what `selfNorm` gives (Phi). */
  feedForwardNorm?: TensorLike | null;
  /** d_model. */
  feedForwardNormBias?: TensorLike | null;
  /** d_model to the width in the middle of feed-forward: narrow(activation(widen x)) */
  widen: TensorLike;
  /** As wide as the middle of feed-forward. */
  widenBias?: TensorLike | null;
  /** As `widen`; with it narrow(activation(gate x) · (widen x)). Source: Shazeer (2020), arXiv 2002.05202. */
  gate?: TensorLike | null;
  /** As `widenBias`. */
  gateBias?: TensorLike | null;
  /** The width in the middle of feed-forward to d_model. */
  narrow: TensorLike;
  /** d_model. */
  narrowBias?: TensorLike | null;
  /** d_model: what self-attention adds to x is multiplied by it. Source: Touvron et al. (2021), arXiv 2103.17239. */
  selfScale?: TensorLike | null;
  /** d_model: the same for feed-forward. */
  feedForwardScale?: TensorLike | null;
}

/** How heads are turned by their position: see `rotaryEmbedding()`. */
export interface LayerRotary {
  /** Numbers of each head that are turned, an even number. Default d_k. */
  width?: number | null;
  /** Default `false`: c goes with c + width/2. */
  interleaved?: boolean | null;
  /** Default 10000. */
  base?: number | null;
  /** width/2 angles in radians per position, instead of those of `base`. */
  frequencies?: NumberList | null;
  /** Multiplies cosines and sines. Default 1. Source: Peng et al., "YaRN" (2023), arXiv 2309.00071. */
  factor?: number | null;
}

/**
 * Biases of distances: a learnt number for each head and bucket is added to the score. Small distances
 * have a bucket each, larger ones share theirs by the logarithm, up to maxDistance, from which on all share
 * the last. Source: Raffel et al., "T5" (2019), arXiv 1910.10683, §2.1.
 */
export interface LayerRelativePositions {
  /** Above the distances that have a bucket each: half of the buckets, a quarter if bidirectional. */
  maxDistance: number;
  /** `true`: keys after the query have the second half of the buckets, an even number then; `false`: bucket 0. */
  bidirectional: boolean;
}

/** What the weights do not say of a layer. Throws a `RangeError` where it contradicts them. */
export interface LayerOptions {
  /** Of queries. */
  heads: number;
  /** A divisor of `heads`. Default `heads`. */
  kvHeads?: number | null;
  /** x·Φ(x) is `'gelu'`, its approximation by tanh `'gelu_tanh'`, x·σ(1.702 x) `'quick_gelu'`, x·σ(x) `'silu'`. Default `'relu'`. */
  activation?: 'relu' | 'gelu' | 'gelu_tanh' | 'quick_gelu' | 'silu' | null;
  /** `true`: x = x + part(norm(x)); `false`: x = norm(x + part(x)). Default `false`, of parallel parts `true`. */
  normFirst?: boolean | null;
  /** `'rms'`: x / √(mean of x² + epsilon) · weight. Default `'layer'`. */
  norm?: 'layer' | 'rms' | null;
  /** Of all norms. Default 1e-5. */
  epsilon?: number | null;
  /** x = x + attention(norm(x)) + feedForward(norm'(x)); not with `cross`. Default `false`. */
  parallel?: boolean | null;
  /** Factor on q·k, also in the attention to the memory. Default 1/√d_k. */
  scale?: number | null;
  /** Of self-attention. Default none. */
  rotary?: LayerRotary | null;
  /** Of self-attention, with `self.relativeBias`. Default none. */
  relativePositions?: LayerRelativePositions | null;
  /** Of all matrices. Default `'out × in'`, as in checkpoints of PyTorch. */
  layout?: 'out × in' | 'in × out' | null;
}

/**
 * Options of `attention()` that make sense in a layer; they are those of self-attention. Query i is at
 * position offset + i and key j at j; with a cache x begins at the cache's length. Masks, rotary and relative
 * positions all count so.
 */
export interface LayerForwardOptions extends DecoderForwardOptions {
  /** Of a layer with `cross`: [batch ×] memoryLen × its width, or what `projectMemory()` made of it. */
  memory?: TensorLike | KeyValueCache | null;
  /** Queries, keys and values as they meet, normed and turned. */
  projections?: boolean | null;
}

/** Each [batch ×] heads × len × d_k; keys and values kvHeads × kLen: all that are seen, those of a cache too. */
export interface LayerProjections {
  /** heads × len × d_k. */
  query: OwnedTensor;
  /** kvHeads × kLen × d_k. */
  key: OwnedTensor;
  /** kvHeads × kLen × d_v. */
  value: OwnedTensor;
}

/** Those of the attention to the memory, of a layer that has one. */
export interface LayerCrossProjections {
  /** heads × len × d_k. */
  crossQuery: OwnedTensor;
  /** kvHeads × memoryLen × d_k. */
  crossKey: OwnedTensor;
  /** kvHeads × memoryLen × d_v. */
  crossValue: OwnedTensor;
}

/** The output, and what else was asked for. */
export type LayerResult<Options> = {
  /** As x. */
  output: OwnedTensor;
  /** Of self-attention: [batch ×] heads × len × kLen; averaged: no heads axis. */
  weights?: OwnedTensor;
  /** Of the attention to the memory: [batch ×] heads × len × memoryLen. */
  crossWeights?: OwnedTensor;
} & (Options extends AsksForWeights ? { weights: OwnedTensor } : unknown) &
  Partial<LayerCrossProjections> &
  (Options extends { projections: true } ? LayerProjections : Partial<LayerProjections>);

/**
 * A layer of a Transformer, of the blocks that published models are made of: with weights that live in
 * the module, packed once. TransformerEncoderLayer and TransformerDecoderLayer are the same by the
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

  /** x: [batch ×] len × d_model. Throws a `RangeError` for shapes that do not fit, before anything is computed. */
  forward<const Options extends LayerForwardOptions = {}>(
    x: TensorLike,
    options?: Options,
  ): LayerResult<Options>;

  /** The keys and values of the memory, projected once, for the option `memory` of all later calls. */
  projectMemory(memory: TensorLike): KeyValueCache;
}

export interface TransformerLayerConstructor {
  readonly prototype: TransformerLayer;

  /**
   * Throws a `TypeError` for names it does not know, a `RangeError` for weights that are missing or do not fit each
   * other or the options.
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
