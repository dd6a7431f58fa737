// Texts of the reader's model: tokens of its vocabulary, what it generates, and its most likely next tokens.

import { tokenName } from '../../token_name.js';
import { cutSentence } from '../sources/cut_text.js';
import { maxTokens } from '../sources/tokens.js';
import { blockedOptions, likeliestWith } from './blocked_run.js';
import { labelsIn, labelsOfIds, mark } from './token_labels.js';

/** @import { StackDescription } from 'attention-wasm/models' */
/** @import { NextWords } from '../../types' */
/** @import { NoText, OpenedModel, ReadText, Texts } from '../types' */
/** @typedef {(from: number, end: number, total: number) => Pick<ReadText, 'cut' | 'window'>} PartSaid */

/** { room: max tokens of a text, why: whose limit that is }. */
function limitOf({ config }, { maxInput = Infinity }) {
  if (maxInput > maxTokens) {
    return { room: maxTokens, why: `the page reads at most ${maxTokens.toLocaleString('en')}` };
  }
  const { rope_type: name, type = name } = Object(config.rope_parameters ?? config.rope_scaling);
  const isShort = type === 'longrope' || type === 'su';
  const why = isShort
    ? `the model reads at most ${maxInput}: beyond original_max_position_embeddings, LongRoPE has other factors`
    : `the model has positions for ${maxInput}`;
  return { room: maxInput, why };
}

/**
 * A text that the encoder, or the only stack, reads.
 * @param {Pick<OpenedModel, 'model' | 'description'>} opened
 * @param {string} given
 * @param {'encoder' | 'only'} role
 * @param {number} [from] index of the first token that is read
 * @returns {ReadText | NoText}
 */
function readText({ model, description }, given, role, from = 0) {
  if (given.trim() === '') return { why: undefined };
  const stack = /** @type {StackDescription} */ (description.self ?? description.encoder);
  const limit = limitOf(model, stack);
  const of = role === 'encoder' ? 'the encoder’s text' : undefined;
  /** @type {PartSaid} */
  const partOf = (first, end, total) => ({
    cut: first > 0 || end < total ? cutSentence(end, total, limit.why, { of, from: first }) : '',
    ...((first > 0 || end < total) && { window: { from: first, next: end < total ? end : null } }),
  });
  if (!model.tokenizer) return ofIds(given, from, limit.room, partOf);
  const text = ofTokens(model, given, from, limit.room, partOf);
  if (!text.labels) return text;
  const end = endOf(model.tokenizer, stack, text.labels[text.labels.length - 1]);
  return end ? { ...text, input: asPair(text.input), end } : text;
}

/** Separator between two texts for models such as BERT, if it can be typed; else undefined. */
function endOf(tokenizer, { tokenTypes = 0 }, { start, text: mark }) {
  const isMark = tokenTypes > 1 && start === null;
  const ids = isMark ? tokenizer.encodePlain(mark) : [];
  return ids.length === 1 && tokenizer.tokenOf(ids[0]) === mark ? mark : undefined;
}

/** A separator within the text starts the second segment. */
function asPair({ ids }) {
  const end = ids.indexOf(ids.at(-1));
  return { ids, typeIds: ids.map((_, at) => (at > end ? 1 : 0)) };
}

/** Reads a text from a token on, as far as there is room. */
function ofTokens(model, given, from, room, partOf) {
  const whole = model.encode(given);
  if (whole.ids.length === 0) return { why: 'This text has no tokens of the model’s vocabulary.' };
  const at = from > 0 ? firstFrom(whole.spans, from) : 0;
  const start = at > 0 ? whole.spans[at][0] : 0;
  let end = given.length;
  for (;;) {
    const part = given.slice(start, end);
    const encoded = end - start === given.length ? whole : model.encode(part);
    const { ids, typeIds, spans, prompt } = encoded;
    if (ids.length === 0) return { why: 'This text has no tokens of the model’s vocabulary.' };
    if (ids.length <= room) {
      const labels = labelsOf(model.tokenizer, part, encoded).map((label) => shifted(label, start));
      const text = given.slice(0, end);
      const isWhole = end === given.length;
      const read = isWhole
        ? whole.ids.length
        : at === 0
          ? shared(ids, whole.ids)
          : endAt(whole, end);
      const said = partOf(at, read, whole.ids.length);
      return { given: part, text, input: { ids, typeIds }, labels, prompt, ...said };
    }
    // Removes at least one token, and leaves room for the special tokens at the end.
    const last = spans.findLastIndex(([first, stop]) => first < stop);
    const [stop] = spans[Math.max(1, room - (spans.length - 1 - last))];
    const length = stop > 0 && stop < part.length ? stop : Math.floor(part.length * 0.8);
    if (length === 0) return { why: 'The model has no room for a text.' };
    end = start + part.slice(0, length).trimEnd().length;
  }
}

/** Index of the first token from `from` on that begins in the text after its first one; 0 if there is none. */
function firstFrom(spans, from) {
  const at = spans.findIndex(([first, stop], index) => index >= from && first < stop && first > 0);
  return Math.max(0, at);
}

/** Count of tokens up to the last that ends within the first `end` characters. */
const endAt = ({ spans }, end) =>
  spans.findLastIndex(([first, stop]) => first < stop && stop <= end) + 1;

/** A label of a part of the text that begins at this character. */
const shifted = (label, by) =>
  label.start === null || by === 0
    ? label
    : { ...label, start: label.start + by, end: label.end + by };

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
function idsIn(given) {
  const written = given.trim().split(/[\s,]+/);
  return written.every((one) => /^\d{1,9}$/.test(one)) ? written.map(Number) : null;
}

const needsIds =
  'This model came without a tokenizer.json: write the ids of its tokens, such as 5 3 9.';

function ofIds(given, from, room, partOf) {
  const ids = idsIn(given);
  if (!ids) return { why: needsIds };
  const first = from < ids.length ? from : 0;
  const upTo = ids.slice(0, first + room);
  const read = upTo.slice(first);
  const [text, labels] = [upTo.join(' '), labelsOfIds(upTo).slice(first)];
  const said = partOf(first, upTo.length, ids.length);
  return { given: read.join(' '), text, input: { ids: read }, labels, ...said };
}

// ---- what the decoder writes -------------------------------------------------------------------------

const maxWritten = 96; // tokens that are generated

/** Ids after the start token; `end`: the end-of-sequence token, null where the text was cut. */
const written = (opened, all, end) => {
  const { model, description, decoderStart, ends } = opened;
  const { room, why } = limitOf(model, description.decoder);
  const cut =
    all.length > room ? cutSentence(room, all.length, why, { of: 'the decoder’s text' }) : '';
  const last = end === undefined ? ends[0] : end;
  return {
    ...labelsOfWritten(opened, all.slice(0, room), last, room),
    decoderIds: [decoderStart, ...all].slice(0, room),
    writes: [...all, last ?? undefined].slice(0, Math.min(all.length + 1, room)),
    hasEnd: all.length < room,
    cut,
  };
};

/** `rows`: labels of the written tokens, at most `room`; `before`: labels of the decoder's inputs. */
function labelsOfWritten({ model, decoderStart }, ids, end, room) {
  const { tokenizer } = model;
  const tokens = ids.map((id) => tokenizer?.tokenOf(id));
  const { text, spans } = tokenizer ? tokenizer.locate(ids) : { text: ids.join(' ') };
  const labels = tokenizer ? labelsIn(text, tokens, spans) : labelsOfIds(ids);
  const nameOf = (id) => (id === undefined ? '…' : tokenizer?.tokenOf(id) || String(id));
  return {
    text,
    rows: [...labels, mark(nameOf(end ?? undefined), ids.length)].slice(0, room),
    before: [mark(nameOf(decoderStart), ids.length + 1), ...labels].slice(0, room),
  };
}

/** Generates token by token. */
async function* write(opened, { input }, begin, block) {
  const { description, model, decoderStart, ends } = opened;
  const { tokenizer } = model;
  const ids = tokenizer && begin !== '' ? tokenizer.encodePlain(begin) : [];
  let text = begin;
  const counts = { encoder: input.ids.length, decoder: Infinity };
  const options = { maxTokens: maxWritten, ...blockedOptions(block, description, counts) };
  const decoderIds = [decoderStart, ...ids];
  for await (const { id, text: added } of model.generate({ ids: input.ids, decoderIds }, options)) {
    if (ends.includes(id)) return written(opened, ids, id);
    ids.push(id);
    text += added;
    yield { text: tokenizer ? text : ids.join(' ') };
  }
  return written(opened, ids, null);
}

/**
 * Most likely tokens in place of a row's, which is being written.
 * @returns {NextWords}
 */
function nextAt({ model }, { text, writes, hasEnd }, logits, row, former) {
  const { tokenizer } = model;
  const soFarIds = writes.slice(0, row);
  const soFar = tokenizer.decode(soFarIds);
  const own = hasEnd && row === writes.length - 1 ? undefined : writes[row];
  const words = likeliestWith(logits, row, former).map(({ id, probability, was }) => {
    const begin = tokenizer.decode([...soFarIds, id]);
    const added = begin.slice(soFar.length);
    const special = tokenizer.decode([id]) === '';
    const isOwn = own === undefined ? special : id === own;
    const spelled = tokenName(added) || tokenizer.tokenOf(id);
    return { text: spelled, probability, begin, special, isOwn, ...(was !== undefined && { was }) };
  });
  return { kind: 'written', text, before: soFar.trim(), words };
}

/**
 * @param {Omit<OpenedModel, 'texts'>} opened
 * @returns {Texts}
 */
export function createVocabularyTexts(opened) {
  const { model, decoderStart, isNaming } = opened;
  return {
    isQuick: false,
    usesLogits: true,
    read: (given, role, from) => readText(opened, given, role, from),
    whyNot(first) {
      const isOwn = first.trim() !== '';
      if (isOwn && !model.tokenizer && !idsIn(first)) return needsIds;
      if (decoderStart === undefined) {
        return 'Its config.json has no decoder_start_token_id, with which its decoder begins.';
      }
      if (isOwn || isNaming) return '';
      return 'This model does not write: type the text that its decoder reads.';
    },
    own: (text) =>
      written(opened, model.tokenizer ? model.tokenizer.encodePlain(text) : idsIn(text), undefined),
    write: (...given) => write(opened, ...given),
    notes: () => ({
      note: 'Each row shows where the model looks just before it writes that token.',
    }),
    nextWords: (_, target, { result, unblocked }) =>
      result.logits && model.tokenizer
        ? async (row) => nextAt(opened, target, result.logits, row, (await unblocked?.())?.logits)
        : undefined,
  };
}
