// TransformerEncoderLayer and TransformerDecoderLayer.
import type { KeyValueCache, ModuleObject } from '../attention/key_value_cache.js';
import type { CacheOptions, ForwardOptions, StateDict } from './multi_head_attention.js';
import type { Mask, NumberList, OwnedTensor, TensorLike } from '../arguments/tensor.js';

export interface TransformerLayerOptions {
  heads: number;
  /** Names in the state dict begin with it. Default none. */
  prefix?: string | null;
  /** `false`: x = norm(x + part(x)); `true`: x = x + part(norm(x)). Default `false`, as in PyTorch. */
  normFirst?: boolean | null;
  /** `'gelu'` is x·Φ(x), `'gelu_tanh'` its approximation by tanh. Default `'relu'`. */
  activation?: 'relu' | 'gelu' | 'gelu_tanh' | null;
  /** `'layer'`: layer norm; `'rms'`: x / √(mean of x² + epsilon) · weight. Default `'layer'`. */
  norm?: 'layer' | 'rms' | null;
  /** Of the norms. Default 1e-5. */
  epsilon?: number | null;
}

/** Options of `attention()` that make sense in a layer; they are those of self-attention. */
export type EncoderForwardOptions = Omit<ForwardOptions, 'scores' | 'logSumExp' | 'headOutputs'>;

export interface DecoderForwardOptions extends EncoderForwardOptions {
  /** Mask of the attention to the memory. */
  crossMask?: Mask | null;
  /** Per batch entry, how long its memory is. */
  crossKeyLengths?: NumberList | null;
}

export type AsksForWeights = { weights: true | 'average' };

export type EncoderResult<Options> = {
  /** As x. */
  output: OwnedTensor;
  /** Of self-attention: [batch ×] heads × len × kLen; averaged: no heads axis. */
  weights?: OwnedTensor;
} & (Options extends AsksForWeights ? { weights: OwnedTensor } : unknown);

export type DecoderResult<Options> = EncoderResult<Options> & {
  /** Of the attention to the memory: [batch ×] heads × len × memoryLen. */
  crossWeights?: OwnedTensor;
} & (Options extends AsksForWeights ? { crossWeights: OwnedTensor } : unknown);

export interface TransformerObject extends ModuleObject {
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
 * A layer of the decoder: self-attention, attention to the memory (the encoder's output), and
 * feed-forward. Names and meanings of `torch.nn.TransformerDecoderLayer`; a mask against looking ahead
 * is not implied there or here: say `causal: true`.
 *
 * Step by step:
 *
 * ```js
 * const memory = decoder.projectMemory(encoded);              // keys and values, once
 * const cache = decoder.createCache({ capacity: 200 });
 * const { output } = decoder.forward(nextToken, memory, { cache });   // 1 × d_model, again and again
 * ```
 */
export interface TransformerDecoderLayer extends TransformerObject {
  /** x: [batch ×] len × d_model; memory: [batch ×] memoryLen × its width, or what `projectMemory()` made of it. */
  forward<const Options extends DecoderForwardOptions = {}>(
    x: TensorLike,
    memory: TensorLike | KeyValueCache,
    options?: Options,
  ): DecoderResult<Options>;

  /** The keys and values of the memory, projected once, for all later calls. */
  projectMemory(memory: TensorLike): KeyValueCache;
}

export interface TransformerEncoderLayerConstructor {
  readonly prototype: TransformerEncoderLayer;

  /**
   * A layer of the state dict of `torch.nn.TransformerEncoderLayer`: `self_attn.` and the names of
   * `nn.MultiheadAttention`, `linear1.weight`, `linear2.weight`, `norm1.weight`, `norm2.weight`, and biases
   * where there are any. Other names below the prefix are refused.
   */
  fromTorch(stateDict: StateDict, options: TransformerLayerOptions): TransformerEncoderLayer;
}

export interface TransformerDecoderLayerConstructor {
  readonly prototype: TransformerDecoderLayer;

  /** As for the encoder, with `multihead_attn.` for the attention to the memory, and `norm3.`. */
  fromTorch(stateDict: StateDict, options: TransformerLayerOptions): TransformerDecoderLayer;
}
