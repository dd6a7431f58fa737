// The same attention for programs: JSON with everything in it, CSV of the weights. Numbers are the
// shortest decimals that read back as the same float32.

import { csvRecord } from './csv.js';
import { printable } from './terminal_text.js';

/**
 * attention: { tokens, context, options, weights, scores }; the last two are Tensors, or scores is
 * null.
 */
export function* jsonLines({ tokens, context, options, weights, scores }) {
  yield '{';
  yield `  "tokens": ${json(tokens)},`;
  yield `  "context": ${json(context)},`;
  yield `  "options": ${json(options)},`;
  yield `  "dims": ${json(weights.dims)},`;
  yield '  "weights": [';
  yield* nestedRows(weights, 0, 0, '    ');
  yield '  ],';
  if (scores) {
    yield '  "scores": [';
    yield* nestedRows(scores, 0, 0, '    ');
    yield '  ]';
  } else {
    yield '  "scores": null';
  }
  yield '}';
}

// One line for each row of the last axis. A score of −∞ (a word that may not be read) is null.
function* nestedRows({ data, dims }, axis, start, indent) {
  const stride = dims.slice(axis + 1).reduce((product, d) => product * d, 1);
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
 * The same as `json`, in pieces: all of it may be longer than a string can be. A Tensor becomes arrays in arrays.
 */
export function* jsonPieces(value) {
  if (ArrayBuffer.isView(value?.data)) {
    yield* nestedPieces(value, 0, 0);
  } else if (Array.isArray(value)) {
    yield* inBrackets('[]', value, jsonPieces);
  } else if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    yield* inBrackets('{}', fields, function* ([name, field]) {
      yield `${json(name)}:`;
      yield* jsonPieces(field);
    });
  } else {
    yield json(value);
  }
}

function* nestedPieces({ data, dims }, axis, start) {
  const stride = dims.slice(axis + 1).reduce((product, d) => product * d, 1);
  if (axis + 1 === dims.length) {
    yield `[${Array.from(data.subarray(start, start + stride * dims[axis]), numberOrNull).join(',')}]`;
  } else {
    yield* inBrackets('[]', Array(dims[axis]).keys(), (i) =>
      nestedPieces({ data, dims }, axis + 1, start + i * stride),
    );
  }
}

function* inBrackets([begin, end], items, piecesOf) {
  yield begin;
  let isFirst = true;
  for (const item of items) {
    if (!isFirst) yield ',';
    isFirst = false;
    yield* piecesOf(item);
  }
  yield end;
}

/** JSON that may go to a terminal. */
export function json(value) {
  // JSON.stringify leaves DEL, the C1 controls and the turning marks as they are: terminals may not.
  return JSON.stringify(value).replace(
    /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const numberOrNull = (x) => (Number.isFinite(x) ? shortest(x) : 'null');

/** A header of the words that are read; a record for each word that reads, and each head. */
export function csvLines({ tokens, context, weights: { data, dims } }) {
  const columns = context ?? tokens;
  const size = tokens.length * columns.length;
  const perHead = dims.length === 3;
  const matrices = Array.from({ length: data.length / size }, (_, head) => ({
    keys: perHead ? [head + 1] : [],
    data: data.subarray(head * size, (head + 1) * size),
  }));
  return matricesAsCsv({
    header: [...(perHead ? ['head'] : []), 'word'],
    rows: tokens,
    columns,
    matrices,
  });
}

/**
 * header: names of the keys and of what a row is; matrices: [{ keys, data }], rows × columns each. CSV
 * has no escapes: controls (with a combining mark on them they are words) are shown as in the table.
 */
export function* matricesAsCsv({ header, rows, columns, matrices }) {
  yield csvRecord([...header, ...columns.map(printable)]);
  for (const { keys, data } of matrices) {
    for (const [i, row] of rows.entries()) {
      const numbers = data.subarray(i * columns.length, (i + 1) * columns.length);
      yield csvRecord([...keys.map(String), printable(row), ...Array.from(numbers, shortest)]);
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
