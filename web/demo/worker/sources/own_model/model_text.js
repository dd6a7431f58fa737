// Input of the open model for a text: { text, input, labels, cut, end? }, or { why } as the reason that there is none.

import { labelsIn, labelsOfIds } from './token_labels.js';

const maxTokens = 256; // attention is quadratic in them, in every layer and head

/** Max tokens of a text, also limited by the model's positions. */
export const maxTokensOf = ({ maxInput = Infinity }) => Math.min(maxTokens, maxInput);

export function readText({ model }, given, stack) {
  const room = maxTokensOf(stack);
  if (!model.tokenizer) return ofIds(given, room);
  const text = ofTokens(model.tokenizer, given, room);
  const end = text.labels && endOf(model.tokenizer, stack, text.labels.at(-1));
  return end ? { ...text, input: asPair(text.input), end } : text;
}

/** Separator between two texts for models such as BERT, if it can be typed; else undefined. */
function endOf(tokenizer, { tokenTypes }, { start, text: mark }) {
  const isMark = tokenTypes > 1 && start === null;
  const ids = isMark ? tokenizer.encodePlain(mark) : [];
  return ids.length === 1 && tokenizer.tokenOf(ids[0]) === mark ? mark : undefined;
}

/** A separator within the text starts the second segment. */
function asPair({ ids }) {
  const end = ids.indexOf(ids.at(-1));
  return { ids, typeIds: ids.map((_, at) => (at > end ? 1 : 0)) };
}

function ofTokens(tokenizer, given, room) {
  let text = given;
  for (;;) {
    const { ids, typeIds, tokens, spans } = tokenizer.encode(text);
    if (ids.length === 0) return { why: 'This text has no tokens of the model’s vocabulary.' };
    if (ids.length <= room) {
      const labels = labelsIn(text, tokens, spans);
      return { text, input: { ids, typeIds }, labels, cut: text !== given };
    }
    // Removes at least one token, and leaves room for special tokens.
    const over = ids.length - room;
    const [end] = spans[Math.max(1, spans.length - over - 2)];
    const shorter = end > 0 && end < text.length ? end : Math.floor(text.length * 0.8);
    if (shorter === 0) return { why: 'The model has no room for a text.' };
    text = text.slice(0, shorter).trimEnd();
  }
}

/** Without a tokenizer the reader types token ids. */
export function idsIn(given) {
  const written = given.trim().split(/[\s,]+/);
  return written.every((one) => /^\d{1,9}$/.test(one)) ? written.map(Number) : null;
}

export const needsIds =
  'This model came without a tokenizer.json: write the ids of its tokens, such as 5 3 9.';

function ofIds(given, room) {
  const ids = idsIn(given);
  if (!ids) return { why: needsIds };
  const read = ids.slice(0, room);
  const text = read.join(' ');
  return { text, input: { ids: read }, labels: labelsOfIds(read), cut: ids.length > room };
}
