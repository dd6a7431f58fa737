// Encoder–decoder models: one text is the encoder's input, the other is generated, continued from a beginning, or the
// reader's own. Each row is the token about to be written; the decoder's input are those before it.

import { noReading } from '../no_reading.js';
import { blockedOptions, createRunAgain, likeliestWith } from './blocked_run.js';
import { createInside } from './inside_run.js';
import { partsOf } from './model_parts.js';
import { cutSentence } from '../cut_text.js';
import { idsIn, needsIds, limitOf } from './model_text.js';
import { labelsIn, labelsOfIds, mark } from './token_labels.js';

const maxTokens = 96; // that are generated

/**
 * `read`: input of the encoder; `first`: the reader's own text for the decoder; `begin`: beginning of a generated one.
 */
export async function readTranslation(opened, read, request, context) {
  const { first, begin = '', block } = request;
  const { description, isNaming, model } = opened;
  const own = first.trim() !== '';
  if (own && !model.tokenizer && !idsIn(first)) return noReading(needsIds);
  if (opened.decoderStart === undefined) {
    return noReading(
      'Its config.json has no decoder_start_token_id, with which its decoder begins.',
    );
  }
  if (!own && !isNaming) {
    return noReading('This model does not write: type the text that its decoder reads.');
  }
  const former = block && (await readTranslation(opened, read, { ...request, block: '' }, context));
  if (former?.why) return former;
  const counts = { encoder: read.input.ids.length, decoder: maxTokens };
  const target = own
    ? givenIds(opened, first)
    : await write(opened, read, begin, context, blockedOptions(block, description, counts));
  const { room, why } = limitOf(model, description.decoder);
  const decoderIds = target.ids.slice(0, room);
  const { encoder, decoder } = description;
  const input = { ids: read.input.ids, decoderIds };
  const run = (blocked) => model.run(input, { projections: true, logits: isNaming, ...blocked });
  const blocked = blockedOptions(block, description, { ...counts, decoder: decoderIds.length });
  const result = await run(blocked);
  // The same text, with nothing blocked.
  const same = block && (await run({}));
  const { text, rows, before } = labelsOf(opened, target, room);
  const columns = read.labels;
  const partsFrom = (computed, edited) => {
    const runAgain = createRunAgain(opened, input, edited);
    return [
      ...partsOf('cross', 'Cross-attention, layer', decoder, computed, { runAgain }).reverse(),
      ...partsOf('decoder', 'Decoder layer', decoder, computed, {
        ...{ runAgain, rows, columns: before, texts: [text, text], ordered: true },
      }),
      ...partsOf('encoder', 'Encoder layer', encoder, computed, {
        ...{ runAgain, rows: columns, columns, texts: [read.text, read.text] },
      }),
    ];
  };
  return {
    ...{
      rows,
      columns,
      parts: partsFrom(result, blocked),
      inside: createInside(opened, input, blocked),
      texts: [text, read.text],
      translation: text,
    },
    ...(isNaming && { inputs: inputsOf(opened, read, decoderIds, target, rows.length) }),
    ...(block && {
      formerRows: former.rows,
      unedited: () => ({ rows, columns, parts: partsFrom(same, {}) }),
      effect: () => (own ? null : { kind: 'written', was: former.translation, now: text }),
    }),
    cut: [read.cut, cutRows(target.ids.length - 1, room, why)].filter(Boolean).join(' '),
    note: 'Each row shows where the model looks just before it writes that token.',
    ...(result.logits &&
      model.tokenizer && {
        nextWords: (row) =>
          nextAt(opened, { text, ids: target.ids.slice(1) }, result.logits, row, same?.logits),
      }),
  };
}

const cutRows = (count, room, why) =>
  count > room ? cutSentence(room, count, why, { of: 'the decoder’s text' }) : '';

/** Inputs of the run, and the id that each row writes; the last is open where the text was cut. */
function inputsOf({ ends }, { input }, decoderIds, { ids: [, ...own], end = ends[0] }, rows) {
  const { ids } = input;
  return {
    input: { ids, decoderIds },
    counts: { encoder: ids.length, decoder: decoderIds.length },
    written: [...own, end ?? undefined].slice(0, rows),
  };
}

/** @typedef {{ ids: [start: number, ...number[]], end?: number | null }} WrittenIds */

/** @returns {WrittenIds} */
function givenIds(opened, text) {
  const { tokenizer } = opened.model;
  const ids = tokenizer ? tokenizer.encodePlain(text) : idsIn(text);
  return { ids: [opened.decoderStart, ...ids] };
}

/**
 * Generates token by token; `end`: the end-of-sequence token, or null.
 * @returns {Promise<WrittenIds>}
 */
async function write(opened, { input }, begin, { step, report }, blocked) {
  const { model, ends } = opened;
  const { tokenizer } = model;
  const beginning = tokenizer && begin !== '' ? tokenizer.encodePlain(begin) : [];
  /** @type {WrittenIds['ids']} */
  const ids = [opened.decoderStart, ...beginning];
  let text = begin;
  const options = { maxTokens, ...blocked };
  const writing = model.generate({ ids: input.ids, decoderIds: ids.slice() }, options);
  for await (const { id, text: added } of writing) {
    if (ends.includes(id)) return { ids, end: id };
    ids.push(id);
    text += added;
    report({ text: tokenizer ? text : ids.slice(1).join(' ') });
    await step();
  }
  return { ids, end: null };
}

/** `rows`: labels of the written tokens, at most `room`; `before`: labels of the decoder's inputs. */
function labelsOf({ model, ends }, { ids: [start, ...all], end = ends[0] }, room) {
  const { tokenizer } = model;
  const ids = all.slice(0, room);
  const tokens = ids.map((id) => tokenizer?.tokenOf(id));
  const { text, spans } = tokenizer ? tokenizer.locate(ids) : { text: ids.join(' ') };
  const written = tokenizer ? labelsIn(text, tokens, spans) : labelsOfIds(ids);
  const nameOf = (id) => (id === undefined ? '…' : tokenizer?.tokenOf(id) || String(id));
  return {
    text,
    rows: [...written, mark(nameOf(end ?? undefined), ids.length)].slice(0, room),
    before: [mark(nameOf(start), ids.length + 1), ...written].slice(0, room),
  };
}

/** @returns {import('../../../types').NextWords} */
function nextAt({ model }, { text, ids }, logits, row, former) {
  const { tokenizer } = model;
  const written = ids.slice(0, row);
  const soFar = tokenizer.decode(written);
  const own = ids[row];
  const words = likeliestWith(logits, row, former).map(({ id, probability, was }) => {
    const begin = tokenizer.decode([...written, id]);
    const added = begin.slice(soFar.length);
    const special = tokenizer.decode([id]) === '';
    const isOwn = own === undefined ? special : id === own;
    const spelled = added.trim() || tokenizer.tokenOf(id);
    return { text: spelled, probability, begin, special, isOwn, ...(was !== undefined && { was }) };
  });
  return { kind: 'written', text, before: soFar.trim(), words };
}
