// Attention between words for a terminal: a heading, a table per head, and notes.

import { kinds } from './attention_kinds.js';
import { matrixTables } from './matrix_table.js';
import { wrap } from './terminal_text.js';

/**
 * attention: { tokens, context, options, weights }; paint: see terminal_colors.js; width: columns of the
 * terminal, or Infinity.
 */
export function* attentionTable(attention, paint, width) {
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
  const facts = [context ? `${count(tokens)} attending to ${count(context)}` : count(tokens)];
  if (scale !== null) facts.push(`scale ${short(scale)}${scaleNote}`);
  if (bandwidth !== null) facts.push(`bandwidth ${short(bandwidth)}`);
  if (vectorLength !== 1) facts.push(`vectors of length ${short(vectorLength)}`);
  if (temperature !== null && temperature !== 1) facts.push(`temperature ${short(temperature)}`);
  if (average) facts.push(`mean of ${heads} ${heads === 1 ? 'head' : 'heads'}`);
  if (options.positions) facts.push('with positions');
  return `${title.filter(Boolean).join(', ')}: ${facts.join(', ')}`;
}

function* notes({ options: { kind, average, heads }, weights }) {
  yield 'Each row is a query word, each column a key word; each row sums to 1.';
  if (kind === 'kernel:cosine') {
    yield 'Cosines and their weights can be negative; other weights then exceed 1.';
  }
  // A row of zeros, or in a mean of heads a row without the contribution of one head.
  const tables = average ? heads : 1;
  if (rowSums(weights).some((sum) => sum < 1 - 0.5 / tables)) {
    const where = tables > 1 ? ' in some head' : '';
    yield `Rows that sum to less than 1: the similarities of the word sum to 0${where}.`;
  }
  yield 'Words are compared by spelling (character n-grams), not by meaning.';
}

function rowSums({ data, dims }) {
  const width = dims.at(-1);
  return Array.from({ length: data.length / width }, (_, row) =>
    data.subarray(row * width, row * width + width).reduce((sum, weight) => sum + weight, 0),
  );
}
