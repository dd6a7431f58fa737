/**
 * attention-wasm/translator: a small Transformer that translates English to French and returns the attention of every
 * layer and head. It runs on the layers of this library.
 *
 * Its 5 MB of weights are a separate file of the package, read when a translator is loaded: in browsers from a URL
 * relative to this module, in Node.js from disk.
 *
 * It was trained on 180,000 short sentence pairs and on generated ones; `web/model/README.md` describes training, quality
 * and limits. Sentence pairs: Tatoeba (tatoeba.org) and www.manythings.org/anki, CC BY 2.0 FR;
 * African Storybook (africanstorybook.org), CC BY.
 */
import type { AttentionApi } from './index.js';
import type { Edit, LoadedModel, loadModel } from './models.js';
import type { PlatformResponse, PlatformURL } from './arguments/platform.js';
import type { FloatTensor, Int8Tensor, OwnedTensor, Tensor } from './arguments/tensor.js';

/** Options of `loadTranslator()`. */
export interface TranslatorOptions {
  /**
   * The weights: bytes, a `Response` (or a promise of one), or a `URL` to fetch. Default: the file
   * `english_french.safetensors` of the package. If a bundler does not copy this file (Rollup, esbuild, Angular, Parcel,
   * Vite 6 and 7 in development, and with them Nuxt), pass `weights` and `tokenizer`. A Next.js server needs
   * `serverExternalPackages: ['attention-wasm']`; its edge runtime fetches the files that it bundles.
   */
  weights?: WeightsSource | PromiseLike<WeightsSource> | null;
  /** tokenizer.json of the weights, parsed or a `URL`. Default: the file of the package. */
  tokenizer?: object | PlatformURL | PromiseLike<object> | null;
  /** The parsed config.json of the weights. Default: that of the package. */
  config?: object | null;
  /** A result of `loadAttention()` to use instead of the shared instance, as of `loadModel()`. */
  api?: AttentionApi | null;
  /** The same as `api`, under an older name. */
  attention?: AttentionApi | null;
  /**
   * Called while weights are fetched from an address: bytes so far, and all, null if the server does not say. `file` is
   * `'weights'`.
   */
  onProgress?:
    | ((progress: {
        readonly loaded: number;
        readonly total: number | null;
        readonly file: string;
      }) => void)
    | null;
  /**
   * `loadModel()` of `attention-wasm/models`: opens the model, so that `translator.model` computes whatever models do,
   * with one copy of the weights in memory. Default: the translator alone.
   */
  loadModel?: typeof loadModel | null;
}

/** Source of the weights. */
export type WeightsSource = ArrayBuffer | ArrayBufferView | PlatformResponse | PlatformURL;

/** A token: a word or a piece of one, a punctuation mark, or the special start or end token. */
export interface Token {
  /** Id in the vocabulary. */
  readonly id: number;
  /** Its text, without the space before it; `<s>` and `</s>` for start and end. */
  readonly text: string;
  /** Index of its word, from 0. */
  readonly word: number;
  /** True if it is the start or end token. */
  readonly special: boolean;
  /** Start of its span in the text; null for special tokens. */
  readonly start: number | null;
  /** End of its span, exclusive; null for special tokens. */
  readonly end: number | null;
}

/** A sentence and its tokens. */
export interface TokenizedText {
  /** The sentence with normalized spaces, apostrophes and quotation marks. */
  readonly text: string;
  /** The tokens in order. */
  readonly tokens: Token[];
}

/** Inputs of one attention, before and after the projections. */
export interface AttentionVectors {
  /** Input of the queries, after the norm: rows × d_model. */
  readonly x: Tensor;
  /** Input of keys and values: x in self-attention, the encoder's output in cross-attention. */
  readonly context: Tensor;
  /** 1 × heads × rows × d_k, the layout of `attention()`. */
  readonly query: Tensor;
  /** 1 × heads × columns × d_k. */
  readonly key: Tensor;
  /** 1 × heads × columns × d_v. */
  readonly value: Tensor;
}

/** Options of `encode()`. */
export interface EncodeOptions {
  /** Whether to return the weights of every layer and head. Default `true`. */
  attention?: boolean | null;
  /** Whether to return the inputs, queries, keys and values of each attention. Default `false`. */
  vectors?: boolean | null;
  /** Changes inside the encoder, as of `run()` of a model. Positions are tokens of `source`. Default: none. */
  edits?: readonly Edit[] | null;
}

/** Options of `translate()`. */
export interface TranslateOptions extends EncodeOptions {
  /**
   * Changes inside the model, in every beam, as of `generate()` of a model: the stacks are `'encoder'`, `'decoder'` and
   * `'cross'`, positions are tokens of `source` and `inputs`. Default: none.
   */
  edits?: readonly Edit[] | null;
  /** Number of beams, 1 to 32; 1 is greedy. Default 4. */
  beam?: number | null;
  /** A French sentence to use instead of searching for one, to see its weights and probabilities. */
  target?: string | null;
  /**
   * The beginning of the translation, in whole French words; the rest is searched for. Cannot be combined with `target`.
   * Default: none.
   */
  begin?: string | null;
  /**
   * Maximum number of tokens of the translation, 1 to 512; longer translations are cut off. Default: 1.5 times the tokens
   * of the text + 12, at most 512.
   */
  maxTokens?: number | null;
  /** Whether to return the probability of each word of the translation. Default `false`. */
  wordLogProbabilities?: boolean | null;
  /** Called after each step with the likeliest sentence so far; later steps may change any of its tokens. */
  onToken?: ((soFar: TokenizedText) => void) | null;
}

/** Result of `encode()`. */
export interface Encoding {
  /** The text; its last token is the end token `</s>`. */
  readonly source: TokenizedText;
  /** Output of the encoder, tokens × d_model. */
  readonly output: Tensor;
  /** Attention weights, unless `attention` is `false`. */
  readonly attention?: {
    /** A tensor per layer: heads × tokens × tokens. */
    readonly encoder: OwnedTensor[];
  };
  /** Inputs of each attention per layer, if `vectors` is `true`. */
  readonly vectors?: { readonly encoder: AttentionVectors[] };
}

/** A translation with its attention weights. */
export interface Translation {
  /**
   * The French text. Numbers and names that the search lost or garbled are copied from the source, at the positions with
   * the largest cross-attention weight; tokens, probabilities and weights below belong to the corrected text.
   */
  readonly text: string;
  /**
   * Reason why the text was returned untranslated; null if it was translated or a target was passed. `'symbols'`: no Latin
   * letter (digits, punctuation, emoji, other scripts), so no search ran. `'foreign'`: at least three words, none of them
   * a common English word, and a translation of low probability. `'copied'`: the model copied every word, as it does with
   * names.
   */
  readonly note: 'symbols' | 'foreign' | 'copied' | null;
  /** The normalized English text. */
  readonly source: TokenizedText;
  /** The predicted tokens, one per row, including the end token. */
  readonly target: TokenizedText;
  /** The decoder's input, one token per row: the start token, then `target` without its end token. */
  readonly inputs: TokenizedText;
  /** The natural logarithm of the conditional probability of each token of `target`. */
  readonly logProbabilities: number[];
  /**
   * The natural logarithm of the probability of each word of `target`, by `Token.word`, if the option is `true`: the same
   * number as that of `nextWords()`.
   */
  readonly wordLogProbabilities?: number[];
  /** Attention weights per layer. Row t of `decoder` and `cross` belongs to the prediction of target.tokens[t]. */
  readonly attention?: {
    /** heads × source × source. */
    readonly encoder: OwnedTensor[];
    /** heads × target × inputs; causal. */
    readonly decoder: OwnedTensor[];
    /** heads × target × source. */
    readonly cross: OwnedTensor[];
  };
  /** Inputs of each attention per layer, if `vectors` is `true`. */
  readonly vectors?: {
    readonly encoder: AttentionVectors[];
    readonly decoder: AttentionVectors[];
    readonly cross: AttentionVectors[];
  };
}

/** Options of `nextWords()`. */
export interface NextWordsOptions {
  /** A French sentence or its beginning. Default: empty. */
  target?: string | null;
  /** Index of the word to predict, as in `Token.word`. Default: after the last word. */
  word?: number | null;
  /** Number of words to return, 1 to 100. Default 5. */
  count?: number | null;
  /** Changes inside the model, as of `translate()`. Default: none. */
  edits?: readonly Edit[] | null;
}

/** A candidate for the next word. */
export interface NextWord {
  /** Its text; `</s>` for the end of the sentence. */
  readonly text: string;
  /**
   * Probability of being the next word: the product of the conditional probabilities of its tokens and of the word ending
   * after them. Tokens: those of `target` for its own word, else the likeliest that spell the word. The sum over all words
   * is at most 1: less likely tokens that spell the same word are not counted.
   */
  readonly probability: number;
  /** The sentence up to and including this word, a value for `begin`. */
  readonly begin: string;
  /** True if it is the end of the sentence. */
  readonly special: boolean;
}

/** An English–French translator. All methods are synchronous. */
export interface Translator {
  /** Number of heads of each attention. */
  readonly heads: number;

  /**
   * Its weights by the names of PyTorch's `nn.Transformer`: `embedding.weight`, and for each layer matrices, biases and
   * norms. Matrices are int8 with a scale per row, which `embed()` and the layers of this library accept: `MultiHeadAttention.fromTorch(translator.tensors, { heads: translator.heads,
   * prefix: 'encoder.layers.0.self_attn.' })`. They are not copied: do not modify them.
   */
  readonly tensors: ReadonlyMap<string, FloatTensor | Int8Tensor>;

  /**
   * The model of the option `loadModel`; undefined without it. It has the same numbers: `run({ ids, decoderIds })` with the
   * ids of `source` and `inputs`. `delete()` of the translator frees it.
   */
  readonly model?: LoadedModel;

  /**
   * The tokens of a text without running the model: of an English text as `source` of results, of a French one as `target`
   * or `inputs`. Throws a `RangeError` for more than 512 tokens or 10,000 characters.
   */
  tokenize(text: string, role?: 'source' | 'target' | 'inputs'): TokenizedText;

  /** Translates a text. Throws a `RangeError` for more than 512 tokens or 10,000 characters. */
  translate(text: string, options?: TranslateOptions): Translation;

  /**
   * `translate()` as a generator, so that other work can run between steps: yields the likeliest sentence so far, returns
   * the translation. `return()`, or `break` in `for … of`, frees its memory.
   */
  steps(
    text: string,
    options?: Omit<TranslateOptions, 'onToken'>,
  ): Generator<TokenizedText, Translation, void>;

  /**
   * The likeliest words at one position of a translation, in order of probability. The word at that position in `target`
   * is always included, as the last if it is less likely than the others.
   */
  nextWords(text: string, options?: NextWordsOptions): NextWord[];

  /** The encoder alone: self-attention of an English text. */
  encode(text: string, options?: EncodeOptions): Encoding;

  /** Frees the model's memory. */
  delete(): void;
}

/**
 * Loads weights and tokenizer. Rejects if a file is missing or invalid.
 *
 * @example
 * ```js
 * import { loadTranslator } from 'attention-wasm/translator';
 *
 * const translator = await loadTranslator();
 * const { text, target, attention } = translator.translate('The red car is fast.');
 * console.log([text]); // [ 'La voiture rouge est rapide.' ]
 * console.log(target.tokens.length, attention.cross.at(-1).dims); // 7 [ 4, 7, 7 ]
 * translator.delete();
 * ```
 *
 * @example
 * Candidates for the next word, and a translation with a fixed beginning:
 *
 * ```js
 * import { loadTranslator } from 'attention-wasm/translator';
 *
 * const translator = await loadTranslator();
 * const [likeliest] = translator.nextWords('The red car is fast.', { target: 'La voiture' });
 * console.log([likeliest.text, likeliest.begin]); // [ 'rouge', 'La voiture rouge' ]
 * const forced = translator.translate('The red car is fast.', { begin: 'Cette' });
 * console.log([forced.text.split(' ')[0]]); // [ 'Cette' ]
 * translator.delete();
 * ```
 *
 * @example
 * The model of the translator, with what models compute:
 *
 * ```js
 * import { loadModel } from 'attention-wasm/models';
 * import { loadTranslator } from 'attention-wasm/translator';
 *
 * const translator = await loadTranslator({ loadModel });
 * const idsOf = ({ tokens }) => tokens.map(({ id }) => id);
 * const ids = idsOf(translator.tokenize('The red car is fast.'));
 * const decoderIds = idsOf(translator.tokenize('La voiture rouge est rapide.', 'inputs'));
 * const { logits } = translator.model.run({ ids, decoderIds });
 * console.log(logits.dims); // [ 7, 4096 ]
 * translator.delete();
 * ```
 */
export function loadTranslator(options?: TranslatorOptions): Promise<Translator>;

/**
 * Converts weights between tokens to weights between words: the sum over the columns of a word, the mean over the rows of
 * a word, so that rows still sum to 1. weights: [… ×] rows × columns.
 *
 * @example
 * ```js
 * import { loadTranslator, mergeWords } from 'attention-wasm/translator';
 *
 * const translator = await loadTranslator();
 * const { source, target, attention } = translator.translate('The red car is fast.');
 * const weights = mergeWords(attention.cross.at(-1), target.tokens, source.tokens);
 * console.log(weights.dims); // [ 4, 7, 7 ]
 * const row = weights.data.subarray(2 * 7, 3 * 7); // of the first head, the third word
 * console.log(row.reduce((a, b) => a + b).toFixed(3)); // 1.000
 * translator.delete();
 * ```
 */
export function mergeWords(
  weights: Tensor,
  rows: readonly Pick<Token, 'word'>[],
  columns: readonly Pick<Token, 'word'>[],
): OwnedTensor;
