// Facts of a picture: what the page writes and offers around it.

import { textsOf } from '../../texts.js';
import { canMove } from '../compute/picture.js';
import { labelsOf } from './labels.js';

/** @import { Facts, Part, Reading } from '../../types' */
/** @import { PictureRequest } from '../types' */

/**
 * @param {Part} part
 * @param {Reading} reading
 * @param {PictureRequest} request
 * @param {Facts['options']} options
 * @returns {Facts}
 */
export function factsOf(part, reading, { state, api }, options) {
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
    fused: state.fused ? api.kernels === 'fused' : undefined,
    note: part.note ?? reading.note ?? '',
    fixed: part.fixed ?? reading.fixed,
    overruled: part.overruled ?? reading.overruled,
    cut: reading.cut ?? '',
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
