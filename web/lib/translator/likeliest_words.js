// The likeliest words after a sentence. Tokens are put together until another word begins; a word's probability is
// that of its tokens, one after the other, times that of another word beginning then: all words together have 1.
import { logSumExp } from '../models/beam_search.js';
import { specialTokens } from './tokens.js';

const longest = 16; // tokens of a word

/** exp of logits over their sum; nothing is followed by padding or another start. */
function probabilitiesOf(logits) {
  const row = Float64Array.from(logits);
  row[specialTokens.pad] = -Infinity;
  row[specialTokens.start] = -Infinity;
  const total = logSumExp(row);
  return row.map((x) => Math.exp(x - total));
}

/** What follows some ids: { ofNext(id), ofEnd, largest(count, isFirst) }, of which ofEnd is that of another word. */
function followersOf(probabilities, starts) {
  const ofEnd = probabilities.reduce((sum, p, id) => sum + (starts[id] ? p : 0), 0);
  return {
    ofEnd,
    /** Of a first token, given that a word begins; of a later one after those before it. */
    shareOf: (id, isFirst) => (isFirst ? probabilities[id] / ofEnd : probabilities[id]),
    largest: (count, isFirst) =>
      Array.from(starts.keys())
        .filter((id) => starts[id] === isFirst)
        .sort((a, b) => probabilities[b] - probabilities[a])
        .slice(0, count),
  };
}

/**
 * @param {{ nextLogits: (ids: number[]) => Float32Array, startsWord: (ids: number[]) => boolean[],
 *   spell: (ids: number[]) => string }} sentence what comes after ids that are added to it: the logits, and for each
 *   token whether it begins another word, as the end does; and what the ids spell
 */
export function createWordSearch({ nextLogits, startsWord, spell }) {
  const known = new Map();
  const after = (ids) => {
    const key = ids.join();
    if (!known.has(key)) {
      known.set(key, followersOf(probabilitiesOf(nextLogits(ids)), startsWord(ids)));
    }
    return known.get(key);
  };
  const isEnd = (ids) => ids[0] === specialTokens.end;
  const ofEnd = (ids) => (isEnd(ids) ? 1 : after(ids).ofEnd);

  /** Each token more, and the word as it is. */
  function goOn({ ids, probability }, count) {
    const isFirst = ids.length === 0;
    const whole = { ids, probability: isFirst ? 0 : probability * ofEnd(ids), isWhole: true };
    if (isEnd(ids) || ids.length === longest) return [whole];
    const { largest, shareOf } = after(ids);
    const longer = largest(count, isFirst).map((id) => ({
      ids: [...ids, id],
      probability: probability * shareOf(id, isFirst),
      isWhole: false,
    }));
    return isFirst ? longer : [whole, ...longer];
  }

  return {
    /** The `count` likeliest: always what is likeliest so far goes on, until that is a whole word. */
    likeliest(count) {
      const open = [{ ids: [], probability: 1, isWhole: false }];
      const words = new Map(); // by their text: other tokens may spell the same
      while (open.length > 0 && words.size < count) {
        const best = open.reduce((a, b) => (b.probability > a.probability ? b : a));
        open.splice(open.indexOf(best), 1);
        if (!best.isWhole) {
          open.push(...goOn(best, count));
          continue;
        }
        const { ids, probability } = best;
        const text = spell(ids);
        const same = words.get(text);
        words.set(
          text,
          same
            ? { ...same, probability: same.probability + probability }
            : { text, ids, probability },
        );
      }
      return Array.from(words.values()).sort((a, b) => b.probability - a.probability);
    },

    /** The word that these ids make. */
    wordOf(ids) {
      const shares = ids.map((id, n) => after(ids.slice(0, n)).shareOf(id, n === 0));
      const probability = shares.reduce((product, share) => product * share, ofEnd(ids));
      return { text: spell(ids), ids, probability };
    },
  };
}
