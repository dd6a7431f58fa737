// Attention as JSON (complete) or CSV (weights only). Numbers are the shortest decimals that round to the same float32.

import { sizeOf } from '../arguments/dims.js';
import { printable } from './terminal_text.js';

/** attention: { tokens, context, options, weights, scores }; weights and scores are Tensors. */
export function* jsonLines({ tokens, context, options, weights, scores }) {
  yield '{';
  yield `  "tokens": ${json(tokens)},`;
  yield `  "context": ${json(context)},`;
  yield `  "options": ${json(options)},`;
  yield `  "dims": ${json(weights.dims)},`;
  yield '  "weights": [';
  yield* nestedRows(weights, 0, 0, '    ');
  yield '  ],';
  yield '  "scores": [';
  yield* nestedRows(scores, 0, 0, '    ');
  yield '  ]';
  yield '}';
}

// One line per row of the last axis. A score of −∞ (a masked word) becomes null.
function* nestedRows({ data, dims }, axis, start, indent) {
  const stride = sizeOf(dims.slice(axis + 1));
  for (let i = 0; i < dims[axis]; ++i) {
    const from = start + i * stride;
    const comma = i + 1 < dims[axis] ? ',' : '';
    if (axis + 2 === dims.length) {
      const row = Array.from(data.subarray(from, from + stride), numberOrNull);
      yield `${indent}[${row.join(', ')}]${comma}`;
    } else {
      yield `${indent}[`;
      yield* nestedRows({ data, dims }, axis + 1, from, `${indent}  `);
      yield `${indent}]${comma}`;
    }
  }
}

/**
 * The JSON of a value as many strings, because it may exceed the maximum string length. A Tensor becomes nested arrays.
 *
 * @returns {Generator<string, void>}
 */
export function* jsonChunks(value) {
  if (ArrayBuffer.isView(value?.data)) {
    yield* nestedChunks(value, 0, 0);
  } else if (Array.isArray(value)) {
    yield* inBrackets('[]', value, jsonChunks);
  } else if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    yield* inBrackets('{}', fields, function* ([name, field]) {
      yield `${json(name)}:`;
      yield* jsonChunks(field);
    });
  } else {
    yield json(value);
  }
}

/** @returns {Generator<string, void>} */
function* nestedChunks({ data, dims }, axis, start) {
  const stride = sizeOf(dims.slice(axis + 1));
  if (axis + 1 === dims.length) {
    yield `[${Array.from(data.subarray(start, start + stride * dims[axis]), numberOrNull).join(',')}]`;
  } else {
    yield* inBrackets('[]', Array(dims[axis]).keys(), (i) =>
      nestedChunks({ data, dims }, axis + 1, start + i * stride),
    );
  }
}

/**
 * @template Item
 * @param {string} brackets
 * @param {Iterable<Item>} items
 * @param {(item: Item) => Iterable<string>} chunksOf
 * @returns {Generator<string, void>}
 */
function* inBrackets(brackets, items, chunksOf) {
  yield brackets[0];
  let isFirst = true;
  for (const item of items) {
    if (!isFirst) yield ',';
    isFirst = false;
    yield* chunksOf(item);
  }
  yield brackets[1];
}

/** JSON without characters that a terminal would interpret. */
export function json(value) {
  // JSON.stringify does not escape DEL, C1 controls and bidirectional marks.
  return JSON.stringify(value).replace(
    /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const numberOrNull = (x) => (Number.isFinite(x) ? shortest(x) : 'null');

/**
 * CSV of a view (see matrix_table.js): a header of columns, and a record per row. CSV cannot escape control characters, so
 * they are replaced as in the table.
 *
 * @param {import('./matrix_table.js').View} view
 */
export function* csvLines({ unit, rows, columns, matrices }) {
  const keys = Object.keys(matrices[0].keys ?? {});
  yield csvRecord([...keys, unit, ...columns.map(printable)]);
  for (const matrix of matrices) {
    const numbers = keys.map((key) => String(matrix.keys?.[key]));
    for (const [i, row] of rows.entries()) {
      const weights = matrix.data.subarray(i * columns.length, (i + 1) * columns.length);
      yield csvRecord([...numbers, printable(row), ...Array.from(weights, shortest)]);
    }
  }
}

function shortest(x) {
  for (let digits = 6; digits < 9; ++digits) {
    const decimal = Number(x.toPrecision(digits));
    if (Math.fround(decimal) === x) return String(decimal);
  }
  return String(Number(x.toPrecision(9)));
}

/** One CSV record as in RFC 4180, without the line break. */
const csvRecord = (fields) =>
  fields
    .map((field) => (/[",\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field))
    .join(',');
