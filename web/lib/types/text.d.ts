/**
 * Text as input of attention, without a model or a download: `words()` splits the text, and
 * `wordVectors()` computes a vector from the spelling of each word.
 *
 * These vectors represent spelling only. "uncle" and "uncles" have a high cosine, "uncle" and "aunt"
 * a low one; "bank" has one vector for all its meanings; words in different scripts are unrelated.
 * Attention is computed exactly, and shows which words are spelled alike.
 *
 * @example
 * ```js
 * import { loadAttention } from 'attention-wasm';
 * import { lexicalScale, words, wordVectors } from 'attention-wasm/text';
 *
 * const { attention } = await loadAttention();
 * const tokens = words('Zuko made his uncle tea');
 * const x = wordVectors(tokens);
 * const { weights } = attention(x, x, x, { scale: lexicalScale, weights: true });
 * console.log(tokens.length, x.dims, weights.dims); // 5 [ 5, 64 ] [ 5, 5 ]
 * ```
 */

/** Options of `words()`. */
export interface WordsOptions {
  /**
   * Language tag (BCP 47) such as `'th'`, for engines with language-specific rules. Most languages
   * need none, because the script decides. Default: `'en'`, so that the words do not depend on the
   * language of the machine.
   */
  locale?: string;
}

/**
 * Splits a text in any script into words, in order, by `Intl.Segmenter` (Unicode Standard Annex 29).
 *
 * - Each punctuation mark or symbol is a separate word: `'wait...'` gives `wait . . .`
 * - White space is dropped; so are invisible characters (control characters, zero-width space, soft
 *   hyphen) outside words.
 * - An apostrophe between letters, ' or ’, does not split: `don't`, `l'homme`, `aujourd’hui` are one
 *   word each. Neither do points, commas and underscores inside a word: `3.14`, `U.S`, `snake_case`.
 *   A hyphen does: `well-known` gives `well - known`.
 * - An emoji is one word, even if it consists of several characters: 👩‍👩‍👧‍👦, 👍🏽, 🇫🇷.
 * - Chinese, Japanese, Thai, Lao, Khmer and Burmese have no spaces between words: the engine's
 *   dictionaries split them, with some errors and differently in each engine. Korean is split at its
 *   spaces: particles stay with their noun.
 * - A lone surrogate is a word.
 *
 * An empty text gives `[]`.
 *
 * @throws TypeError for a text or locale that is not a string, and for an unknown option.
 * @throws RangeError for a locale that is not a language tag.
 * @throws Error if the engine has no `Intl.Segmenter` (Firefox before 125).
 *
 * @example
 * ```js
 * import { words } from 'attention-wasm/text';
 *
 * console.log(words("Don't panic: it's 3.14 €")); // [ "Don't", 'panic', ':', "it's", '3.14', '€' ]
 * ```
 */
export function words(text: string, options?: WordsOptions): string[];

/** Options of `wordVectors()`. */
export interface WordVectorsOptions {
  /**
   * Width of a vector, an integer from 1 to 65536. Unrelated words have a random cosine of about
   * ±1/√dim instead of 0: ±0.125 at 64, ±0.06 at 256. Default: 64.
   */
  dim?: number;
  /** Seed of the pseudo-random signs, an integer from 0 to 2³² − 1. Default: 0. */
  seed?: number;
  /**
   * Fraction of a vector that encodes the position of the word in the list, f = 0 to 1; `true` is
   * 0.5. The cosine of two words is then about (1 − f) × cosine of their spellings + f × cosine of
   * their positions. Positions are the sines and cosines of "Attention Is All You Need" (Vaswani et
   * al. 2017, arXiv 1706.03762, section 3.5): sin(p / 10000^(2i/dim)) at 2i, cos of the same at
   * 2i + 1, for the positions p = 0, 1, 2, …, scaled to length 1. The cosine of two positions falls
   * slowly with their distance. Default: `false`, which is 0: vectors do not depend on word order.
   */
  positions?: boolean | number;
}

/**
 * A vector of length 1 for each word, as a tensor for attention(): words.length × dim.
 *
 * A vector represents the character n-grams of its word (Bojanowski, Grave, Joulin, Mikolov:
 * "Enriching Word Vectors with Subword Information", 2017, arXiv 1607.04606): all sequences of 3, 4,
 * 5 and 6 characters of the word between < and >, and the whole word. The vector of an n-gram is not
 * trained as in the paper but made of pseudo-random signs from its FNV-1a hash and the seed; the
 * word's vector is their sum, scaled to length 1. The cosine of two words is therefore about the
 * fraction of n-grams that they have in common: 0.79 for attention and attentions, 0.36 for colour
 * and color.
 *
 * Words are lower-cased and decomposed first (Unicode NFKD), so `Tea`, `TEA` and `ｔｅａ` have the
 * same vector, and so do é as one character and as two. Accents and the letters of a Korean syllable
 * become separate characters: café is similar to cafe, 좋아해 to 좋아. Every string has a vector, also
 * the empty one and an emoji; a lone surrogate counts as U+FFFD.
 *
 * The same words, dim, seed and positions give the same bits on every engine and machine: only
 * integers, + − × ÷ and square roots are used. (Lower case and decomposition may differ for
 * characters that an engine's Unicode version lacks.)
 *
 * @throws TypeError for a list that is not an array of strings, and for invalid or unknown options.
 * @throws RangeError for dim, seed or positions out of range, and for more than 2³⁰ numbers in total.
 *
 * @example
 * ```js
 * import { wordVectors } from 'attention-wasm/text';
 *
 * const { data, dims } = wordVectors(['tea', 'Tea', 'uncle'], { dim: 256 });
 * const [tea, again, uncle] = [0, 1, 2].map((at) => data.subarray(at * 256, (at + 1) * 256));
 * const cosine = (a, b) => a.reduce((sum, number, at) => sum + number * b[at], 0);
 * console.log(dims, cosine(tea, again).toFixed(2), Math.abs(cosine(tea, uncle)) < 0.25 ? 0 : 1); // [ 3, 256 ] 1.00 0
 * ```
 */
export function wordVectors(
  words: readonly string[],
  options?: WordVectorsOptions,
): { readonly data: Float32Array; readonly dims: readonly [number, number] };

/**
 * Recommended `scale` for attention over wordVectors(): 4. Cosines are between about 0 and 1, and
 * the customary 1/√dim would make all weights nearly equal. With 4, the weight of an equal word is
 * e⁴ ≈ 55 times that of an unrelated word, and the weight of a word with half of the n-grams in
 * common e² ≈ 7 times. Each of several heads has a slice of the vectors, whose dot products are
 * smaller by the number of heads: use `lexicalScale * heads`.
 */
export const lexicalScale: 4;
