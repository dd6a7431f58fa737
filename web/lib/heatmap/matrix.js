// The weights as one matrix: rows × columns values, which of them are masked, and the position of each on the color
// scale, relative to all values or to its row.

import { describe } from '../arguments/describe.js';
import { sizeOf } from '../arguments/dims.js';
import { shortened, visible } from './labels.js';
import { clamp } from './layout.js';
import { anyList } from './options.js';
import { applyExponent } from './ramp.js';

const textOf = (label) => visible(shortened(label));

/** Whether a cell is masked: 1, or 2 with a hatching. */
export const isUnseen = (unseen, at) => unseen !== null && (unseen[at] === 1 || unseen[at] === 2);

/** The matrix of the options of heatmap(); not modified later. */
export function createMatrix(options) {
  const { values, rows, columns } = readWeights(options);
  const { exponent, domain, threshold } = options;
  const unseen = options.unseen ? Uint8Array.from(options.unseen) : null;
  if (unseen) {
    requireCount('unseen', unseen, rows * columns, `${rows} × ${columns} numbers as weights has`);
  }
  const { low, high, hasUnseen, ranges } = scan(values, unseen, rows, columns);
  const signed = options.signed ?? low < 0;
  const all = Array.isArray(domain) ? { low: domain[0], high: domain[1] } : endsOf({ low, high });
  const ofRow = domain === 'row' ? ranges.map(endsOf) : null;

  const rowLabels = labelsFor('rowLabels', options.rowLabels, rows);
  const columnLabels = labelsFor('columnLabels', options.columnLabels, columns);

  // Scales include 0: otherwise the smallest weight would look like 0.
  function endsOf(range) {
    if (signed) {
      const top = Math.max(-range.low, range.high) || 1;
      return { low: -top, high: top };
    }
    const from = Math.min(0, range.low);
    return { low: from, high: range.high > from ? range.high : from + 1 };
  }

  const scaled = (fraction) => applyExponent(fraction, { exponent, signed });

  return {
    rows,
    columns,
    values,
    unseen,
    hasUnseen,
    hasHatched: unseen?.includes(2),
    rowLabels,
    columnLabels,
    /** The labels for display. */
    rowTexts: rowLabels.map(textOf),
    columnTexts: columnLabels.map(textOf),
    signed,
    exponent,
    threshold,
    perRow: ofRow !== null,
    ...all,
    /** Smallest and largest value of a row's color scale. */
    endsOf: (row) => ofRow?.[row] ?? all,
    /** The value and labels of a cell; unseen: masked; hatched: masked, with a hatching. */
    describeCell({ row, column }) {
      const at = row * columns + column;
      const value = values[at];
      return {
        row,
        column,
        value,
        unseen: value === -Infinity || isUnseen(unseen, at),
        hatched: unseen?.[at] === 2,
        rowLabel: rowLabels[row],
        columnLabel: columnLabels[column],
      };
    },
    /** True if a value is below the threshold. */
    isSlight: (value) => Math.abs(value) < threshold,
    /** 0 to 1: where the value's color is on the scale; NaN stays NaN. */
    fractionOf(value, row) {
      const ends = ofRow?.[row] ?? all;
      const drawn = Math.abs(value) < threshold ? 0 : value;
      return scaled(clamp((drawn - ends.low) / (ends.high - ends.low), 0, 1));
    },
  };
}

// Minimum and maximum of all values and of each row, in one pass: there may be 250,000.
function scan(values, unseen, rows, columns) {
  const ranges = [];
  let hasUnseen = false;
  for (let row = 0; row < rows; row++) {
    let [low, high] = [Infinity, -Infinity];
    for (let at = row * columns; at < (row + 1) * columns; at++) {
      const value = values[at];
      if (value === -Infinity || isUnseen(unseen, at)) hasUnseen = true;
      else if (value < low || value > high) {
        if (value < low) low = value;
        if (value > high && value !== Infinity) high = value;
      }
    }
    if (low === Infinity) low = high = 0;
    ranges.push({ low, high: Math.max(low, high) });
  }
  if (rows === 0) return { low: 0, high: 0, hasUnseen, ranges };
  const low = ranges.reduce((min, range) => Math.min(min, range.low), Infinity);
  const high = ranges.reduce((max, range) => Math.max(max, range.high), -Infinity);
  return { low, high, hasUnseen, ranges };
}

function readWeights({ weights, head, rowLabels, columnLabels }) {
  if (weights.dims) return readTensor(weights, head);
  if (head !== undefined) throw new TypeError('head is for weights with dims: { data, dims }');
  if (Array.isArray(weights) && typeof weights[0] === 'object') {
    const columns = anyList(weights[0], 'weights[0]').length;
    weights.forEach((row, index) =>
      requireCount(`weights[${index}]`, row, columns, `${columns} numbers as weights[0] has`),
    );
    const values = numbers(weights.flatMap((row) => [...row]));
    return { values, rows: weights.length, columns };
  }
  if (weights.length > 0 && !(rowLabels && columnLabels)) {
    throw new TypeError(
      'weights without dims need rowLabels and columnLabels, which say how many there are',
    );
  }
  const [rows, columns] = [rowLabels, columnLabels].map((labels) => labels?.length ?? 0);
  if (weights.length > 0) {
    const expected = `${rows} × ${columns} numbers, one for every row and column label`;
    requireCount('weights', weights, rows * columns, expected);
  }
  return { values: numbers(weights), rows, columns };
}

/** expected: the requirement, for the error message. */
function requireCount(name, list, count, expected) {
  if (list?.length === count) return;
  throw new RangeError(`${name} must have ${expected}, found ${list?.length ?? describe(list)}`);
}

function readTensor({ data, dims }, head) {
  const isCount = (dim) => Number.isInteger(dim) && dim >= 0;
  if (!Array.isArray(dims) || dims.length < 2 || !dims.every(isCount)) {
    throw new RangeError('weights.dims must be [rows, columns], or have those two last');
  }
  const [rows, columns] = dims.slice(-2);
  const size = rows * columns;
  const heads = sizeOf(dims.slice(0, -2));
  const problem = `weights has dims ${dims.join('×')}`;
  const count = heads * size;
  if (data?.length !== count) {
    throw new RangeError(
      `${problem} and must have ${count} numbers, found ${data?.length ?? describe(data)}`,
    );
  }
  if (head === undefined && heads > 1) {
    throw new RangeError(
      `${problem}: head must be set to the one of the ${heads} heads to draw, from 0`,
    );
  }
  if (head !== undefined && !(isCount(head) && head < heads)) {
    throw new RangeError(`head must be an integer from 0 to ${heads - 1}, found ${head}`);
  }
  const from = (head ?? 0) * size;
  /** @type {(first: number, last: number) => ArrayLike<number>} */
  const subarray = ArrayBuffer.isView(data) ? Reflect.get(data, 'subarray') : Array.prototype.slice;
  return { values: numbers(subarray.call(data, from, from + size)), rows, columns };
}

// Always a Float64Array: engines compile loops over it once.
function numbers(list) {
  if (!ArrayBuffer.isView(list)) {
    const wrong = list.findIndex((value) => typeof value !== 'number');
    if (wrong >= 0) throw new TypeError(`weights must be numbers, found ${describe(list[wrong])}`);
  }
  return new Float64Array(list);
}

function labelsFor(name, labels, count) {
  if (!labels) return Array.from({ length: count }, (_, index) => String(index + 1));
  requireCount(name, labels, count, `${count} labels as weights has`);
  return labels;
}
