/**
 * Training on the CPU, in a page or in Node.js: gradients of attention, and small Transformers that learn.
 *
 * `loadTraining()` resolves to `attentionBackward`, the backward pass of `attention()`, and `TrainableTransformer`, a
 * decoder (GPT-2's) or an encoder–decoder (mBART's) with AdamW. The same seed and batches give the same bits on every
 * machine. One WebAssembly module of its own is inside; everything runs in one thread, so a page that stays responsive
 * trains in a worker.
 *
 * @example
 * ```js
 * import { loadTraining } from 'attention-wasm/training';
 *
 * const { TrainableTransformer } = await loadTraining();
 * const model = new TrainableTransformer({
 *   kind: 'decoder', vocabulary: 4, width: 16, layers: 1, heads: 2, context: 8, seed: 1,
 * });
 * // After 1 comes 2, then 3, then 1 again.
 * const batch = { ids: [[1, 2, 3, 1], [2, 3, 1, 2]], targets: [[2, 3, 1, 2], [3, 1, 2, 3]] };
 * let loss;
 * for (let step = 0; step < 100; step++) ({ loss } = model.step(batch, { learningRate: 0.01 }));
 * console.log(model.generate([1, 2], { maxTokens: 4 }), loss < 0.1); // [ 3, 1, 2, 3 ] true
 * ```
 *
 * In a worker, a module script that trains and posts what a page draws:
 *
 * ```ts
 * // worker.js
 * import { loadTraining } from 'attention-wasm/training';
 *
 * onmessage = async ({ data: { sizes, batches } }) => {
 *   const { TrainableTransformer } = await loadTraining();
 *   const model = new TrainableTransformer(sizes);
 *   for (const batch of batches) {
 *     const { loss } = model.step(batch, { learningRate: 1e-3 });
 *     const { attentions } = model.run(batch.ids[0], { attentions: true, logits: false });
 *     postMessage({ step: model.steps, loss, attentions });
 *   }
 * };
 * ```
 */
import type { AttentionOptions } from './attention/scaled_dot_product.js';
import type { WasmSource } from './index.js';
import type { NumberList, OwnedTensor, Tensor, TensorLike } from './arguments/tensor.js';

/** Options of `attentionBackward()`: those of the `attention()` call, and the gradients requested. */
export interface AttentionBackwardOptions extends Omit<
  AttentionOptions,
  'weights' | 'scores' | 'logSumExp'
> {
  /**
   * Gradients beside those of query, key and value. `'mask'` needs an additive mask, `'slopes'` and `'sinks'` the
   * option of that name. Default: none.
   */
  gradients?: readonly ('mask' | 'slopes' | 'sinks')[] | null;
}

/** Gradients of a loss; each has the dims of what it belongs to. */
export interface AttentionGradients {
  /** As query. */
  readonly query: OwnedTensor;
  /** As key, summed over the query heads that read a key/value head. */
  readonly key: OwnedTensor;
  /** As value, summed like key. */
  readonly value: OwnedTensor;
  /** As the mask, summed over the axes it is broadcast along. */
  readonly mask?: OwnedTensor;
  /** One number per head. */
  readonly slopes?: OwnedTensor;
  /** One number per head. */
  readonly sinks?: OwnedTensor;
}

/** Sizes of a `TrainableTransformer`. */
export interface TrainableTransformerOptions {
  /** `'decoder'`: as GPT-2. `'encoder-decoder'`: as mBART, its embedding shared by both stacks. */
  kind: 'decoder' | 'encoder-decoder';
  /** Number of token ids, which count from 0. */
  vocabulary: number;
  /** Width of a token's vector, a multiple of `heads`. */
  width: number;
  /** Layers of each stack. */
  layers: number;
  /** Attention heads of a layer. */
  heads: number;
  /** Width of the feed-forward part. Default: 4 · `width`. */
  hidden?: number | null;
  /** Max tokens of a sequence. */
  context: number;
  /** Whether the language-modeling head is the embedding; `false` is for decoders only. Default: `true`. */
  tied?: boolean | null;
  /** Seed of the weights: a whole number from 0 to 2³² − 1. Default: 0. */
  seed?: number | null;
  /** Factor of all attention scores, a finite number. Default: 1/√(`width`/`heads`). */
  scale?: number | null;
}

/** Rows of token ids, or of numbers like them. Rows may differ in length. */
export type TokenRows = readonly NumberList[];

/** Sequences of one step. */
export interface TrainingBatch {
  /** Input of the decoder, or of the encoder where there is one. */
  ids: TokenRows;
  /** Input of the decoder of an encoder–decoder. */
  decoderIds?: TokenRows | null;
  /** The id to predict at each position of the decoder's rows; below 0: ignored. */
  targets: TokenRows;
}

/** Options of a step. */
export interface StepOptions {
  /** Step size of AdamW. */
  learningRate: number;
  /** Decay rates of the moments. Default: `[0.9, 0.999]`. */
  betas?: readonly [number, number] | null;
  /** Added to the denominator. Default: 1e-8. */
  epsilon?: number | null;
  /** Decay of the matrices of linear maps; other parameters do not decay. Default: 0. */
  weightDecay?: number | null;
  /** Max norm of all gradients together; larger ones are scaled down. Default: none. */
  clip?: number | null;
}

/** Result of a step. */
export interface StepResult {
  /** Mean cross entropy of the targets before the step. */
  readonly loss: number;
  /** Norm of all gradients, before clipping. */
  readonly gradientNorm: number;
}

/** Options of `run()`. */
export interface TrainedRunOptions {
  /** Whether to return logits. Default: `true`. */
  logits?: boolean | null;
  /** Whether to return attention weights. Default: `false`. */
  attentions?: boolean | null;
  /** Input of the decoder of an encoder–decoder: as `ids` one sequence, or rows. */
  decoderIds?: NumberList | TokenRows | null;
}

/** Attention weights of each layer: heads × q_len × k_len, with a batch axis first where rows were given. */
export interface TrainedAttentions {
  /** Self-attention of a decoder without encoder. */
  readonly self?: OwnedTensor[];
  /** Self-attention of the encoder. */
  readonly encoder?: OwnedTensor[];
  /** Self-attention of the decoder beside an encoder. */
  readonly decoder?: OwnedTensor[];
  /** From the decoder's tokens to the encoder's. */
  readonly cross?: OwnedTensor[];
}

/** Result of `run()`. */
export interface TrainedRunResult {
  /** n × vocabulary, or batch × n × vocabulary. */
  readonly logits?: OwnedTensor;
  /** Attention weights, if requested. */
  readonly attentions?: TrainedAttentions;
}

/** Options of `generate()`. */
export interface TrainedGenerateOptions {
  /** Max tokens to generate, at least 1. Default: as many as the context has room for. */
  maxTokens?: number | null;
  /** The id that ends a sequence, from 0 to `vocabulary` − 1; it is not returned. Default: none. */
  end?: number | null;
  /** First ids of the decoder of an encoder–decoder, at least one. */
  decoderIds?: NumberList | null;
}

/** A parameter: its name, dims and a copy of its values. */
export interface TrainedParameter extends OwnedTensor {
  /** For example `'decoder.layers.0.self.queryKeyValue.weight'`; matrices are in × out. */
  readonly name: string;
}

/** Parameters and optimizer state at one step. */
export interface TrainingSnapshot {
  /** Steps done by then. */
  readonly step: number;
  /** All parameters, then the first and the second moments of AdamW. */
  readonly data: Float32Array;
}

/** A model under the names of Hugging Face's transformers. */
export interface SavedModel {
  /** Contents of config.json. */
  readonly config: { readonly model_type: 'gpt2' | 'mbart'; readonly [name: string]: unknown };
  /**
   * Tensors by name, as `loadModel()` and `writeSafetensors()` take them. For a file that transformers opens, pass
   * `writeSafetensors()` the metadata `{ format: 'pt' }`.
   */
  readonly weights: { readonly [name: string]: Tensor };
}

/**
 * A small Transformer that learns: pre-norm layers, GELU (tanh), learned positions.
 *
 * Weights are uniform in ±σ√3 with σ = 0.02 (0.02/√(2 · layers) for matrices whose output is added to the residual
 * stream), drawn by mulberry32 in the order of `parameters()`. The object has memory of the module until `delete()`.
 */
export interface TrainableTransformer {
  /** Steps done so far. */
  readonly steps: number;
  /**
   * One step of AdamW on a batch. Shorter rows are padded and masked.
   *
   * Throws a `RangeError` for ids out of range, targets that are all ignored, a loss or gradient that is not finite, and
   * options that would make a parameter larger than 2⁶⁰ or a moment infinite; the model is unchanged then.
   */
  step(batch: TrainingBatch, options: StepOptions): StepResult;
  /** The forward pass: of one sequence, or of rows. */
  run(ids: NumberList | TokenRows, options?: TrainedRunOptions): TrainedRunResult;
  /**
   * The likeliest tokens, one after another: those that follow `ids`, or in an encoder–decoder `decoderIds`. Throws a
   * `RangeError` for ids that `run()` does not take.
   */
  generate(ids: NumberList, options?: TrainedGenerateOptions): number[];
  /** All parameters, in the order in which their weights are drawn. */
  parameters(): TrainedParameter[];
  /** Parameters and optimizer state: after `restore()` training continues with the same bits. */
  snapshot(): TrainingSnapshot;
  /**
   * Goes back to a snapshot of a model of the same sizes. Throws a `RangeError`, and changes nothing, if one of its numbers
   * is not finite or a second moment is negative.
   */
  restore(snapshot: TrainingSnapshot): void;
  /**
   * The model as files of transformers have it: `gpt2` or `mbart`. These scale scores by 1/√d, d = `width`/`heads`; for
   * another `scale` the saved query projections are multiplied by `scale` · √d, so that scores are the same to rounding.
   *
   * @example
   * ```js
   * import { loadModel } from 'attention-wasm/models';
   * import { loadTraining } from 'attention-wasm/training';
   *
   * const { TrainableTransformer } = await loadTraining();
   * const sizes = { vocabulary: 5, width: 8, layers: 1, heads: 2, context: 6 };
   * const trained = new TrainableTransformer({ kind: 'decoder', ...sizes });
   * const model = await loadModel(trained.save());
   * const ids = [1, 2, 3];
   * const [first] = model.run({ ids }).logits.data;
   * console.log(trained.run(ids).logits.dims, trained.run(ids).logits.data[0] === first); // [ 3, 5 ] true
   * ```
   */
  save(): SavedModel;
  /** Frees the memory. Deleting twice is harmless; other calls throw a `DeletedError` then. */
  delete(): void;
}

/** Constructor of `TrainableTransformer`. */
export interface TrainableTransformerConstructor {
  /** Makes a model with random weights. */
  new (options: TrainableTransformerOptions): TrainableTransformer;
}

/** Result of `loadTraining()`. */
export interface TrainingApi {
  /**
   * Gradients of a loss with respect to the arguments of `attention()`, from those of its output.
   *
   * Scores are computed again tile by tile from `logSumExp`, so memory grows with the number of queries and keys, not
   * with their product. Takes the options of the `attention()` call, whose result must include `logSumExp`.
   *
   * @param forward the result of `attention(query, key, value, { logSumExp: true, … })`
   * @param gradient of the loss with respect to the output, with its dims
   * @example
   * ```js
   * import { loadAttention, tensor } from 'attention-wasm';
   * import { loadTraining } from 'attention-wasm/training';
   *
   * const { attention } = await loadAttention();
   * const { attentionBackward } = await loadTraining();
   * const x = tensor([[1, 0], [0, 1]]);
   * const result = attention(x, x, x, { causal: true, logSumExp: true });
   * const ones = tensor([[1, 1], [1, 1]]); // of the sum of all outputs
   * const { value } = attentionBackward(x, x, x, result, ones, { causal: true });
   * console.log(Array.from(value.data, (number) => number.toFixed(2)).join(' ')); // 1.33 1.33 0.67 0.67
   * ```
   */
  attentionBackward(
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    forward: { readonly output: Tensor; readonly logSumExp?: Tensor },
    gradient: TensorLike,
    options?: AttentionBackwardOptions,
  ): AttentionGradients;
  /** A small Transformer that learns. */
  readonly TrainableTransformer: TrainableTransformerConstructor;
  /** Bytes of the module's memory, which never shrinks. */
  memoryBytes(): number;
}

/** Options of `loadTraining()`. */
export interface TrainingOptions {
  /**
   * The module, `attention-wasm/training.wasm`, where the included bytes may not be compiled, as in Cloudflare Workers: a
   * `WebAssembly.Module`, bytes, a `Response` or a `URL` to fetch. Gives an instance of its own. Default: the included
   * module.
   */
  wasm?: WasmSource | null;
}

/**
 * Loads the module once; all calls share it, unless they pass `wasm`.
 *
 * @example
 * ```js
 * import { loadTraining } from 'attention-wasm/training';
 *
 * const { TrainableTransformer } = await loadTraining();
 * const sizes = { vocabulary: 10, width: 16, layers: 2, heads: 4, context: 8 };
 * const model = new TrainableTransformer({ kind: 'encoder-decoder', ...sizes, seed: 1 });
 * const { attentions } = model.run([3, 1, 4], { decoderIds: [0], attentions: true });
 * console.log(attentions.cross[0].dims); // [ 4, 1, 3 ]
 * model.delete();
 * ```
 */
export function loadTraining(options?: TrainingOptions): Promise<TrainingApi>;
