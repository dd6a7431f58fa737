/**
 * Any text as attention's input, without a model and without a download: `words()` cuts the text up,
 * `wordVectors()` makes a vector from the spelling of each word.
 *
 * These vectors are about spelling and about nothing else. "uncle" and "uncles" are near each other,
 * "uncle" and "aunt" are not; "bank" is one vector, whatever it means; another script is another
 * world. What attention computes from them is exact; what it shows is which words look alike.
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
   * A language tag (BCP 47) such as `'th'`, for an engine that has rules of its own for a language.
   * Most languages need none: scripts are told apart without it. Default: `'en'`, so that the words
   * do not depend on the language of the machine.
   */
  locale?: string;
}

/**
 * The words of a text in order, in any script, as `Intl.Segmenter` finds them (Unicode Standard
 * Annex 29).
 *
 * - Punctuation marks and symbols are words of their own, each alone: `'wait...'` gives `wait . . .`
 * - White space is dropped, and so is what cannot be seen at all (control characters, zero-width
 *   space, soft hyphen) where it stands outside of words.
 * - An apostrophe between letters, ' or ’, does not split: `don't`, `l'homme`, `aujourd’hui` are one
 *   word each. Neither do points, commas and underscores inside: `3.14`, `U.S`, `snake_case`. A
 *   hyphen does: `well-known` gives `well - known`.
 * - An emoji is one word, however many characters it is made of: 👩‍👩‍👧‍👦, 👍🏽, 🇫🇷.
 * - Chinese, Japanese, Thai, Lao, Khmer and Burmese, which put no spaces between words, are split by
 *   the dictionaries of the engine. They are good, not perfect, and differ from engine to engine.
 *   Korean is split at its spaces: particles stay with their noun.
 * - A lone surrogate is a word.
 *
 * An empty text has no words: `[]`.
 *
 * @throws TypeError for a text or locale that is not a string, and for an unknown option.
 * @throws RangeError for a locale that is not a language tag.
 * @throws Error where the engine has no `Intl.Segmenter` (Firefox before 125).
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
   * Numbers per word, an integer from 1 to 65536. The cosine of two words with nothing in common is
   * not exactly 0 but about ±1/√dim by chance: ±0.125 at 64, ±0.06 at 256. Default: 64.
   */
  dim?: number;
  /** An integer from 0 to 2³² − 1; every seed gives other vectors, equally good. Default: 0. */
  seed?: number;
  /**
   * How much of a vector says where the word stands in the list, 0 to 1; `true` is 0.5. The cosine
   * of two words becomes (1 − share) × that of their spelling + share × that of their positions, but
   * for chance. Positions are the sines and cosines of "Attention Is All You Need" (Vaswani et al.
   * 2017, arXiv 1706.03762, section 3.5): sin(p / 10000^(2i/dim)) at 2i, cos of the same at 2i + 1,
   * for the positions p = 0, 1, 2, …, scaled to length 1. The cosine of two positions falls slowly
   * with their distance. Default: `false`, which is 0: word order is not in the vectors at all.
   */
  positions?: boolean | number;
}

/**
 * One vector of length 1 for each word, words.length × dim, in the form attention() takes.
 *
 * A word is what its character n-grams are (Bojanowski, Grave, Joulin, Mikolov: "Enriching Word
 * Vectors with Subword Information", 2017, arXiv 1607.04606): put between < and >, it is the set of
 * its sequences of 3, 4, 5 and 6 characters and the whole of itself. Every n-gram has a vector of
 * pseudo-random signs, drawn from its FNV-1a hash and the seed where the paper trains one; the
 * word's vector is their sum, scaled to length 1. So the cosine of two words is about the share of
 * n-grams that they have in common: 0.79 for attention and attentions, 0.36 for color and color.
 *
 * Case and compatibility forms make no difference at all: words are lower-cased and decomposed
 * first (Unicode NFKD), so `Tea`, `TEA` and `ｔｅａ` have the very same vector, and so have é as one
 * character and as two. An accent is a character of its own then, and so are the letters of a Korean
 * syllable: café is near cafe, 좋아해 near 좋아. Every string has a
 * vector, the empty one and a single emoji too; a lone surrogate counts as U+FFFD.
 *
 * The same words, dim, seed and positions give the same bits on every engine and machine: only
 * integers, + − × ÷ and square roots are used. (For characters that an engine's Unicode does not know
 * yet, lower case and decomposition may differ.)
 *
 * @throws TypeError for what is not an array of strings, options of the wrong kind or unknown ones.
 * @throws RangeError for dim, seed or positions outside of their range, and for more than 2³⁰ numbers
 * in all.
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
 * The `scale` at which attention over wordVectors() is worth looking at: 4. Cosines lie between about
 * 0 and 1, and the customary 1/√dim would leave all weights nearly equal. With 4, a word weighs
 * e⁴ ≈ 55 times as much for an equal word as for an unrelated one, and e² ≈ 7 times as much for one
 * that shares half of its n-grams. With several heads each sees its part of the vectors only, whose
 * products are smaller by the number of heads: use `lexicalScale * heads`.
 */
export const lexicalScale: 4;
