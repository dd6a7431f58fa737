// A picture: what the views draw of one part. Every number in it is the library's.

import { isOneSequence } from './call_options.js';

/** @returns {import('../../types').Picture} heads averaged if the reader wants that; not arranged yet */
export function pictureOf(part, reading, stages, { average: wanted }) {
  const rows = part.rows ?? reading.rows;
  const columns = part.columns ?? reading.columns;
  const average = wanted && part.heads > 1;
  const drawn = average ? eachStage(stages, (values) => meanOf(values, part.heads)) : stages;
  return {
    part: part.id,
    name: part.name,
    rows,
    columns,
    heads: average ? 1 : part.heads,
    average,
    oneSequence: isOneSequence(part, reading),
    stages: drawn,
    hidden: stages.masked ? hiddenIn(stages.masked, rows.length * columns.length) : null,
    thumbnails: [],
  };
}

/** The same for every stage; for those that are one array, once. */
export function eachStage(stages, change) {
  const made = new Map();
  return Object.fromEntries(
    Object.entries(stages).map(([stage, values]) => {
      if (!made.has(values)) made.set(values, change(values, stage));
      return [stage, made.get(values)];
    }),
  );
}

// What one head may not see, none may.
function hiddenIn(masked, size) {
  let hidden = null;
  for (let at = 0; at < size; ++at) {
    if (masked[at] === -Infinity) (hidden ??= new Uint8Array(size))[at] = 1;
  }
  return hidden;
}

function meanOf(values, heads) {
  const size = values.length / heads;
  return Float32Array.from({ length: size }, (_, at) => {
    let sum = 0;
    for (let head = 0; head < heads; ++head) sum += values[head * size + at];
    return sum / heads;
  });
}
