// Words of a text as labels with positions, for sources without a vocabulary.

import { words } from 'attention-wasm/text';

/** Max tokens of a text; a longer one is cut, which the page says. Attention is quadratic in them, in every head. */
export const maxTokens = 1024;

const joins = /^[-‐‑–'’/&@_]$/u;
const punctuation = /^[\p{P}\p{S}]+$/u;
const picture = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u;

/** @import { Label } from '../../types' */

/** @typedef {Label & { word: number, start: number, end: number }} PlacedLabel */

/** True if a word has only punctuation and symbols; emoji count as words. */
export const isSign = (text) => punctuation.test(text) && !picture.test(text);

/**
 * At most `max` labels, and the count of all; a hyphen joins its neighbors to one word of several pieces.
 * @param {string} text
 * @param {number} [max]
 * @returns {{ labels: PlacedLabel[], total: number }}
 */
export function readTokens(text, max = maxTokens) {
  const all = words(text);
  /** @type {PlacedLabel[]} */
  const labels = [];
  let end = 0;
  let word = -1;
  for (const token of all.slice(0, max)) {
    const start = Math.max(end, text.indexOf(token, end));
    const before = labels.at(-1);
    const touches = before && before.end === start;
    if (!(touches && (joins.test(token) || joins.test(before.text)))) ++word;
    // A mark between letters is part of the word, not punctuation.
    if (touches && joins.test(before.text)) before.special = false;
    end = start + token.length;
    labels.push({ text: token, word, special: isSign(token), start, end });
  }
  return { labels, total: all.length };
}
