// MultiHeadAttention: the layer.
import type { KeyValueCache, ModuleObject } from '../attention/key_value_cache.js';
import type { AttentionOptions, ScoresOf, ScoreStage } from '../attention/scaled_dot_product.js';
import type { NumberList, OwnedTensor, TensorLike } from '../arguments/tensor.js';

/** Matrices are in × out, q = x · W_Q, as in the papers; biases are optional. */
export interface MultiHeadWeights {
  /** modelDim × heads·d_k. */
  query: TensorLike;
  /** contextDim × kvHeads·d_k. */
  key: TensorLike;
  /** contextDim × kvHeads·d_v. */
  value: TensorLike;
  /** heads·d_v × out. Without it the output is the concatenated heads. */
  output?: TensorLike | null;
  /** heads·d_k. */
  queryBias?: TensorLike | null;
  /** kvHeads·d_k. */
  keyBias?: TensorLike | null;
  /** kvHeads·d_v. */
  valueBias?: TensorLike | null;
  /** out; with `output` only. */
  outputBias?: TensorLike | null;
}

/** Names and tensors of a PyTorch module: an object, or a Map such as `attention-wasm/safetensors` reads. */
export type StateDict =
  { readonly [name: string]: StateDictTensor } | ReadonlyMap<string, StateDictTensor>;

/** A tensor of any type, so that a whole file can be passed; those that a layer uses must be floating-point or int8. */
export interface StateDictTensor {
  /** Row-major numbers of any type. */
  readonly data: ArrayBufferView;
  /** Sizes of the axes. */
  readonly dims: readonly number[];
  /** `'float16'` or `'bfloat16'`, for a Uint16Array of bits. */
  readonly type?: string;
  /** Scales of int8 numbers, one for each row. */
  readonly scales?: ArrayBufferView;
}

/** How the matrices are divided into heads. */
export interface MultiHeadOptions {
  /** Number of query heads, a divisor of the columns of `query`. */
  heads: number;
  /** Number of key/value heads, a divisor of `heads`. Default `heads`. */
  kvHeads?: number | null;
}

/**
 * Changes of numbers inside a layer, all in one list of numbers. One edit after the other:
 *
 * ```
 * place, isCross, operation, factor, valueOffset, headStride, rowStride, columnStride,
 * headCount, ...heads, rowCount, ...rows, columnCount, ...columns
 * ```
 *
 * place: its number in LayerInterventions; isCross: 1 in the cross-attention of a Transformer layer, else 0. Operations:
 * 0 sets a value, 1 adds a value, 2 multiplies by `factor`, 3 sets 1 / number of visible keys (pattern only). The value
 * of the i-th selected head, j-th row and k-th column is `values` at valueOffset + i·headStride + j·rowStride +
 * k·columnStride; a stride of 0 repeats it. A count of 0 selects all. Batch entries are edited alike. Edits of scores
 * and pattern change visible pairs only and need memory for all scores. Keys and values can be edited in the call that
 * projects them.
 */
export interface LayerEdits {
  /** Applied in the order of the computation, at one place in the order of the list. */
  edits?: NumberList | null;
  /** The values, one axis. */
  values?: TensorLike | null;
}

/**
 * Edits and captures. Places, n query positions, m key positions:
 *
 * | number | place | shape |
 * | --- | --- | --- |
 * | 0 | input of a Transformer layer | n × d |
 * | 1 | queries, as used in the dot product | heads × n × d_k |
 * | 2, 3 | keys, values: of the rows that the call projects, or all m if it projects none | kvHeads × rows × dim |
 * | 4 | scores before the softmax, -∞ where not visible | heads × n × m |
 * | 5 | pattern: weights after the softmax | heads × n × m |
 * | 6 | weighted sums, before W_O | heads × n × d_v |
 * | 7 | output of attention, as added to x | n × out |
 * | 8 | x after attention; none in parallel layers | n × d |
 * | 9 | output of feed-forward, as added to x | n × d |
 * | 10 | output of the layer | n × d |
 * | 11 | weighted sums · W_O of their head, without bias; captures only | heads × n × out |
 * | 12 | values · W_O of each query head, without bias; captures only | heads × m × out |
 *
 * A MultiHeadAttention has 1 to 7, and 11 and 12 if it has W_O.
 */
export interface LayerInterventions extends LayerEdits {
  /**
   * Places to copy after the edits, plus 16 for cross-attention, each once. The result `captured` holds them in this
   * order, each batch × its shape.
   */
  captures?: NumberList | null;
}

/** Options of `attention()` except the numbers of heads, which the layer defines. */
export interface ForwardOptions extends Omit<AttentionOptions, 'heads' | 'kvHeads'> {
  /** Whether to return the output of each head before concatenation. */
  headOutputs?: boolean | null;
  /**
   * For decoding: keys and values of x are appended to this cache; then x attends
   * to all keys in it, with the offset of the cache.
   */
  cache?: KeyValueCache | null;
  /** Numbers inside the layer to change or to return. */
  interventions?: LayerInterventions | null;
}

/** The output, and other results if requested. */
export type ForwardResult<Options extends ForwardOptions> = {
  /** [batch ×] qLen × out. */
  output: OwnedTensor;
  /** [batch ×] heads × qLen × kLen; averaged: no heads axis. */
  weights?: OwnedTensor;
  scores?: OwnedTensor | { readonly [Stage in ScoreStage]?: OwnedTensor };
  logSumExp?: OwnedTensor;
  /** [batch ×] heads × qLen × d_v. */
  headOutputs?: OwnedTensor;
  /** The captures, one after the other. */
  captured?: OwnedTensor;
} & (Options extends { weights: true | 'average' } ? { weights: OwnedTensor } : unknown) &
  ScoresOf<Options> &
  (Options extends { logSumExp: true } ? { logSumExp: OwnedTensor } : unknown) &
  (Options extends { headOutputs: true } ? { headOutputs: OwnedTensor } : unknown);

/** The size of a cache; the layer defines its dims. */
export interface CacheOptions {
  /** Default 1. */
  batch?: number | null;
  /** Maximum number of keys. */
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
 * with weights that are packed once, in the module's memory. Source: Vaswani et al., "Attention Is All You
 * Need" (2017), §3.2.2.
 */
export interface MultiHeadAttention extends ModuleObject {
  /** Heads of queries. */
  readonly heads: number;
  /** Heads of keys and values. */
  readonly kvHeads: number;
  /** d_k. */
  readonly keyDim: number;
  /** d_v. */
  readonly valueDim: number;
  /** Width of x. */
  readonly modelDim: number;

  /**
   * Self-attention of x, [batch ×] qLen × modelDim; or cross-attention from x to the context,
   * [batch ×] kLen × contextDim. A KeyValueCache as context contains projected keys and values
   * (see `projectContext()`).
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

  /**
   * An empty cache for this layer.
   *
   * @example
   * Decoding step by step: each new row attends to those before it and to itself:
   *
   * ```js
   * import { loadAttention, tensor } from 'attention-wasm';
   *
   * const { MultiHeadAttention } = await loadAttention();
   * const one = tensor([[1, 0], [0, 1]]);
   * const layer = MultiHeadAttention.fromWeights({ query: one, key: one, value: one }, { heads: 1 });
   * const cache = layer.createCache({ capacity: 10 });
   * for (const row of [[1, 0], [0, 1]]) layer.forward(tensor([row]), null, { cache });
   * console.log(cache.length); // 2
   * for (const object of [layer, cache]) object.delete();
   * ```
   */
  createCache(options: CacheOptions): KeyValueCache;

  /**
   * A cache of the projected keys and values of a context, for repeated calls of `forward(x, cache)`.
   *
   * @example
   * ```js
   * import { loadAttention, tensor } from 'attention-wasm';
   *
   * const { MultiHeadAttention } = await loadAttention();
   * const one = tensor([[1, 0], [0, 1]]);
   * const layer = MultiHeadAttention.fromWeights({ query: one, key: one, value: one }, { heads: 1 });
   * const context = layer.projectContext(tensor([[1, 0], [0, 1], [1, 1]])); // once
   * const { weights } = layer.forward(tensor([[1, 0]]), context, { weights: true }); // again and again
   * console.log(weights.dims); // [ 1, 1, 3 ]
   * for (const object of [layer, context]) object.delete();
   * ```
   */
  projectContext(
    context: TensorLike,
    options?: { interventions?: LayerEdits | null },
  ): KeyValueCache;
}

export interface MultiHeadAttentionConstructor {
  readonly prototype: MultiHeadAttention;

  /**
   * A layer from weights.
   *
   * @example
   * ```js
   * import { loadAttention, tensor } from 'attention-wasm';
   *
   * const { MultiHeadAttention } = await loadAttention();
   * const one = tensor([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]); // in × out
   * const weights = { query: one, key: one, value: one, output: one };
   * const layer = MultiHeadAttention.fromWeights(weights, { heads: 2 });
   * const x = tensor([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]); // 3 tokens
   * const seen = layer.forward(x, null, { causal: true, weights: true, headOutputs: true });
   * console.log(seen.output.dims, seen.weights.dims, seen.headOutputs.dims); // [ 3, 4 ] [ 2, 3, 3 ] [ 2, 3, 2 ]
   * console.log(layer.project(x).query.dims); // [ 1, 2, 3, 2 ]
   * layer.delete();
   * ```
   */
  fromWeights(weights: MultiHeadWeights, options: MultiHeadOptions): MultiHeadAttention;

  /**
   * A layer from the state dict of `torch.nn.MultiheadAttention`: `in_proj_weight` or `q_proj_weight`,
   * `k_proj_weight` and `v_proj_weight`; `out_proj.weight`; biases `in_proj_bias` and `out_proj.bias`
   * if there are any. With a `prefix` the names that begin with it, without it, count. Other names are
   * refused with a `RangeError`, `bias_k` and `bias_v` among them.
   *
   * @example
   * ```js
   * import { loadAttention } from 'attention-wasm';
   *
   * const { MultiHeadAttention } = await loadAttention();
   * const ones = (...dims) => ({ data: new Float32Array(dims.reduce((a, b) => a * b)).fill(1), dims });
   * const stateDict = {
   *   'self_attn.in_proj_weight': ones(12, 4), // q, k and v, out × in
   *   'self_attn.out_proj.weight': ones(4, 4),
   * };
   * const layer = MultiHeadAttention.fromTorch(stateDict, { heads: 2, prefix: 'self_attn.' });
   * console.log(layer.heads, layer.keyDim, layer.modelDim); // 2 2 4
   * console.log(layer.forward(ones(1, 4)).output.data); // Float32Array(4) [ 16, 16, 16, 16 ]
   * layer.delete();
   * ```
   */
  fromTorch(
    stateDict: StateDict,
    options: MultiHeadOptions & { prefix?: string | null },
  ): MultiHeadAttention;
}
