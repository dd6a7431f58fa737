// A set of words as a Bloom filter: one bit array for all words, in which each sets some bits. It knows every word of the
// set, and takes about one in 200 other words for one of them.

export const bitsPerWord = 11;
const hashes = 8;

/**
 * Positions of the bits of a word.
 * @param {string} word
 * @param {number} size in bits
 */
function bitsOf(word, size) {
  // FNV-1a from two starts; the others are their sums.
  let [first, second] = [0x811c9dc5, 0x1000193];
  for (const character of word) {
    const code = /** @type {number} */ (character.codePointAt(0));
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second ^ code, 0x5bd1e995);
  }
  second |= 1;
  return Array.from({ length: hashes }, (_, n) => ((first + n * second) >>> 0) % size);
}

/**
 * @param {Uint8Array} bytes
 * @param {string} word
 */
export function add(bytes, word) {
  for (const bit of bitsOf(word, 8 * bytes.length)) bytes[bit >> 3] |= 1 << (bit & 7);
}

/**
 * @param {Uint8Array} bytes
 * @param {string} word
 */
export const has = (bytes, word) =>
  bitsOf(word, 8 * bytes.length).every((bit) => bytes[bit >> 3] & (1 << (bit & 7)));

/**
 * Words of a text in lower case: runs of letters.
 * @param {string} text
 */
export const wordsOf = (text) =>
  text
    .normalize()
    .toLowerCase()
    .match(/[\p{L}\p{M}]+/gu) ?? [];
