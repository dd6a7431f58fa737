// From a request to its picture: texts → vectors → weights → picture. Each result is cached until a request needs
// another.

import { arrange, arrangeWeights, groupTokens } from './compute/arrange.js';
import { isOneSequence } from './compute/call_options.js';
import { inspect } from './compute/inspection.js';
import { piecesOf } from './compute/pieces.js';
import { canMove, eachStage, pictureOf } from './compute/picture.js';
import { computeStages, computeWeights } from './compute/stages.js';
import { placeIn, tokensOf } from '../positions.js';
import { textsOf } from '../texts.js';
import { rollOut, withRollouts } from './sources/rollout_parts.js';
import { sources } from './sources/source_list.js';

const computing = [
  ...['kind', 'scale', 'ownScale', 'temperature', 'softcap'],
  ...['causal', 'windowLeft', 'windowRight'],
];
const arranging = ['average', 'hideSpecial', 'merge', 'pair', 'sort'];
const pick = (state, names) => names.map((name) => state[name]);

/** Cache of one value: kept as long as its key is the same. */
function createMemory() {
  let entry = {};
  return {
    async remember(key, make) {
      if (entry.key !== key) {
        entry = {}; // a failed make() leaves no entry
        const value = await make();
        entry = { key, value };
      }
      return entry.value;
    },
  };
}

/** `post(message, transferables)`; `referenceShares`: part → reference shares of its heads, for the built-in model. */
export function createShow(post, referenceShares = {}) {
  const readings = createMemory();
  const otherReadings = createMemory(); // of the other text in the comparison
  const blockedReadings = createMemory();
  const computations = createMemory();
  let posted = ''; // key of the picture that the page has
  let shown = null; // { api, part, reading, computed, kind } of the current picture
  let drawn = null; // labels, tokens and `average` of the current picture

  return {
    /** `context`: argument of a source's read(); `files`: count of files opened and closed. */
    async show(id, state, context) {
      try {
        await answer(id, state, context);
      } catch (error) {
        // The page shows an error in place of the picture.
        if (!context.signal.aborted) [posted, shown] = ['', null];
        throw error;
      }
    },

    /** Posts the computation behind a weight of the current picture. */
    inspect(id, place) {
      if (!shown) return;
      const inspection = inspectionAt(place);
      post({ type: 'inspected', id, inspection }, buffersIn(inspection));
    },

    /** NextWords for, or after, the tokens from `token` to `last` of a row; `isOther`: of the other text. */
    nextWords(token, last, isOther = false) {
      const { part: ownPart, reading: ownReading, otherReading } = shown ?? {};
      const reading = isOther ? otherReading : ownReading;
      const part = reading?.parts.find(({ id }) => id === ownPart.id);
      const isWritten = part && labelsOf(part, reading).rows === reading.rows;
      return isWritten && last < reading.rows.length ? reading.nextWords?.(token, last) : {};
    },

    /** The block of the current layer at a token: an Inside (types.d.ts). */
    async inside(row) {
      const { insideOf } = await import('./compute/inside.js');
      return insideOf(shown, row);
    },

    /** Scores of the heads of the reader's model in one sequence. */
    headScores: (sequence) => shown.reading.headScores(sequence),

    /** What the blocks change in what the model writes: an Effect (types.d.ts), or null. */
    effect: async () => (await shown?.reading.effect?.()) ?? null,

    /** Measures what each head or word changes: sweep/sweep.js. */
    async sweep(question, context) {
      if (!shown?.asked) throw new Error('no text is shown');
      const { sweep } = await import('./sweep/sweep.js');
      await sweep(shown.asked, question, { ...context, api: shown.api });
    },

    /** Query, key, value, options and tokens of the current part. */
    tensors() {
      const { part, computed } = shown ?? {};
      if (!part) return undefined;
      return { ...pickTensors(part), options: computed.options, tokens: tokensOfPart(part, shown) };
    },
  };

  async function answer(id, state, { files, ...context }) {
    const { mode, heads, positions, begin } = state;
    const [first, second] = textsOf(state);
    const source = sources.find((one) => one.id === state.source) ?? sources[0];
    const block = source.canBlock && state.block;
    const request = { mode, first, second, heads, positions, begin, ...(block && { block }) };
    const { markBlocks } = block ? await import('./what_if.js') : {};
    const marked = (read) => {
      const reading = { ...read, canBlock: source.canBlock === true && !read.fixed };
      const whole = block ? markBlocks(reading, block) : reading;
      return source.canBlock ? withRollouts(whole) : whole;
    };
    const key = JSON.stringify([source.id, request, files]);
    const report = ({ reading, ...progress }) => {
      if (context.signal.aborted) return undefined;
      post({ type: 'progress', id, ...progress });
      const soFar = { reading: reading && marked(reading), key: `${id} ${progress.text}` };
      return reading && showReading(id, state, soFar, context);
    };
    const reading = await (block ? blockedReadings : readings).remember(key, async () =>
      marked(await source.read(request, { ...context, report })),
    );
    const readOther = () => {
      const [otherFirst, otherSecond] = textsOf({ ...state, text: state.otherText });
      const others = { first: otherFirst, second: otherSecond, begin: '', block: undefined };
      const otherRequest = { ...request, ...others }; // blocks name words of the first text
      const reportOnly = ({ reading: _partial, ...progress }) => {
        if (!context.signal.aborted) post({ type: 'progress', id, ...progress });
      };
      return otherReadings.remember(JSON.stringify([source.id, otherRequest, files]), async () => {
        const read = await source.read(otherRequest, { ...context, report: reportOnly });
        return source.canBlock ? withRollouts(read) : read;
      });
    };
    const asked = { source, request, reading };
    await showReading(id, state, { reading, key, readOther, asked }, context);
  }

  async function showReading(id, state, { reading, key, readOther, asked }, { api, step }) {
    const part = reading.parts.find((one) => one.id === state.part) ?? reading.parts[0];
    const labels = labelsOf(part, reading);
    if (labels.rows.length === 0 || labels.columns.length === 0) {
      postNothing(id, factsOf(part, reading, state, {}));
      return;
    }
    await rollOut(api, part, reading);
    const computedKey = JSON.stringify([key, part.id, pick(state, computing)]);
    const computed = await computations.remember(computedKey, () =>
      computeStages(api, part, reading, state),
    );
    await step();
    const comparesTexts = state.view === 'compare' && state.beside === 'text' && readOther;
    const otherReading = comparesTexts ? await withWords(readOther(), reading) : undefined;
    await step();
    shown = { api, part, reading, otherReading, computed, kind: state.kind, asked };
    const stages = await stagesFor(part, computed, state);
    await step();
    const showsHeads = state.view === 'heads';
    const beside = state.view === 'compare' ? state.beside : null;
    const row = within(state.row ?? 0, labels.rows);
    const reads = state.sort === 'read' ? row : null;
    const pictureKey = JSON.stringify([
      computedKey,
      pick(state, arranging),
      reads,
      showsHeads,
      beside,
      comparesTexts ? state.otherText : '',
      stages.moved !== undefined,
    ]);
    const message = { type: 'shown', id, isWhole: !reading.unfinished };
    if (posted !== pictureKey) {
      const whole = pictureOf(part, reading, stages, state);
      const picture = arrange(whole, { ...state, row });
      const facts = factsOf(part, reading, state, computed.options);
      if (picture.rows.length === 0 || picture.columns.length === 0) {
        postNothing(id, facts);
        return;
      }
      const { rows, columns, rowTokens, columnTokens, average } = picture;
      drawn = { rows, columns, rowTokens, columnTokens, average };
      const place = tokensOf(picture, placeIn(picture, state));
      message.inspection = inspectionAt({ ...place, head: state.head });
      const { rolesOf } = await import('./compute/head_roles.js');
      picture.roles = rolesOf(
        picture,
        picture.stages.weights,
        shiftOf(part, reading),
        picture.average ? undefined : generalOf(part, state),
      );
      if (showsHeads) picture.thumbnails = await thumbnails(api, state, step, rolesOf);
      if (beside) {
        const { besideOf } = await import('./compute/beside.js');
        const alternative = beside === 'text' ? ['text', state.otherText] : beside.split(':');
        picture.beside = await besideOf(api, shown, picture, alternative, state, { otherReading });
      }
      // Arrays are transferred to the page: the cached ones are copied.
      picture.stages = eachStage(picture.stages, (values) =>
        Object.values(stages).includes(values) ? values.slice() : values,
      );
      Object.assign(message, { picture, facts });
    }
    posted = pictureKey;
    post(message, buffersIn(message));
  }

  /** Stages of the part, with 'moved' if requested. */
  async function stagesFor(part, computed, { stage }) {
    if (stage !== 'moved' || !canMove(part)) return computed.stages;
    const { withMoved } = await import('./compute/moved.js');
    return withMoved(part, computed);
  }

  // Reference shares were measured with merged words and hidden special tokens.
  function generalOf(part, { source, merge, hideSpecial }) {
    return source === 'model' && merge && hideSpecial ? referenceShares[part.id] : undefined;
  }

  function postNothing(id, facts) {
    [posted, shown] = ['', null];
    const isWhole = !facts.unfinished;
    post({ type: 'shown', id, isWhole, picture: null, facts, inspection: null });
  }

  /** For a word of several pieces the strongest pair is inspected, unless one is requested. */
  function inspectionAt({ head: askedHead, row, column, isPiece = false }) {
    const { api, part, reading, computed, kind } = shown;
    const labels = labelsOf(part, reading);
    if (part.weights) return null; // given weights have no vectors
    const head = Math.min(Math.max(0, askedHead), part.heads - 1);
    const request = { head, row: within(row, labels.rows), column: within(column, labels.columns) };
    const stages = { ...computed.stages, moved: computed.moved };
    const pieces = piecesOf(stages, labels, drawn, request);
    const place = isPiece ? request : { ...pieces.pairs[0], head };
    return inspect(api, part, reading, computed, {
      ...{ head, row: place.row, column: place.column, kind, pieces },
      request: { ...request, isPiece },
    });
  }

  /** Thumbnails of every head of every part. */
  async function thumbnails(api, state, step, rolesOf) {
    const made = [];
    const { part: current, reading, computed } = shown;
    for (const part of reading.parts.filter(({ layers }) => !layers)) {
      const labels = labelsOf(part, reading);
      const whole = { ...labels, segments: reading.segments };
      const groups = groupTokens(whole, state);
      const [rows, columns] = groups.map(({ length }) => length);
      const all =
        part === current ? computed.stages.weights : computeWeights(api, part, reading, state);
      const weights = arrangeWeights(all, labels, groups);
      const arranged = arrange({ ...whole, stages: {} }, { ...state, sort: 'text' });
      const roles = rolesOf(arranged, weights, shiftOf(part, reading), generalOf(part, state));
      for (let head = 0; head < part.heads; ++head) {
        const own = weights.slice(head * rows * columns, (head + 1) * rows * columns);
        made.push({
          ...{ part: part.id, name: part.name, head },
          ...{ rows, columns, weights: own, role: roles[head] },
          ...(reading.canBlock && { off: part.off?.includes(head) ?? false }),
        });
      }
      await step();
    }
    return made;
  }
}

/** The other text's reading; without words, the text's own. */
async function withWords(other, own) {
  const reading = await other;
  return reading.rows.length > 0 && reading.columns.length > 0 ? reading : own;
}

const within = (token, labels) => Math.min(Math.max(0, token), labels.length - 1);
const labelsOf = (part, reading) => ({
  rows: part.rows ?? reading.rows,
  columns: part.columns ?? reading.columns,
});
// Offset of a token from its row to its column: a decoder's input starts with a start token. null for two texts.
const shiftOf = (part, reading) => (isOneSequence(part, reading) ? 0 : part.ordered ? 1 : null);
const pickTensors = ({ query, key, value, bias: mask }) => ({ query, key, value, mask });

/** All tokens of a part, before hiding and merging, and what it takes to show it again. */
function tokensOfPart(part, { reading, computed }) {
  const { rows, columns } = labelsOf(part, reading);
  const { x, causal, scale, bias } = part;
  // A bias cannot be reopened from a file: the weights are saved instead.
  const weights = bias ? { data: computed.stages.weights, dims: bias.dims } : part.weights;
  const ordered = part.ordered ?? rows === columns;
  return { rows, columns: columns === rows ? null : columns, x, weights, ordered, causal, scale };
}

/** @returns {import('../types').Facts} */
function factsOf(part, reading, state, options) {
  const { rows, columns } = labelsOf(part, reading);
  const requestedTexts = textsOf(state);
  const texts = part.texts ?? reading.texts ?? requestedTexts;
  return {
    part: part.id,
    parts: reading.parts.map(({ id, name, heads }) => ({ id, name, heads })),
    causal: part.causal,
    keyDim: part.query?.dims.at(-1),
    dim: part.x?.rows.dims[1],
    counts: [rows.length, columns.length],
    texts: [texts[0], texts[1] ?? texts[0]],
    requestedTexts,
    options,
    made: part.made,
    note: part.note ?? reading.note ?? '',
    fixed: part.fixed ?? reading.fixed,
    overruled: part.overruled ?? reading.overruled,
    cut: reading.cut ?? false,
    translation: reading.translation,
    unfinished: reading.unfinished ?? false,
    from: reading.from,
    why: reading.why,
    grid: reading.grid,
    hasNext: reading.nextWords !== undefined,
    isPair: reading.segments !== undefined,
    canMove: canMove(part),
    hasScores: reading.headScores !== undefined,
    hasInside: reading.inside !== undefined && !part.layers,
    hasBias: (Object.hasOwn(part, 'ownBias') ? part.ownBias : part.bias) !== undefined,
    blocks: reading.blocks,
    isMasked: part.blocked !== undefined,
  };
}

/** Array buffers in a message, to be transferred instead of copied. */
function buffersIn(value, found = new Set()) {
  if (ArrayBuffer.isView(value)) found.add(value.buffer);
  else if (value !== null && typeof value === 'object') {
    for (const one of Object.values(value)) buffersIn(one, found);
  }
  return [...found];
}
