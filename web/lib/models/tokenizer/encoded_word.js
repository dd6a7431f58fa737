// The tokens of a word: ids[n] covers its units from starts[n] to ends[n].

/** @typedef {{ ids: number[], starts: number[], ends: number[] }} EncodedWord */

/** One token for a word. */
export const wholeWord = (id, word) => ({ ids: [id], starts: [0], ends: [word.length] });

const maxWords = 10_000;
const maxLength = 256;

/** Encodes a word, or returns what it returned for the same word before: most words of a text are frequent ones. */
export function cached(encode) {
  let words = new Map();
  return (word) => {
    let result = words.get(word);
    if (result === undefined) {
      result = encode(word);
      if (words.size >= maxWords) words = new Map();
      if (word.length < maxLength) words.set(word, result);
    }
    return result;
  };
}
