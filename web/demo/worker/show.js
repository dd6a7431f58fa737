// From a request to its picture: texts become vectors, vectors weights, weights a picture. Each is kept until
// a request needs another one.

import { arrange, arrangeWeights, groupTokens } from './compute/arrange.js';
import { isOneSequence } from './compute/call_options.js';
import { inspect } from './compute/inspection.js';
import { eachStage, pictureOf } from './compute/picture.js';
import { computeStages, computeWeights } from './compute/stages.js';
import { placeIn, tokensOf } from '../places.js';
import { textsOf } from '../texts.js';
import { sources } from './sources/source_list.js';

const computing = [
  ...['kind', 'scale', 'ownScale', 'temperature', 'softcap'],
  ...['causal', 'windowLeft', 'windowRight'],
];
const arranging = ['average', 'hideSpecial', 'merge', 'sort'];
const pick = (state, names) => names.map((name) => state[name]);

/** The value of before, as long as its key is the same. */
function createMemory() {
  let kept = {};
  return {
    async remember(key, make) {
      if (kept.key !== key) {
        kept = {}; // a failure leaves nothing behind
        const value = await make();
        kept = { key, value };
      }
      return kept.value;
    },
  };
}

/** `post(message, what of it may be transferred)`. */
export function createShow(post) {
  const readings = createMemory();
  const computations = createMemory();
  let posted = ''; // the picture that the page has
  let shown = null; // what it was made of

  return {
    /** `context` is what a source's read() is given; `files` counts those opened. */
    async show(id, state, { files, ...context }) {
      const { mode, heads, positions, begin } = state;
      const [first, second] = textsOf(state);
      const request = { mode, first, second, heads, positions, begin };
      const source = sources.find((one) => one.id === state.source) ?? sources[0];
      const key = JSON.stringify([source.id, request, files]);
      const report = ({ reading, ...progress }) => {
        if (context.signal.aborted) return undefined;
        post({ type: 'progress', id, ...progress });
        const soFar = { reading, key: `${id} ${progress.text}` };
        return reading && showReading(id, state, soFar, context);
      };
      const reading = await readings.remember(key, () =>
        source.read(request, { ...context, report }),
      );
      await showReading(id, state, { reading, key }, context);
    },

    /** What is behind a weight of the picture that is shown. */
    inspect(id, place) {
      if (!shown) return;
      const inspection = inspectionAt(place);
      post({ type: 'inspected', id, inspection }, buffersIn(inspection));
    },

    /** The words that may stand where a row's tokens do, from `token` to `last`, or behind them. */
    nextWords(token, last) {
      const { part, reading } = shown ?? {};
      const isWritten = part && labelsOf(part, reading).rows === reading.rows;
      return isWritten && last < reading.rows.length ? reading.nextWords?.(token, last) : {};
    },

    /** Query, key, value and options of what is shown. */
    tensors() {
      const { part, computed } = shown ?? {};
      if (!part) return undefined;
      return { ...pickTensors(part), options: computed.options, tokens: tokensOfPart(part, shown) };
    },
  };

  async function showReading(id, state, { reading, key }, { api, step }) {
    const part = reading.parts.find((one) => one.id === state.part) ?? reading.parts[0];
    const labels = labelsOf(part, reading);
    if (labels.rows.length === 0 || labels.columns.length === 0) {
      postNothing(id, factsOf(part, reading, state, {}));
      return;
    }
    const computedKey = JSON.stringify([key, part.id, pick(state, computing)]);
    const computed = await computations.remember(computedKey, () =>
      computeStages(api, part, reading, state),
    );
    await step();
    shown = { api, part, reading, computed, kind: state.kind };
    const wantsHeads = state.view === 'heads';
    const beside = state.view === 'compare' ? state.beside : null;
    const row = within(state.row ?? 0, labels.rows);
    const reads = state.sort === 'read' ? row : null;
    const pictureKey = JSON.stringify([
      computedKey,
      pick(state, arranging),
      reads,
      wantsHeads,
      beside,
    ]);
    const message = { type: 'shown', id, isWhole: !reading.unfinished };
    if (posted !== pictureKey) {
      const whole = pictureOf(part, reading, computed.stages, state);
      const picture = arrange(whole, { ...state, row });
      const facts = factsOf(part, reading, state, computed.options);
      if (picture.rows.length === 0 || picture.columns.length === 0) {
        postNothing(id, facts);
        return;
      }
      const place = tokensOf(picture, placeIn(picture, state));
      message.inspection = inspectionAt({ ...place, head: state.head });
      const { rolesOf } = await import('./compute/head_roles.js');
      picture.roles = rolesOf(picture, picture.stages.weights, shiftOf(part, reading));
      if (wantsHeads) picture.thumbnails = await thumbnails(api, state, step, rolesOf);
      if (beside) {
        const { besideOf } = await import('./compute/beside.js');
        picture.beside = besideOf(api, shown, picture, beside.split(':'), state);
      }
      // The worker goes on with its own.
      picture.stages = eachStage(picture.stages, (values) =>
        Object.values(computed.stages).includes(values) ? values.slice() : values,
      );
      Object.assign(message, { picture, facts });
    }
    posted = pictureKey;
    post(message, buffersIn(message));
  }

  function postNothing(id, facts) {
    [posted, shown] = ['', null];
    const isWhole = !facts.unfinished;
    post({ type: 'shown', id, isWhole, picture: null, facts, inspection: null });
  }

  function inspectionAt({ head, row, column }) {
    const { api, part, reading, computed, kind } = shown;
    const labels = labelsOf(part, reading);
    if (part.weights) return null; // nothing is known of what they came from
    return inspect(api, part, reading, computed, {
      head: Math.min(Math.max(0, head), part.heads - 1),
      row: within(row, labels.rows),
      column: within(column, labels.columns),
      kind,
    });
  }

  /** Every head of every part, in small. */
  async function thumbnails(api, state, step, rolesOf) {
    const made = [];
    const { part: current, reading, computed } = shown;
    for (const part of reading.parts) {
      const labels = labelsOf(part, reading);
      const groups = groupTokens(labels, state);
      const [rows, columns] = groups.map(({ length }) => length);
      const all =
        part === current ? computed.stages.weights : computeWeights(api, part, reading, state);
      const weights = arrangeWeights(all, labels, groups);
      const arranged = arrange({ ...labels, stages: {} }, { ...state, sort: 'text' });
      const roles = rolesOf(arranged, weights, shiftOf(part, reading));
      for (let head = 0; head < part.heads; ++head) {
        const own = weights.slice(head * rows * columns, (head + 1) * rows * columns);
        made.push({
          ...{ part: part.id, name: part.name, head },
          ...{ rows, columns, weights: own, role: roles[head] },
        });
      }
      await step();
    }
    return made;
  }
}

const within = (token, labels) => Math.min(Math.max(0, token), labels.length - 1);
const labelsOf = (part, reading) => ({
  rows: part.rows ?? reading.rows,
  columns: part.columns ?? reading.columns,
});
// By how many tokens the columns are later than the rows: what is being written has read the start first.
const shiftOf = (part, reading) => (isOneSequence(part, reading) ? 0 : part.ordered ? 1 : null);
const pickTensors = ({ query, key, value, bias: mask }) => ({ query, key, value, mask });

/** All tokens of a part, before any is left out or merged, and what else it takes to show it again. */
function tokensOfPart(part, { reading, computed }) {
  const { rows, columns } = labelsOf(part, reading);
  const { x, causal, scale, bias } = part;
  // What is added to the scores cannot be opened again: the weights can.
  const weights = bias ? { data: computed.stages.weights, dims: bias.dims } : part.weights;
  const ordered = part.ordered ?? rows === columns;
  return { rows, columns: columns === rows ? null : columns, x, weights, ordered, causal, scale };
}

/** @returns {import('../types').Facts} */
function factsOf(part, reading, state, options) {
  const { rows, columns } = labelsOf(part, reading);
  const asked = textsOf(state);
  const texts = part.texts ?? reading.texts ?? asked;
  return {
    part: part.id,
    parts: reading.parts.map(({ id, name, heads }) => ({ id, name, heads })),
    causal: part.causal,
    keyDim: part.query?.dims.at(-1),
    dim: part.x?.rows.dims[1],
    counts: [rows.length, columns.length],
    texts: [texts[0], texts[1] ?? texts[0]],
    asked,
    options,
    note: reading.note ?? '',
    fixed: part.fixed ?? reading.fixed,
    overruled: part.overruled ?? reading.overruled,
    cut: reading.cut ?? false,
    translation: reading.translation,
    unfinished: reading.unfinished ?? false,
    from: reading.from,
    why: reading.why,
    grid: reading.grid,
    hasNext: reading.nextWords !== undefined,
    hasBias: part.bias !== undefined,
  };
}

/** The memory of all arrays in a message: it goes over, instead of being copied. */
function buffersIn(value, found = new Set()) {
  if (ArrayBuffer.isView(value)) found.add(value.buffer);
  else if (value !== null && typeof value === 'object') {
    for (const one of Object.values(value)) buffersIn(one, found);
  }
  return [...found];
}
