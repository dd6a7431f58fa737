// Picture of a part before arranging. All its numbers are results of the library.

import { isOneSequence } from './call_options.js';

/** @import { DrawnReading, Part, Stage, Stages, VectorPart } from '../../types' */
/** @import { WholePicture } from '../types' */

/**
 * The picture with heads averaged if requested, of single tokens in the order of the text.
 * @param {Part} part
 * @param {DrawnReading} reading
 * @param {Stages} stages
 * @param {{ average?: boolean, kind?: string }} settings
 * @returns {WholePicture}
 */
export function pictureOf(
  part,
  reading,
  stages,
  { average: isAveraged = false, kind = 'softmax' },
) {
  const rows = part.rows ?? reading.rows;
  const columns = part.columns ?? reading.columns;
  const average = isAveraged && part.heads > 1;
  const { blocked, off } = blocksOf(part);
  const drawn = average ? eachStage(stages, (values) => meanOf(values, part.heads)) : stages;
  return {
    part: part.id,
    name: part.name,
    rows,
    columns,
    heads: average ? 1 : part.heads,
    average,
    oneSequence: isOneSequence(part, reading),
    segments: isOneSequence(part, reading) ? segmentsOf(reading) : undefined,
    stages: drawn,
    hidden: stages.masked ? hiddenIn(stages.masked, rows.length * columns.length, blocked) : null,
    // Other kinds draw what the model does not compute.
    ...(blocked &&
      kind === 'softmax' && {
        blocked: average ? inEveryHead(blocked, part.heads) : blocked.slice(),
      }),
    ...(off && off.length > 0 && { off }),
    thumbnails: [],
  };
}

/**
 * Whether the stage 'moved' is defined: W_O is known, or a run returns v W_O.
 * @param {Part} part
 * @returns {part is VectorPart}
 */
export const canMove = (part) =>
  part.kind === 'vectors' && Boolean(part.projection ?? part.transformed);

/**
 * The text of each token, for a pair of texts in one sequence.
 * @param {DrawnReading} reading
 */
export const segmentsOf = (reading) => (reading.kind === 'model' ? reading.segments : undefined);

/**
 * Pairs that are blocked, and heads that are switched off.
 * @param {Part} part
 * @returns {Pick<VectorPart, 'blocked' | 'off'>}
 */
export const blocksOf = (part) => (part.kind === 'vectors' ? part : {});

/**
 * Maps every stage; stages that are the same array are mapped once.
 * @template {{ [name in Stage]?: Float32Array }} S
 * @param {S} stages
 * @param {(values: Float32Array, stage: Stage) => Float32Array} change
 */
export function eachStage(stages, change) {
  const made = new Map();
  const entries = /** @type {[Stage, Float32Array][]} */ (Object.entries(stages));
  const changed = entries.map(([stage, values]) => {
    if (!made.has(values)) made.set(values, change(values, stage));
    return [stage, made.get(values)];
  });
  return /** @type {S} */ (Object.fromEntries(changed));
}

/**
 * The mask is the same in all heads, except for pairs that the reader has blocked.
 * @param {Float32Array} masked
 * @param {number} size
 * @param {Uint8Array} [blocked]
 */
function hiddenIn(masked, size, blocked) {
  /** @type {Uint8Array | null} */
  let hidden = null;
  for (let at = 0; at < size; ++at) {
    if (masked[at] === -Infinity && !blocked?.[at]) (hidden ??= new Uint8Array(size))[at] = 1;
  }
  return hidden;
}

/**
 * Pairs that are blocked in every head.
 * @param {Uint8Array} blocked
 * @param {number} heads
 */
const inEveryHead = (blocked, heads) => {
  const size = blocked.length / heads;
  return Uint8Array.from({ length: size }, (_, at) => {
    let every = 1;
    for (let head = 0; head < heads; ++head) every &= blocked[head * size + at];
    return every;
  });
};

/**
 * The mean of all heads.
 * @param {Float32Array} values
 * @param {number} heads
 */
export function meanOf(values, heads) {
  const size = values.length / heads;
  return Float32Array.from({ length: size }, (_, at) => {
    let sum = 0;
    for (let head = 0; head < heads; ++head) sum += values[head * size + at];
    return sum / heads;
  });
}
