// Tokens of a model's vocabulary as labels with their positions and words in the text.

import { isSign, readTokens } from '../sources/tokens.js';

/** Label of a special token outside the text. */
export const mark = (text, at) => ({ text, word: -1 - at, special: true, start: null, end: null });

/**
 * @param {string} text
 * @param {string[]} tokens spelled as in the vocabulary
 * @param {[number, number][]} spans positions in the text; special tokens have an empty span
 * @returns {import('../../types').Label[]}
 */
export function labelsIn(text, tokens, spans) {
  const { labels: words } = readTokens(text, Infinity);
  let word = 0;
  return apart(spans, words).map(([start, end], at) => {
    const token = tokens[at];
    if (start >= end) return mark(token, at);
    while (word + 1 < words.length && words[word + 1].start <= start) ++word;
    const { word: number = 0, special = false } = words[word] ?? {};
    const piece = text.slice(start, end);
    // [MASK] begins with punctuation but is a word.
    return { text: piece, word: number, special: special && isSign(piece), start, end };
  });
}

/** Unknown words share one span: if there are as many words as tokens, each token gets its own word. */
function apart(spans, words) {
  const found = [...spans];
  for (let from = 0, to = 0; from < spans.length; from = to) {
    const [start, end] = spans[from];
    while (to < spans.length && spans[to][0] === start && spans[to][1] === end) ++to;
    const inside = words.filter((one) => one.start >= start && one.end <= end);
    if (to - from < 2 || inside.length !== to - from) continue;
    inside.forEach((one, n) => (found[from + n] = [one.start, one.end]));
  }
  return found;
}

/** Token ids without a vocabulary: each is a word; those before `from` are not in the text. */
export function labelsOfIds(ids, from = 0) {
  let end = -1;
  return ids.map((id, at) => {
    const text = String(id);
    if (at < from) return mark(text, at);
    const start = end + 1;
    end = start + text.length;
    return { text, word: at, special: false, start, end };
  });
}
