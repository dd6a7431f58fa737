// What T5 adds to each score: a number for each head and each bucket of distances, learnt in the first layer and used in
// all. The tables are read from the model's files; each number knows where it stands there.

import { openSafetensors } from 'attention-wasm/safetensors';
import { floatsOf } from '../../../../lib/models/kept_numbers.js';

/** Gives each stack of a description that has such a table its numbers, `distances`: { name, data, dims }. */
export async function readDistances(description, folder) {
  for (const side of ['self', 'encoder', 'decoder']) {
    const name = description[side]?.shared?.['self.relativeBias'];
    if (name) description[side].distances = await tensorIn(await folder.found(), `${name}.weight`);
  }
}

async function tensorIn(files, ending) {
  for (const [path, source] of files) {
    if (!path.endsWith('.safetensors')) continue;
    const file = await openSafetensors(source);
    const name = file.names.find((one) => one === ending || one.endsWith(`.${ending}`));
    if (!name) continue;
    const tensor = await file.read(name);
    return { name, data: floatsOf(tensor), dims: tensor.dims };
  }
  throw new Error(`its files have no ${ending}`);
}

// In single precision, as it was trained: elsewhere a distance at the edge of two buckets might fall into the other.
const { fround } = Math;
const logOf = (x) => fround(Math.log(fround(x)));

/** The row of the table for a key that stands `distance` tokens behind the query, negative before it. */
function bucketOf(distance, buckets, { maxDistance, bidirectional }) {
  const half = bidirectional ? buckets / 2 : buckets;
  const before = bidirectional && distance > 0 ? half : 0;
  const steps = bidirectional ? Math.abs(distance) : Math.max(-distance, 0);
  const exact = Math.floor(half / 2);
  if (steps < exact) return before + steps;
  const part = fround(logOf(steps / exact) / logOf(maxDistance / exact));
  return before + Math.min(exact + Math.trunc(fround(part * (half - exact))), half - 1);
}

/** { bias: heads × rows × columns, biasAt(head, row, column): the number, and where it stands } of a part. */
export function biasOf({ name, data: table, dims: [buckets, heads] }, positions, [rows, columns]) {
  const bucketAt = (row, column) => bucketOf(column - row, buckets, positions);
  const data = new Float32Array(heads * rows * columns);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const bucket = bucketAt(row, column);
      for (let head = 0; head < heads; head++) {
        data[(head * rows + row) * columns + column] = table[bucket * heads + head];
      }
    }
  }
  return {
    bias: { data, dims: [heads, rows, columns] },
    biasAt(head, row, column) {
      const bucket = bucketAt(row, column);
      return { name, bucket, distance: column - row, number: table[bucket * heads + head] };
    },
  };
}
