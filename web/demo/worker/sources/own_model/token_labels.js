// Tokens of a model's vocabulary as labels: what of the text each stands for, and which word that belongs to.

import { isSign, readTokens } from '../tokens.js';

/** A token that stands nowhere in the text. */
export const mark = (text, at) => ({ text, word: -1 - at, special: true, start: null, end: null });

/**
 * @param {string} text
 * @param {string[]} tokens as the vocabulary spells them
 * @param {[number, number][]} spans where each stands in the text; special ones at an empty place
 * @returns {import('../../../types').Label[]}
 */
export function labelsIn(text, tokens, spans) {
  const { labels: words } = readTokens(text);
  let word = 0;
  return apart(spans, words).map(([start, end], at) => {
    const token = tokens[at];
    if (start >= end) return mark(token, at);
    while (word + 1 < words.length && words[word + 1].start <= start) ++word;
    const { word: number = 0, special = false } = words[word] ?? {};
    const piece = text.slice(start, end);
    // [MASK] begins with a sign, and is none.
    return { text: piece, word: number, special: special && isSign(piece), start, end };
  });
}

/** Tokens of unknown words are said to stand in one place together: where there are as many words, each has its own. */
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

/** Ids that no vocabulary spells: each is a word, the ones before `from` are not in the text. */
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

/** The text of ids, and where in it each stands: what it adds to the text of those before it. */
export function spelledOut(tokenizer, ids) {
  const text = tokenizer.decode(ids);
  let end = 0;
  const spans = ids.map((_, at) => {
    const start = end;
    const soFar = tokenizer.decode(ids.slice(0, at + 1));
    // The bytes of one character stand where it does.
    if (!soFar.endsWith('\ufffd')) end = Math.min(Math.max(end, soFar.length), text.length);
    return [start, end];
  });
  for (let at = spans.length - 2; at >= 0; --at) {
    const [start, stop] = spans[at];
    const [nextStart, nextStop] = spans[at + 1];
    const isPiece = start === stop && start === nextStart && tokenizer.decode([ids[at]]) !== '';
    if (isPiece) spans[at] = [start, nextStop];
  }
  return { text, spans: spans.map((span) => trimmed(text, span)) };
}

function trimmed(text, [start, end]) {
  const inner = text.slice(start, end);
  if (inner.trim() === '') return [start, end];
  return [start + inner.length - inner.trimStart().length, start + inner.trimEnd().length];
}
