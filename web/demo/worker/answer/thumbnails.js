// Thumbnails of every head of every part, for the view of heads.

import { arrange, arrangeWeights, groupTokens } from '../compute/arrange.js';
import { blocksOf, segmentsOf } from '../compute/picture.js';
import { computeWeights } from '../compute/stages.js';
import { computedWith } from './compute.js';
import { labelsOf, shiftOf } from './labels.js';

/** @import { DrawnReading, Part, ReferenceShares, Thumbnail } from '../../types' */
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
 * Heads of a reading's parts, by part, as long as their settings are the same: another layer that is looked at computes
 * none of them again.
 * @type {WeakMap<DrawnReading, { key: string, parts: Map<string, Thumbnail[]> }>}
 */
const made = new WeakMap();

/** @type {(keyof State)[]} */
const settings = [...computedWith, 'hideSpecial', 'merge', 'pair', 'source', 'fused'];

/**
 * @param {Computation} computation
 * @param {ReferenceShares} referenceShares
 * @returns {Promise<Thumbnail[]>}
 */
export async function thumbnailsOf(computation, referenceShares) {
  const { request, part: current, reading, computed } = computation;
  const { api, state, step } = request;
  const key = JSON.stringify(settings.map((name) => state[name]));
  const known = made.get(reading);
  const parts = known?.key === key ? known.parts : new Map();
  made.set(reading, { key, parts });
  const drawn = reading.parts.filter(({ kind }) => kind !== 'rollout');
  for (const part of drawn) {
    if (parts.has(part.id)) continue;
    const weights =
      part === current ? computed.stages.weights : computeWeights(api, part, reading, state);
    parts.set(part.id, await headsOf(part, reading, weights, { state, referenceShares }));
    await step();
  }
  // Arrays are transferred to the page.
  return drawn
    .flatMap(({ id }) => /** @type {Thumbnail[]} */ (parts.get(id)))
    .map((one) => ({ ...one, weights: one.weights.slice() }));
}

/** @type {(arranged: { rows: { text: string }[], columns: { text: string }[] }) => NonNullable<Thumbnail['words']>} */
const wordsOf = ({ rows, columns }) => ({
  rows: rows.map(({ text }) => text),
  columns: columns.map(({ text }) => text),
});

/**
 * Heads of one part.
 * @param {Part} part
 * @param {DrawnReading} reading
 * @param {Float32Array} weights of all tokens
 * @param {{ state: State, referenceShares: ReferenceShares }} request
 * @returns {Promise<Thumbnail[]>}
 */
async function headsOf(part, reading, weights, { state, referenceShares }) {
  const { placesIn, rolesOf } = await import('../compute/head_roles.js');
  const { patternScores } = await import('../compute/head_patterns.js');
  const { pooled } = await import('../compute/pooled.js');
  const labels = labelsOf(part, reading);
  const whole = { ...labels, segments: segmentsOf(reading) };
  const groups = groupTokens(whole, state);
  const unarranged = { ...whole, heads: part.heads, stages: {}, hidden: null };
  const arranged = arrange(unarranged, { ...state, sort: 'text' });
  const merged = arrangeWeights(weights, labels, groups);
  const shift = shiftOf(part, reading);
  const roles = rolesOf(arranged, merged, shift, generalOf(part, state, referenceShares));
  const places = shift === null ? null : placesIn(arranged, shift);
  const isText = shift !== null || reading.kind === 'model';
  const scores = patternScores(arranged, merged, places, isText);
  const words = wordsOf(arranged);
  const [rows, columns] = groups.map(({ length }) => length);
  const size = rows * columns;
  const { off = [] } = blocksOf(part);
  return Array.from({ length: part.heads }, (_, head) => {
    const role = roles[head];
    return {
      ...{ part: part.id, name: part.name, head, rows, columns, words, role },
      ...pooled(merged.slice(head * size, (head + 1) * size), rows, columns),
      spread: role && role.spread,
      scores: role && { ...scores[head], spread: role.entropy },
      ...(reading.kind === 'model' && { off: off.includes(head) }),
    };
  });
}
