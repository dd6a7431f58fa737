// Position biases: of T5 a learned number for each head and bucket of distances, shared by all layers; of ALiBi a slope
// for each head; of DeBERTa the dot products of queries and keys with vectors of positions.

// float32 as in training: float64 could put a distance at the edge of two buckets into the other.
const { fround } = Math;
const logOf = (x) => fround(Math.log(fround(x)));

/** Table row for a key `distance` tokens after the query; negative before it. */
function bucketOf(distance, buckets, { maxDistance, bidirectional }) {
  const half = bidirectional ? buckets / 2 : buckets;
  const before = bidirectional && distance > 0 ? half : 0;
  const steps = bidirectional ? Math.abs(distance) : Math.max(-distance, 0);
  const exact = Math.floor(half / 2);
  if (steps < exact) return before + steps;
  const part = fround(logOf(steps / exact) / logOf(maxDistance / exact));
  return before + Math.min(exact + Math.trunc(fround(part * (half - exact))), half - 1);
}

/** @import { Captured, LayerDescription } from 'attention-wasm/models' */
/** @import { PositionBias, VectorPart } from '../../types' */
/** @typedef {Required<Pick<VectorPart, 'bias' | 'biasAt'>>} Biased */

/**
 * The bias, and for each number its position in the table.
 * @param {NonNullable<LayerDescription['relativePositions']>} relative
 * @param {[rows: number, columns: number]} size
 * @returns {Biased}
 */
export function biasOf({ table: { name, data: table, dims }, ...positions }, [rows, columns]) {
  const [buckets, heads] = dims;
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

/**
 * ALiBi: -slope × distance.
 * @param {readonly number[]} slopes
 * @param {[rows: number, columns: number]} size
 * @returns {Biased}
 */
export function biasOfSlopes(slopes, [rows, columns]) {
  /** @type {(head: number, row: number, column: number) => PositionBias & { slope: number }} */
  const biasAt = (head, row, column) => {
    const [slope, distance] = [slopes[head], column - row];
    return { slope, distance, number: -slope * Math.abs(distance) };
  };
  const data = Float32Array.from({ length: slopes.length * rows * columns }, (_, at) => {
    const [row, column] = [Math.floor(at / columns) % rows, at % columns];
    return biasAt(Math.floor(at / (rows * columns)), row, column).number;
  });
  return { bias: { data, dims: [slopes.length, rows, columns] }, biasAt };
}

/**
 * Disentangled attention: the sum of the captured terms of a layer.
 * @param {Captured[]} captured
 * @param {number} layer
 * @returns {Biased}
 */
export function biasOfTerms(captured, layer) {
  const terms = captured.filter((one) => one.layer === layer);
  const [first, ...others] = terms;
  const { data, dims } = first.tensor;
  const sums = data.map((x, at) => others.reduce((sum, { tensor }) => sum + tensor.data[at], x));
  return {
    bias: { data: sums, dims },
    biasAt(head, row, column) {
      const at = (head * dims[1] + row) * dims[2] + column;
      const list = terms.map(({ at: name, tensor }) => ({ name, number: tensor.data[at] }));
      return { terms: list, distance: column - row, number: sums[at] };
    },
  };
}
