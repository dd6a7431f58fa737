// Probabilities of French words. That of a word is the product of the conditional probabilities of its tokens, its first
// one among those that start a word, and of another word starting after them.
import { logSumExp } from '../models/run/beam_search.js';
import { specialTokens } from './sentences.js';

/**
 * Continuations of a sentence: { endProbability: probability that its last word ends, probabilityOf(id, isFirst),
 * largest(count, isFirst) }.
 *
 * @param {{ logits: Float32Array, starts: boolean[] }} next logits of the next token; for each token, whether it starts
 *   another word
 */
export function continuationsOf({ logits, starts }) {
  const total = logSumExp(logits);
  const softmaxOf = (id) => Math.exp(logits[id] - total);
  const { pad, start } = specialTokens;
  const isWritten = (id) => id !== pad && id !== start;
  const written = 1 - softmaxOf(pad) - softmaxOf(start);
  let starting = 0;
  for (let id = 0; id < logits.length; id++) {
    if (starts[id] && isWritten(id)) starting += softmaxOf(id);
  }
  return {
    endProbability: starting / written,
    /**
     * P(token | word start) for the first token, P(token | prefix) for later ones, and for bytes of a broken character,
     * with which no word starts.
     */
    probabilityOf: (id, isFirst) => softmaxOf(id) / (isFirst && starts[id] ? starting : written),
    largest: (count, isFirst) =>
      Array.from(starts.keys())
        .filter((id) => starts[id] === isFirst && isWritten(id))
        .sort((a, b) => logits[b] - logits[a])
        .slice(0, count),
  };
}

/**
 * The natural logarithm of the probability of each word of a sentence.
 *
 * @param {{ id: number, word: number, special: boolean }[]} tokens of the sentence, the last one its end token
 * @param {(n: number) => object} nextAt what continuationsOf() takes, after the first n tokens
 */
export function wordLogProbabilities(tokens, nextAt) {
  const sums = [];
  const continuations = tokens.map((_, n) => continuationsOf(nextAt(n)));
  tokens.forEach(({ id, word, special }, n) => {
    const isFirst = word !== tokens[n - 1]?.word;
    const isLast = word !== tokens[n + 1]?.word;
    const ofToken = Math.log(continuations[n].probabilityOf(id, isFirst));
    const ofEnd = isLast && !special ? Math.log(continuations[n + 1].endProbability) : 0;
    sums[word] = (sums[word] ?? 0) + ofToken + ofEnd;
  });
  return sums;
}
