// Input of the open model for a text: { text, input, labels, cut, prompt?, end? }, or { why } as the reason that there is none.

import { cutSentence } from '../cut_text.js';
import { labelsIn, labelsOfIds } from './token_labels.js';

const maxTokens = 256; // attention is quadratic in them, in every layer and head

/** { room: max tokens of a text, why: whose limit that is }. */
export function limitOf({ config }, { maxInput = Infinity }) {
  if (maxInput > maxTokens) {
    return { room: maxTokens, why: `the page reads at most ${maxTokens}` };
  }
  const { rope_type: name, type = name } = Object(config.rope_parameters ?? config.rope_scaling);
  const isShort = type === 'longrope' || type === 'su';
  const why = isShort
    ? `the model reads at most ${maxInput}: beyond original_max_position_embeddings, LongRoPE has other factors`
    : `the model has positions for ${maxInput}`;
  return { room: maxInput, why };
}

/** { text, input, labels, cut, prompt?, end? }: `cut` is a sentence, or '' for a text that is read whole; `of`: the name of the text. */
export function readText({ model }, given, stack, of) {
  const limit = limitOf(model, stack);
  const sentence = (read, total) => cutSentence(read, total, limit.why, { of });
  if (!model.tokenizer) return ofIds(given, limit.room, sentence);
  const text = ofTokens(model, given, limit.room, sentence);
  const end = text.labels && endOf(model.tokenizer, stack, text.labels[text.labels.length - 1]);
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

function ofTokens(model, given, room, sentence) {
  let text = given;
  let whole; // ids of all of it
  for (;;) {
    const encoded = model.encode(text);
    const { ids, typeIds, spans, prompt } = encoded;
    whole ??= ids;
    if (ids.length === 0) return { why: 'This text has no tokens of the model’s vocabulary.' };
    if (ids.length <= room) {
      const labels = labelsOf(model.tokenizer, text, encoded);
      const cut = ids === whole ? '' : sentence(shared(ids, whole), whole.length);
      return { text, input: { ids, typeIds }, labels, cut, prompt };
    }
    // Removes at least one token, and leaves room for the special tokens at the end.
    const last = spans.findLastIndex(([from, to]) => from < to);
    const [end] = spans[Math.max(1, room - (spans.length - 1 - last))];
    const shorter = end > 0 && end < text.length ? end : Math.floor(text.length * 0.8);
    if (shorter === 0) return { why: 'The model has no room for a text.' };
    text = text.slice(0, shorter).trimEnd();
  }
}

/** Labels of the tokens; those of a prompt before the text are words outside it. */
function labelsOf(tokenizer, text, { ids, tokens, spans, prompt }) {
  const labels = labelsIn(text, tokens, spans);
  if (prompt === '') return labels;
  const first = labels.findIndex(({ start }) => start !== null);
  return labels.map((label, at) => {
    const isSpecial = tokenizer.specialIdOf(tokens[at]) === ids[at];
    if (isSpecial || (at > first && first >= 0)) return label;
    return { ...label, text: tokenizer.decode([ids[at]]).trim() || label.text, special: false };
  });
}

/** Count of tokens at the beginning that are the same: one at the end may stand for the end of the text. */
function shared(ids, others) {
  const other = ids.findIndex((id, at) => id !== others[at]);
  return other < 0 ? ids.length : other;
}

/** Without a tokenizer the reader types token ids. */
export function idsIn(given) {
  const written = given.trim().split(/[\s,]+/);
  return written.every((one) => /^\d{1,9}$/.test(one)) ? written.map(Number) : null;
}

export const needsIds =
  'This model came without a tokenizer.json: write the ids of its tokens, such as 5 3 9.';

function ofIds(given, room, sentence) {
  const ids = idsIn(given);
  if (!ids) return { why: needsIds };
  const read = ids.slice(0, room);
  const text = read.join(' ');
  const cut = ids.length > room ? sentence(room, ids.length) : '';
  return { text, input: { ids: read }, labels: labelsOfIds(read), cut };
}
