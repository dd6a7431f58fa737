// Texts of the reader's model: tokens of its vocabulary, what it generates, and its most likely next tokens.

import { cutSentence } from '../sources/cut_text.js';
import { blockedOptions, likeliestWith } from './blocked_run.js';
import { labelsIn, labelsOfIds, mark } from './token_labels.js';

/** @import { StackDescription } from 'attention-wasm/models' */
/** @import { NextWords } from '../../types' */
/** @import { NoText, OpenedModel, ReadText, Texts } from '../types' */

const maxTokens = 256; // attention is quadratic in them, in every layer and head

/** { room: max tokens of a text, why: whose limit that is }. */
function limitOf({ config }, { maxInput = Infinity }) {
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

/**
 * A text that the encoder, or the only stack, reads.
 * @param {Pick<OpenedModel, 'model' | 'description'>} opened
 * @param {string} given
 * @param {'encoder' | 'only'} role
 * @returns {ReadText | NoText}
 */
function readText({ model, description }, given, role) {
  if (given.trim() === '') return { why: undefined };
  const stack = /** @type {StackDescription} */ (description.self ?? description.encoder);
  const limit = limitOf(model, stack);
  const of = role === 'encoder' ? 'the encoder’s text' : undefined;
  const sentence = (read, total) => cutSentence(read, total, limit.why, { of });
  if (!model.tokenizer) return ofIds(given, limit.room, sentence);
  const text = ofTokens(model, given, limit.room, sentence);
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
      return { given: text, text, input: { ids, typeIds }, labels, cut, prompt };
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
function idsIn(given) {
  const written = given.trim().split(/[\s,]+/);
  return written.every((one) => /^\d{1,9}$/.test(one)) ? written.map(Number) : null;
}

const needsIds =
  'This model came without a tokenizer.json: write the ids of its tokens, such as 5 3 9.';

function ofIds(given, room, sentence) {
  const ids = idsIn(given);
  if (!ids) return { why: needsIds };
  const read = ids.slice(0, room);
  const text = read.join(' ');
  const cut = ids.length > room ? sentence(room, ids.length) : '';
  return { given: text, text, input: { ids: read }, labels: labelsOfIds(read), cut };
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
    const spelled = added.trim() || tokenizer.tokenOf(id);
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
    read: (given, role) => readText(opened, given, role),
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
