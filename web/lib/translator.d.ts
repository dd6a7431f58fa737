/**
 * attention-wasm/translator: a small Transformer that translates English into French and shows where it
 * looks, of every layer and head, on sentences of one's own. It runs on the layers of this library.
 *
 * Its 5 MB of weights are a file of their own beside the package, read when a translator is loaded and
 * not before: in browsers from a URL relative to this module, in Node.js from the disk.
 *
 * It was trained on 180,000 short sentence pairs and on composed ones; `web/model/README.md` says how, how well it
 * does, and what it cannot do. Sentence pairs: Tatoeba (tatoeba.org) and www.manythings.org/anki, CC BY 2.0 FR;
 * African Storybook (africanstorybook.org), CC BY.
 */
import type { AttentionApi } from './index.js';
import type { PlatformResponse, PlatformURL } from './arguments/platform.js';
import type { FloatTensor, Int8Tensor, OwnedTensor, Tensor } from './arguments/tensor.js';

/** Where its files are, and what it computes with. */
export interface TranslatorOptions {
  /**
   * The weights, for pages that keep them elsewhere: bytes, a `Response` (or a promise of one), or a `URL`
   * to fetch. Default: the file `english_french.safetensors` of the package. Where a bundler leaves it behind, as on a
   * Next.js server, pass its bytes, or leave the package out of the bundle (`serverExternalPackages`).
   */
  weights?: WeightsSource | PromiseLike<WeightsSource> | null;
  /** The vocabulary that belongs to the weights, as parsed JSON or a `URL`. Default: that of the package. */
  tokenizer?: object | PlatformURL | PromiseLike<object> | null;
  /** What `loadAttention()` gave, to be used instead of the shared one. */
  attention?: AttentionApi | null;
}

/** Where the weights come from. */
export type WeightsSource = ArrayBuffer | ArrayBufferView | PlatformResponse | PlatformURL;

/** A piece of a word, a word, a mark, or the start or the end. */
export interface Token {
  /** Its number in the vocabulary. */
  readonly id: number;
  /** What it spells, without the space before it; `<s>` and `</s>` for the start and the end. */
  readonly text: string;
  /** The word it is a piece of, counted from 0. */
  readonly word: number;
  /** Whether it is the start or the end. */
  readonly special: boolean;
  /** Where it begins in the text of its sentence; of a special one null. */
  readonly start: number | null;
  /** Where it ends; the place after its last character. */
  readonly end: number | null;
}

/** A sentence and the tokens that it is read as. */
export interface TokenizedText {
  /** The sentence as it was read: spaces, apostrophes and quotation marks of one kind. */
  readonly text: string;
  /** In the order of the sentence. */
  readonly tokens: Token[];
}

/** Vectors of one attention, before and after their projection. */
export interface AttentionVectors {
  /** Of what attends: rows × d_model, after the norm. */
  readonly x: Tensor;
  /** Of what is attended to: x itself in self-attention, the encoder's output in cross-attention. */
  readonly context: Tensor;
  /** 1 × heads × rows × d_k, as `attention()` takes it. */
  readonly query: Tensor;
  /** 1 × heads × columns × d_k. */
  readonly key: Tensor;
  /** 1 × heads × columns × d_v. */
  readonly value: Tensor;
}

/** What is kept of the computation. */
export interface EncodeOptions {
  /** Weights of every layer and head. Default `true`. */
  attention?: boolean | null;
  /** What the weights were made of. Default `false`. */
  vectors?: boolean | null;
}

/** How a translation is searched for, and what is kept of the computation. */
export interface TranslateOptions extends EncodeOptions {
  /** Sentences kept side by side while searching, 1 to 32; 1 takes the likeliest token each time. Default 4. */
  beam?: number | null;
  /** A French sentence that is taken instead of searching for one: what does the model look at for it? */
  target?: string | null;
  /**
   * How the translation is to begin, in whole words of French; what comes after them is searched for. Not together
   * with `target`. Default: nothing.
   */
  begin?: string | null;
  /**
   * How many tokens the translation may have; where it reaches them, it is cut off. 1 to 512. Default: one and a
   * half times those of the text and 12, 512 at most. Time grows with it.
   */
  maxTokens?: number | null;
  /** Called after each step with the likeliest sentence so far, of which a later step may change any token. */
  onToken?: ((soFar: TokenizedText) => void) | null;
}

/** What the encoder makes of an English text. */
export interface Encoding {
  /** With the end, `</s>`, as its last token. */
  readonly source: TokenizedText;
  /** The encoder's output, tokens × d_model: what a decoder attends to. */
  readonly output: Tensor;
  /** Unless the option `attention` is `false`. */
  readonly attention?: {
    /** For each layer heads × tokens × tokens. */
    readonly encoder: OwnedTensor[];
  };
  /** With the option `vectors`, for each layer. */
  readonly vectors?: { readonly encoder: AttentionVectors[] };
}

/** A translation, and where the model looked for each of its tokens. */
export interface Translation {
  /**
   * Numbers and names are carried over: one that the search lost or garbled, by where cross-attention points, is put
   * in as the text has it, and the tokens, probabilities and weights below are of this sentence.
   */
  readonly text: string;
  /**
   * Why the text came back as it was, or null where it did not, or where a target was given. `'symbols'`: it has
   * no Latin letter (digits, marks, emoji, other scripts), so nothing was searched for. `'foreign'`: three words or
   * more, none of them among the commonest of English, and a translation that the model was unsure of. `'copied'`:
   * the model took each of its words for one to carry over, as it does with names.
   */
  readonly note: 'symbols' | 'foreign' | 'copied' | null;
  /** The English text as it was read. */
  readonly source: TokenizedText;
  /** What is predicted, row by row, with the end. */
  readonly target: TokenizedText;
  /** What the decoder had read, row by row: the start, then `target` without its end. */
  readonly inputs: TokenizedText;
  /** For each token of `target` the natural logarithm of its probability after those before it. */
  readonly logProbabilities: number[];
  /** For each layer. Row t of `decoder` and `cross` is where the model looks to predict target.tokens[t]. */
  readonly attention?: {
    /** heads × source × source. */
    readonly encoder: OwnedTensor[];
    /** heads × target × inputs; causal. */
    readonly decoder: OwnedTensor[];
    /** heads × target × source. */
    readonly cross: OwnedTensor[];
  };
  /** With the option `vectors`, for each layer. */
  readonly vectors?: {
    readonly encoder: AttentionVectors[];
    readonly decoder: AttentionVectors[];
    readonly cross: AttentionVectors[];
  };
}

/** The place that is asked about. */
export interface NextWordsOptions {
  /** A French sentence, or how one begins. Default: nothing. */
  target?: string | null;
  /** The place in it, in words from 0, as `Token.word` counts them. Default: after its last word. */
  word?: number | null;
  /** 1 to 100. Default 5. */
  count?: number | null;
}

/** A word that may come next. */
export interface NextWord {
  /** What it spells; `</s>` for the end of the sentence. */
  readonly text: string;
  /**
   * Of being the next word after those before it: of its tokens, one after the other, and of nothing being added to
   * them. All words together have 1.
   */
  readonly probability: number;
  /** The sentence up to it and with it: what `begin` takes to go on from there. */
  readonly begin: string;
  /** Whether it is the end. */
  readonly special: boolean;
}

/** English to French. Everything is synchronous. */
export interface Translator {
  /** Heads of each attention. */
  readonly heads: number;

  /**
   * What it learnt, by the names of PyTorch's `nn.Transformer`: `embedding.weight`, and for each layer its
   * matrices, biases and norms. Matrices are int8 with a scale for each row, as `embed()` and the layers of
   * this library take them: `MultiHeadAttention.fromTorch(translator.tensors, { heads: translator.heads,
   * prefix: 'encoder.layers.0.self_attn.' })`. They are shared, not copied: do not change their numbers.
   */
  readonly tensors: ReadonlyMap<string, FloatTensor | Int8Tensor>;

  /** Throws a `RangeError` for a text of more than 512 tokens, or of more than 10,000 letters, spaces included. */
  translate(text: string, options?: TranslateOptions): Translation;

  /**
   * What `translate()` does, step by step, for those who have something else to do in between: yields the
   * likeliest sentence so far, returns the translation. Left unfinished with `return()`, as `for … of` does it,
   * it frees what it holds.
   */
  steps(
    text: string,
    options?: Omit<TranslateOptions, 'onToken'>,
  ): Generator<TokenizedText, Translation, void>;

  /**
   * The words that are likeliest to come next at one place of a translation, the likeliest first. The word that
   * stands there is one of them, in any case: the last where it is not among so many.
   */
  nextWords(text: string, options?: NextWordsOptions): NextWord[];

  /** The encoder alone: self-attention of an English text. */
  encode(text: string, options?: EncodeOptions): Encoding;

  /** Frees the memory of its layers at once. */
  delete(): void;
}

/**
 * Reads weights and vocabulary, and makes the layers. Calls without options share what they read. Rejects with a
 * sentence where a file is not found or does not fit.
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
 * What may come next, and a beginning of one's own:
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
 */
export function loadTranslator(options?: TranslatorOptions): Promise<Translator>;

/**
 * Weights between tokens as weights between their words: summed over the pieces attended to, averaged over
 * the pieces that attend, so that rows still sum to 1. weights: [… ×] rows × columns.
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
