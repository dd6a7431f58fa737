// TransformerEncoderLayer and TransformerDecoderLayer.
import type { KeyValueCache, ModuleObject } from '../attention/key_value_cache.js';
import type {
  CacheOptions,
  ForwardOptions,
  LayerEdits,
  StateDict,
} from './multi_head_attention.js';
import type { Mask, NumberList, OwnedTensor, TensorLike } from '../arguments/tensor.js';

/** What the names of a state dict do not say. */
export interface TransformerLayerOptions {
  /** Number of heads; each has d_model / heads dimensions. */
  heads: number;
  /** Prefix of the names in the state dict. Default none. */
  prefix?: string | null;
  /** `false`: x = norm(x + f(x)); `true`: x = x + f(norm(x)), f being attention or feed-forward. Default `false`, as in PyTorch. */
  normFirst?: boolean | null;
  /** `'gelu'` is x·Φ(x), `'gelu_tanh'` its approximation by tanh. Default `'relu'`. */
  activation?: 'relu' | 'gelu' | 'gelu_tanh' | null;
  /** `'layer'`: layer norm; `'rms'`: x / √(mean of x² + epsilon) · weight. Default `'layer'`. */
  norm?: 'layer' | 'rms' | null;
  /** Epsilon of the norms. Default 1e-5. */
  epsilon?: number | null;
}

/** Options of `attention()` that apply to the self-attention of a layer. */
export type EncoderForwardOptions = Omit<ForwardOptions, 'scores' | 'logSumExp' | 'headOutputs'>;

export interface DecoderForwardOptions extends EncoderForwardOptions {
  /** Mask of cross-attention. */
  crossMask?: Mask | null;
  /** Length of the memory of each batch entry. */
  crossKeyLengths?: NumberList | null;
}

/** Options that request weights: the result then has them. */
export type RequestsWeights = { weights: true | 'average' };

/** The output, and weights if requested. */
export type EncoderResult<Options> = {
  /** Same dims as x. */
  output: OwnedTensor;
  /** Weights of self-attention: [batch ×] heads × len × kLen; without the heads axis if averaged. */
  weights?: OwnedTensor;
  /** The captures of `interventions`, one after the other. */
  captured?: OwnedTensor;
} & (Options extends RequestsWeights ? { weights: OwnedTensor } : unknown);

/** The output, and the weights of self-attention and cross-attention if requested. */
export type DecoderResult<Options> = EncoderResult<Options> & {
  /** Weights of cross-attention: [batch ×] heads × len × memoryLen. */
  crossWeights?: OwnedTensor;
} & (Options extends RequestsWeights ? { crossWeights: OwnedTensor } : unknown);

export interface TransformerObject extends ModuleObject {
  /** Heads of self-attention. */
  readonly heads: number;
  /** d_k of self-attention. */
  readonly keyDim: number;
  /** d_model. */
  readonly modelDim: number;

  /** An empty cache for the layer's self-attention, for the option `cache`. */
  createCache(options: CacheOptions): KeyValueCache;
}

/**
 * A layer of the encoder: self-attention, then feed-forward W_2·activation(W_1 x + b_1) + b_2, each with
 * a residual connection and a norm. Source: Vaswani et al., "Attention Is All You Need" (2017), §3.1;
 * names and meanings of `torch.nn.TransformerEncoderLayer`.
 */
export interface TransformerEncoderLayer extends TransformerObject {
  /**
   * x: [batch ×] len × d_model. With a `cache` the rows of x come after those of earlier calls. Time: that of
   * a MultiHeadAttention and 4·rows·d_model·d_feedforward operations.
   */
  forward<const Options extends EncoderForwardOptions = {}>(
    x: TensorLike,
    options?: Options,
  ): EncoderResult<Options>;
}

/**
 * A layer of the decoder: self-attention, cross-attention to the memory (the encoder's output), and
 * feed-forward. Names and meanings of `torch.nn.TransformerDecoderLayer`; as there, a causal mask
 * is not implied: set `causal: true`.
 */
export interface TransformerDecoderLayer extends TransformerObject {
  /** x: [batch ×] len × d_model; memory: [batch ×] memoryLen × its width, or the cache of `projectMemory()`. */
  forward<const Options extends DecoderForwardOptions = {}>(
    x: TensorLike,
    memory: TensorLike | KeyValueCache,
    options?: Options,
  ): DecoderResult<Options>;

  /** A cache of the projected keys and values of the memory, for repeated calls. Edits have isCross 1. */
  projectMemory(memory: TensorLike, options?: { interventions?: LayerEdits | null }): KeyValueCache;
}

export interface TransformerEncoderLayerConstructor {
  readonly prototype: TransformerEncoderLayer;

  /**
   * A layer of the state dict of `torch.nn.TransformerEncoderLayer`: `self_attn.` and the names of
   * `nn.MultiheadAttention`, `linear1.weight`, `linear2.weight`, `norm1.weight`, `norm2.weight`, and biases
   * where there are any. Other names below the prefix are refused.
   *
   * @example
   * ```js
   * import { loadAttention } from 'attention-wasm';
   *
   * const { TransformerEncoderLayer } = await loadAttention();
   * const weight = (...dims) => ({
   *   data: Float32Array.from({ length: dims.reduce((a, b) => a * b) }, (_, at) => Math.sin(at)),
   *   dims,
   * });
   * const stateDict = {
   *   'self_attn.in_proj_weight': weight(24, 8),
   *   'self_attn.out_proj.weight': weight(8, 8),
   *   'linear1.weight': weight(32, 8),
   *   'linear2.weight': weight(8, 32),
   *   'norm1.weight': weight(8),
   *   'norm2.weight': weight(8),
   * };
   * const layer = TransformerEncoderLayer.fromTorch(stateDict, { heads: 2, activation: 'gelu' });
   * const { output, weights } = layer.forward(weight(5, 8), { weights: true });
   * console.log(output.dims, weights.dims); // [ 5, 8 ] [ 2, 5, 5 ]
   * layer.delete();
   * ```
   */
  fromTorch(stateDict: StateDict, options: TransformerLayerOptions): TransformerEncoderLayer;
}

export interface TransformerDecoderLayerConstructor {
  readonly prototype: TransformerDecoderLayer;

  /**
   * As for the encoder, with `multihead_attn.` for cross-attention, and `norm3.`.
   *
   * @example
   * ```js
   * import { loadAttention } from 'attention-wasm';
   *
   * const { TransformerDecoderLayer } = await loadAttention();
   * const weight = (...dims) => ({
   *   data: Float32Array.from({ length: dims.reduce((a, b) => a * b) }, (_, at) => Math.sin(at)),
   *   dims,
   * });
   * const attention = (name) => ({
   *   [`${name}.in_proj_weight`]: weight(24, 8),
   *   [`${name}.out_proj.weight`]: weight(8, 8),
   * });
   * const stateDict = {
   *   ...attention('self_attn'),
   *   ...attention('multihead_attn'),
   *   'linear1.weight': weight(32, 8),
   *   'linear2.weight': weight(8, 32),
   *   ...Object.fromEntries([1, 2, 3].map((n) => [`norm${n}.weight`, weight(8)])),
   * };
   * const decoder = TransformerDecoderLayer.fromTorch(stateDict, { heads: 2 });
   * const memory = decoder.projectMemory(weight(6, 8)); // keys and values of what was encoded, once
   * const cache = decoder.createCache({ capacity: 20 });
   * decoder.forward(weight(1, 8), memory, { cache });
   * const step = decoder.forward(weight(1, 8), memory, { cache, weights: true });
   * console.log(step.weights.dims, step.crossWeights.dims); // [ 2, 1, 2 ] [ 2, 1, 6 ]
   * for (const object of [decoder, memory, cache]) object.delete();
   * ```
   */
  fromTorch(stateDict: StateDict, options: TransformerLayerOptions): TransformerDecoderLayer;
}
