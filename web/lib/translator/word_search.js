// Best-first search for the likeliest next words.
import { specialTokens } from './sentences.js';
import { continuationsOf } from './word_probabilities.js';

const maxTokens = 16; // of a word

/**
 * @param {{ nextLogits: (ids: number[]) => Float32Array, startsWord: (ids: number[]) => boolean[],
 *   spell: (ids: number[]) => string }} sentence functions of ids appended to a sentence: next-token logits; for each
 *   token, whether it starts another word, which the end token does; and the text of the ids
 */
export function createWordSearch({ nextLogits, startsWord, spell }) {
  const cache = new Map();
  const after = (ids) => {
    const key = ids.join();
    if (!cache.has(key)) {
      cache.set(key, continuationsOf({ logits: nextLogits(ids), starts: startsWord(ids) }));
    }
    return cache.get(key);
  };
  const isEnd = (ids) => ids[0] === specialTokens.end;
  const endProbability = (ids) => (isEnd(ids) ? 1 : after(ids).endProbability);

  /** The candidate as a complete word, and extended by each of `count` tokens. */
  function expand({ ids, probability }, count) {
    const isFirst = ids.length === 0;
    const completeWord = {
      ids,
      probability: isFirst ? 0 : probability * endProbability(ids),
      isComplete: true,
    };
    if (isEnd(ids) || ids.length === maxTokens) return [completeWord];
    const { largest, probabilityOf } = after(ids);
    const longer = largest(count, isFirst).map((id) => ({
      ids: [...ids, id],
      probability: probability * probabilityOf(id, isFirst),
      isComplete: false,
    }));
    return isFirst ? longer : [completeWord, ...longer];
  }

  return {
    /**
     * The `count` likeliest words: repeatedly expands the likeliest candidate until it is a complete word. Other tokens
     * that spell a word again, which are less likely, are left out.
     */
    likeliest(count) {
      const open = [{ ids: [], probability: 1, isComplete: false }];
      const words = new Map(); // by text
      while (open.length > 0 && words.size < count) {
        const best = open.reduce((a, b) => (b.probability > a.probability ? b : a));
        open.splice(open.indexOf(best), 1);
        if (!best.isComplete) {
          open.push(...expand(best, count));
          continue;
        }
        const { ids, probability } = best;
        const text = spell(ids);
        if (!words.has(text)) words.set(text, { text, ids, probability });
      }
      return Array.from(words.values());
    },

    /** The word of these ids, with its probability. */
    wordOf(ids) {
      const probabilities = ids.map((id, n) => after(ids.slice(0, n)).probabilityOf(id, n === 0));
      const probability = probabilities.reduce((product, p) => product * p, endProbability(ids));
      return { text: spell(ids), ids, probability };
    },
  };
}
