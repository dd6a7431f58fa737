// Facts of a picture: what the page writes and offers around it.

import { textsOf } from '../../texts.js';
import { canMove } from '../compute/picture.js';
import { labelsOf } from './labels.js';

/** @import { DrawnReading, Facts, ModelReading, NoReading, Part, PlainReading, RolledOut, VectorPart } from '../../types' */
/** @import { PictureRequest } from '../types' */

/**
 * @param {Part} part
 * @param {DrawnReading} reading
 * @param {PictureRequest} request
 * @param {Facts['options']} options
 * @returns {Facts}
 */
export function factsOf(part, reading, request, options) {
  const { rows, columns } = labelsOf(part, reading);
  const common = commonFacts(request);
  const texts = part.texts ?? reading.texts ?? common.requestedTexts;
  return {
    ...common,
    part: part.id,
    parts: reading.parts.map(({ id, name, heads }) => ({ id, name, heads })),
    causal: part.causal,
    counts: [rows.length, columns.length],
    texts: [texts[0], texts[1] ?? texts[0]],
    options,
    note: part.note ?? reading.note ?? '',
    cut: reading.cut ?? '',
    ...(reading.read && { read: reading.read }),
    ...(reading.kind === 'model' ? runFacts(reading, part) : givenFacts(reading)),
    ...(part.kind === 'vectors' && vectorFacts(part)),
    ...(part.kind === 'rollout' && part.rolledOut && rolledOutFacts(part.rolledOut)),
  };
}

/**
 * Facts where nothing is drawn.
 * @param {NoReading} reading
 * @param {PictureRequest} request
 * @returns {Facts}
 */
export function emptyFacts(reading, request) {
  const common = commonFacts(request);
  const [first, second = first] = common.requestedTexts;
  return {
    ...common,
    part: 'none',
    parts: [{ id: 'none', name: '', heads: 1 }],
    causal: false,
    counts: [0, 0],
    texts: [first, second],
    options: {},
    note: '',
    cut: '',
    why: reading.why,
    blocks: reading.blocks,
  };
}

/**
 * @param {PictureRequest} request
 */
const commonFacts = ({ state, api }) => ({
  requestedTexts: textsOf(state),
  fused: state.fused ? api.kernels === 'fused' : undefined,
  ...{ unfinished: false, hasNext: false, isPair: false, canMove: false },
  ...{ hasScores: false, hasInside: false, hasBias: false, isMasked: false, examples: 1 },
});

/**
 * @param {ModelReading} reading
 * @param {Part} part
 */
const runFacts = (reading, part) => ({
  translation: reading.translation,
  unfinished: reading.unfinished ?? false,
  from: reading.from,
  grid: reading.grid,
  hasNext: reading.nextWords !== undefined,
  isPair: reading.segments !== undefined,
  hasScores: reading.headScores !== undefined,
  hasInside: reading.inside !== undefined && part.kind !== 'rollout',
  blocks: reading.blocks,
});

/** @param {PlainReading} reading */
const givenFacts = ({ fixed, overruled, examples = 1 }) => ({ fixed, overruled, examples });

/** @param {VectorPart} part */
const vectorFacts = (part) => ({
  keyDim: part.query.dims[2],
  dim: part.x?.rows.dims[1],
  canMove: canMove(part),
  hasBias: (Object.hasOwn(part, 'ownBias') ? part.ownBias : part.bias) !== undefined,
  isMasked: part.blocked !== undefined,
});

/** @param {RolledOut} rollout */
const rolledOutFacts = ({ made, note, fixed, overruled }) => ({ made, note, fixed, overruled });
