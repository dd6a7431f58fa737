// The attention as a person reads it in a terminal: what it is, a table for each head, how to read it.

import { kinds } from './kinds.js';
import { matrixTables } from './matrix_table.js';
import { wrap } from './terminal_text.js';

/**
 * attention: { tokens, context, options, weights }; paint: see shade.js; width: columns of the
 * terminal, or Infinity.
 */
export function* picture(attention, paint, width) {
  const { tokens, context, options, weights } = attention;
  const columns = context ?? tokens;
  const size = tokens.length * columns.length;
  const count = weights.data.length / size;
  const perHead = weights.dims.length === 3;

  yield* wrap(heading(attention), width).map(paint.bold);
  const tables = Array.from({ length: count }, (_, head) => ({
    title: perHead ? `Head ${head + 1} of ${count}` : '',
    rows: tokens,
    columns,
    unit: 'Word',
    weight: (i, j) => weights.data[head * size + i * columns.length + j],
    visible: (i, j) => !options.causal || j <= i,
  }));
  yield* matrixTables(tables, paint, width);
  for (const sentence of notes(attention)) yield* wrap(sentence, width).map(paint.dim);
}

function heading({ tokens, context, options, scaleNote }) {
  const count = (list) => `${list.length} ${list.length === 1 ? 'word' : 'words'}`;
  const short = (number) => Number(number.toPrecision(6));
  const { scale, bandwidth, temperature, vectorLength, causal, heads, average } = options;
  const self = causal ? 'Causal self-attention' : 'Self-attention';
  const title = [context ? 'Cross-attention' : self, kinds[options.kind].title];
  const parts = [context ? `${count(tokens)} reading ${count(context)}` : count(tokens)];
  if (scale !== null) parts.push(`scale ${short(scale)}${scaleNote}`);
  if (bandwidth !== null) parts.push(`bandwidth ${short(bandwidth)}`);
  if (vectorLength !== 1) parts.push(`vectors of length ${short(vectorLength)}`);
  if (temperature !== null && temperature !== 1) parts.push(`temperature ${short(temperature)}`);
  if (average) parts.push(`mean of ${heads} ${heads === 1 ? 'head' : 'heads'}`);
  if (options.positions) parts.push('with positions');
  return `${title.filter(Boolean).join(', ')}: ${parts.join(', ')}`;
}

function* notes({ options: { kind, average, heads }, weights }) {
  yield 'Each row is a word reading, each column a word read; a row sums to 1.';
  if (kind === 'kernel:cosine') {
    yield 'Cosines can be negative, and weights with them; others then exceed 1.';
  }
  // A row of zeros, or in a mean of heads a row that lacks the share of a head.
  const tables = average ? heads : 1;
  if (rowSums(weights).some((sum) => sum < 1 - 0.5 / tables)) {
    const where = tables > 1 ? ' in some head' : '';
    yield `Where a row sums to less, the similarities of its word sum to 0${where}.`;
  }
  yield 'Words are compared by spelling (character n-grams), not by meaning.';
}

function rowSums({ data, dims }) {
  const width = dims.at(-1);
  return Array.from({ length: data.length / width }, (_, row) =>
    data.subarray(row * width, row * width + width).reduce((sum, weight) => sum + weight, 0),
  );
}
