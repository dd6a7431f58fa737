// The page's worker: texts become vectors, vectors a picture. The newest wish wins; what is being
// made for an older one is given up at its next step.
// In:  { type: 'show', id, state }   { type: 'open', id, source, file }   { type: 'tensors', id }
// Out: { type: 'sources', sources }  { type: 'shown', id, picture?, facts, inspection, lookup }
//      { type: 'progress', id, text, fraction }  { type: 'opened', id, text }  { type: 'refused', id, message }
//      { type: 'tensors', id, query, key, value, options }  { type: 'problem', id, message }

import { loadAttention } from 'attention-wasm';
import { arrange, arrangeWeights, groupTokens } from './compute/arrange.js';
import { inspect } from './compute/inspection.js';
import { lookUp } from './compute/lookup.js';
import { computePart, pictureOf, weightsOfPart } from './compute/picture.js';
import { turns } from './compute/turns.js';
import { sources } from './sources/all.js';

postMessage({
  type: 'sources',
  sources: sources.map(({ id, name, says, modes, settings, fields, meaning, examples }) => {
    return { id, name, says, modes, settings, fields, meaning, examples };
  }),
});

let wanted = null;
let running = null; // the AbortController of what is being made
let tensors = null; // what the picture shown was made of
let opened = 0; // files so far: the same text may have other vectors since
const kept = { reading: {}, part: {}, picture: {}, posted: '' };

addEventListener('message', ({ data }) => {
  if (data.type === 'open') openFile(data);
  else if (data.type === 'tensors') postMessage({ type: 'tensors', id: data.id, ...tensors });
  else ask(data);
});

async function ask(request) {
  wanted = request;
  running?.abort();
  if (running) return;
  while (wanted) {
    const { id, state } = wanted;
    wanted = null;
    running = new AbortController();
    try {
      await answer(id, state, running.signal);
    } catch (error) {
      if (!running.signal.aborted) postMessage({ type: 'problem', id, message: error.message });
    }
  }
  running = null;
}

/** The value made for `key` before, or a new one. */
async function remember(name, key, make) {
  if (kept[name].key !== key) {
    kept[name] = {}; // a failure leaves nothing behind
    const value = await make();
    kept[name] = { key, value };
  }
  return kept[name].value;
}

async function answer(id, state, signal) {
  const api = await loadAttention();
  if (state.mode === 'lookup') {
    postMessage({ type: 'shown', id, lookup: lookUp(api, state.lookup) });
    return;
  }
  const step = turns(signal);
  const report = ({ reading, ...progress }) => {
    if (signal.aborted) return undefined;
    postMessage({ type: 'progress', id, ...progress });
    return reading && show(api, id, state, { reading, key: `${id} ${progress.text}`, step });
  };
  const source = sources.find((one) => one.id === state.source) ?? sources[0];
  const { mode, first, second, heads, positions } = state;
  const request = { mode, first, second, heads, positions };
  const key = JSON.stringify([source.id, request, opened]);
  const context = { api, signal, step, report };
  const reading = await remember('reading', key, () => source.read(request, context));
  await show(api, id, state, { reading, key, step });
}

const settingsOf = (state) => {
  const { kind, scale, ownScale, temperature, softcap, causal, windowLeft, windowRight } = state;
  return [kind, scale, ownScale, temperature, softcap, causal, windowLeft, windowRight];
};

async function show(api, id, state, { reading, key, step }) {
  const part = reading.parts.find((one) => one.id === state.part) ?? reading.parts[0];
  const head = Math.min(Math.max(0, state.head), part.heads - 1);
  const rows = part.rows ?? reading.rows;
  const columns = part.columns ?? reading.columns;
  const facts = {
    cut: reading.cut ?? false,
    note: reading.note ?? '',
    parts: reading.parts.map((one) => ({
      id: one.id,
      name: one.name,
      heads: one.heads,
      causal: one.causal,
    })),
    part: part.id,
    head,
    causal: part.causal,
    keyDim: part.query.dims.at(-1),
    sourceScale: part.scale,
    translation: reading.translation,
    counts: [rows.length, columns.length],
    dim: part.x.rows.dims[1],
    // As they were read: labels stand in these.
    texts: part.texts ?? reading.texts ?? [state.first, state.second],
    asked: [state.first, state.second],
    unfinished: reading.unfinished ?? false,
  };
  if (rows.length === 0 || columns.length === 0) {
    kept.posted = '';
    postMessage({ type: 'shown', id, picture: null, facts, inspection: null });
    return;
  }
  const partKey = JSON.stringify([key, part.id, settingsOf(state)]);
  const computed = await remember('part', partKey, () => computePart(api, part, reading, state));
  await step();

  const row = Math.min(Math.max(0, state.row), rows.length - 1);
  const { average, hideSpecial, merge, sort, view } = state;
  const reads = sort === 'read' ? row : null;
  const pictureKey = JSON.stringify([
    partKey,
    average,
    hideSpecial,
    merge,
    sort,
    reads,
    view === 'heads',
  ]);
  const picture = await remember('picture', pictureKey, async () => {
    const made = arrange(pictureOf(part, reading, computed, state), {
      hideSpecial,
      merge,
      sort,
      row,
    });
    if (view === 'heads') made.thumbnails = await thumbnails(api, reading, state, step);
    return made;
  });
  const column = Math.min(Math.max(0, state.column), columns.length - 1);
  const inspection = inspect(part, reading, computed, { head, row, column, kind: state.kind });
  const { query, key: keys, value } = part;
  tensors = { query, key: keys, value, options: computed.options };
  const message = { type: 'shown', id, facts, inspection };
  if (kept.posted !== pictureKey) message.picture = picture;
  kept.posted = pictureKey;
  postMessage(message);
}

/** Every head of every part, in small. */
async function thumbnails(api, reading, state, step) {
  const made = [];
  for (const part of reading.parts) {
    const labels = { rows: part.rows ?? reading.rows, columns: part.columns ?? reading.columns };
    const groups = groupTokens(labels, state);
    const [rows, columns] = groups.map(({ length }) => length);
    const weights = arrangeWeights(weightsOfPart(api, part, reading, state), labels, groups);
    for (let head = 0; head < part.heads; ++head) {
      const at = head * rows * columns;
      made.push({
        part: part.id,
        name: part.name,
        head,
        rows,
        columns,
        weights: weights.slice(at, at + rows * columns),
      });
    }
    await step();
  }
  return made;
}

async function openFile({ id, source, file }) {
  const report = (progress) => postMessage({ type: 'progress', id, ...progress });
  try {
    const text = await sources
      .find((one) => one.id === source)
      .open(file, { step: turns(), report });
    ++opened;
    postMessage({ type: 'opened', id, text });
  } catch (error) {
    postMessage({ type: 'refused', id, message: error.message });
  }
}
