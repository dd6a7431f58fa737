// Thumbnails of every head of every part, for the view of heads.

import { arrange, arrangeWeights, groupTokens } from '../compute/arrange.js';
import { blocksOf, segmentsOf } from '../compute/picture.js';
import { computeWeights } from '../compute/stages.js';
import { labelsOf, shiftOf } from './labels.js';

/** @import { DrawnReading, HeadRole, Part, ReferenceShares, Thumbnail } from '../../types' */
/** @import { State } from '../../state/types' */
/** @import { Computation } from '../types' */

/**
 * Reference shares of a part, which were measured with merged words and hidden special tokens.
 * @param {Part} part
 * @param {State} state
 * @param {ReferenceShares} referenceShares
 */
export function generalOf(part, { source, merge, hideSpecial }, referenceShares) {
  return source === 'model' && merge && hideSpecial ? referenceShares[part.id] : undefined;
}

/**
 * @param {Computation} computation
 * @param {ReferenceShares} referenceShares
 * @returns {Promise<Thumbnail[]>}
 */
export async function thumbnailsOf(computation, referenceShares) {
  const { request, part: current, reading, computed } = computation;
  const { api, state, step } = request;
  const { rolesOf } = await import('../compute/head_roles.js');
  /** @type {Thumbnail[]} */
  const all = [];
  for (const part of reading.parts.filter(({ kind }) => kind !== 'rollout')) {
    const isCurrent = part === current;
    const weights = isCurrent ? computed.stages.weights : computeWeights(api, part, reading, state);
    const labels = labelsOf(part, reading);
    const whole = { ...labels, segments: segmentsOf(reading) };
    const groups = groupTokens(whole, state);
    const unarranged = { ...whole, heads: part.heads, stages: {}, hidden: null };
    const arranged = arrange(unarranged, { ...state, sort: 'text' });
    const merged = arrangeWeights(weights, labels, groups);
    const general = generalOf(part, state, referenceShares);
    const roles = rolesOf(arranged, merged, shiftOf(part, reading), general);
    const words = wordsOf(arranged);
    all.push(...thumbnailsIn(part, reading, { weights: merged, groups, roles, words }));
    await step();
  }
  return all;
}

/** @type {(arranged: { rows: { text: string }[], columns: { text: string }[] }) => NonNullable<Thumbnail['words']>} */
const wordsOf = ({ rows, columns }) => ({
  rows: rows.map(({ text }) => text),
  columns: columns.map(({ text }) => text),
});

/**
 * @param {Part} part
 * @param {DrawnReading} reading
 * @param {{ weights: Float32Array, groups: [number[][], number[][]], roles: (HeadRole | null)[], words: Thumbnail['words'] }} arranged
 * @returns {Thumbnail[]}
 */
function thumbnailsIn(part, { kind }, { weights, groups, roles, words }) {
  const [rows, columns] = groups.map(({ length }) => length);
  const size = rows * columns;
  const { off = [] } = blocksOf(part);
  return Array.from({ length: part.heads }, (_, head) => ({
    ...{ part: part.id, name: part.name, head, rows, columns, words },
    ...{ weights: weights.slice(head * size, (head + 1) * size), role: roles[head] },
    ...(kind === 'model' && { off: off.includes(head) }),
  }));
}
