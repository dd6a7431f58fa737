// An encoder–decoder reads one text and writes another: its own, as it goes on from what it is given, or the reader's.
// Each row is a token just before it is written; the decoder has read those before it.

import { likeliest } from './likeliest.js';
import { partsOf } from './model_parts.js';
import { idsIn, needsIds, roomOf } from './model_text.js';
import { labelsIn, labelsOfIds, mark, spelledOut } from './token_labels.js';

const most = 96; // tokens that are written

/** `read` is the text that it reads; { first, begin }: all that it is to write, or how it is to begin. */
export async function readTranslation(opened, read, { first, begin = '' }, context) {
  const { model, description, isNaming } = opened;
  const own = first.trim() !== '';
  if (own && !model.tokenizer && !idsIn(first)) return { ...empty, why: needsIds };
  if (opened.decoderStart === undefined) {
    return {
      ...empty,
      why: 'Its config.json has no decoder_start_token_id, with which its decoder begins.',
    };
  }
  if (!own && !isNaming) {
    return { ...empty, why: 'This model does not write: type the text that its decoder reads.' };
  }
  const target = own ? givenIds(opened, first) : await write(opened, read, begin, context);
  const room = roomOf(description.decoder);
  const decoderIds = target.ids.slice(0, room);
  const { encoder, decoder } = description;
  const result = model.run(
    { ids: read.input.ids, decoderIds },
    { projections: true, logits: isNaming },
  );
  const { text, rows, before } = labelsOf(opened, target, room);
  const columns = read.labels;
  const parts = [
    ...partsOf('cross', 'Cross-attention, layer', decoder, result).reverse(),
    ...partsOf('decoder', 'Decoder layer', decoder, result, {
      ...{ rows, columns: before, texts: [text, text], ordered: true },
    }),
    ...partsOf('encoder', 'Encoder layer', encoder, result, {
      ...{ rows: columns, columns, texts: [read.text, read.text] },
    }),
  ];
  return {
    ...{ rows, columns, parts, texts: [text, read.text], translation: text },
    cut: read.cut || target.ids.length > room + 1,
    note: 'Each row is a token just before it is written.',
    ...(result.logits &&
      model.tokenizer && {
        nextWords: (row) => nextAt(opened, { text, ids: target.ids.slice(1) }, result.logits, row),
      }),
  };
}

const empty = {
  rows: [],
  columns: [],
  parts: [{ id: 'none', name: '', heads: 1, causal: false }],
};

function givenIds(opened, text) {
  const { tokenizer } = opened.model;
  const ids = tokenizer ? tokenizer.encodePlain(text) : idsIn(text);
  return { ids: [opened.decoderStart, ...ids] };
}

/** What the model writes, token by token; { ids, end: the one that ended it, or null }. */
async function write(opened, { input }, begin, { step, report }) {
  const { model, ends } = opened;
  const { tokenizer } = model;
  const beginning = tokenizer && begin !== '' ? tokenizer.encodePlain(begin) : [];
  const ids = [opened.decoderStart, ...beginning];
  let text = begin;
  const writing = model.generate({ ids: input.ids, decoderIds: ids.slice() }, { maxTokens: most });
  for await (const { id, text: added } of writing) {
    if (ends.includes(id)) return { ids, end: id };
    ids.push(id);
    text += added;
    report({ text: tokenizer ? text : ids.slice(1).join(' ') });
    await step();
  }
  return { ids, end: null };
}

/** Rows: what is written at each place, of which there are `room`; `before`: what was read there. */
function labelsOf({ model, ends }, { ids: [start, ...all], end = ends[0] }, room) {
  const { tokenizer } = model;
  const ids = all.slice(0, room);
  const tokens = ids.map((id) => tokenizer?.tokenOf(id));
  const { text, spans } = tokenizer ? spelledOut(tokenizer, ids) : { text: ids.join(' ') };
  const written = tokenizer ? labelsIn(text, tokens, spans) : labelsOfIds(ids);
  const nameOf = (id) => (id === undefined ? '…' : tokenizer?.tokenOf(id) || String(id));
  return {
    text,
    rows: [...written, mark(nameOf(end ?? undefined), ids.length)].slice(0, room),
    before: [mark(nameOf(start), ids.length + 1), ...written].slice(0, room),
  };
}

/** @returns {import('../../../types').NextWords} */
function nextAt({ model }, { text, ids }, logits, row) {
  const { tokenizer } = model;
  const written = ids.slice(0, row);
  const soFar = tokenizer.decode(written);
  const own = ids[row];
  const words = likeliest(logits, row).map(({ id, probability }) => {
    const begin = tokenizer.decode([...written, id]);
    const added = begin.slice(soFar.length);
    const special = tokenizer.decode([id]) === '';
    const isOwn = own === undefined ? special : id === own;
    const spelled = added.trim() || tokenizer.tokenOf(id);
    return { text: spelled, probability, begin, special, isOwn };
  });
  return { kind: 'written', text, before: soFar.trim(), words };
}
