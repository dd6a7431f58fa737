// Texts without a model's vocabulary: words as labels, with their places in the text.

import { words } from 'attention-wasm/text';

/** The page draws no more than this many; the rest of a text is left out, and it says so. */
export const maxTokens = 512;

const joins = /^[-‐‑–'’/&@_]$/u;
const punctuation = /^[\p{P}\p{S}]+$/u;
const picture = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u;

/** Whether it is nothing but punctuation and signs; an emoji says something. */
export const isSign = (text) => punctuation.test(text) && !picture.test(text);

/** @returns {{ labels: Label[], cut: boolean }} a hyphen makes its neighbours pieces of one word */
export function readTokens(text) {
  const all = words(text);
  const labels = [];
  let end = 0;
  let word = -1;
  for (const token of all.slice(0, maxTokens)) {
    const start = Math.max(end, text.indexOf(token, end));
    const before = labels.at(-1);
    const touches = before && before.end === start;
    if (!(touches && (joins.test(token) || joins.test(before.text)))) ++word;
    // Between letters a mark is a piece of the word, not punctuation.
    if (touches && joins.test(before.text)) before.special = false;
    end = start + token.length;
    labels.push({ text: token, word, special: isSign(token), start, end });
  }
  return { labels, cut: all.length > labels.length };
}
