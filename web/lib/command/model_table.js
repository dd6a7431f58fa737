// Attention of a model for a terminal: a heading, a table per selected matrix, and notes.

import { matricesAsCsv } from './data_formats.js';
import { matrixTables } from './matrix_table.js';
import { wrap } from './terminal_text.js';

/**
 * shown: see select_weights.js; request: { layer, head }, each a number or 'all'; attention: { title, stack: name
 * of the stack, rows, columns: texts with their tokens, notes(unit): sentences }.
 */
export function* modelTable(shown, request, attention, { paint, width }) {
  const { unit, rows, columns, layers, heads, matrices } = shown;
  const layerOf = ({ layer }) => `${attention.stack} layer ${layer} of ${layers}`;
  const headOf = ({ head }) => {
    if (heads === 1) return 'its only head';
    return head ? `head ${head} of ${heads}` : `mean of ${heads} heads`;
  };
  // Layer and head are in the heading if all tables share them, else in the titles of the tables.
  const [inHeading, inTitles] = [false, true].map((differs) =>
    [
      [layerOf, request.layer],
      [headOf, request.head],
    ]
      .filter(([, requested]) => (requested === 'all') === differs)
      .map(([describe]) => describe),
  );
  const facts = [attention.title, ...inHeading.map((describe) => describe(matrices[0]))];
  const heading = `${facts.join(', ')}: ${counts(attention, unit)}`;
  yield* wrap(heading, width).map(paint.bold);

  const tables = matrices.map((matrix) => ({
    title: capitalized(inTitles.map((describe) => describe(matrix)).join(', ')),
    rows,
    columns,
    unit: capitalized(unit),
    weight: (i, j) => matrix.data[i * columns.length + j],
    visible: () => true,
  }));
  yield* matrixTables(tables, paint, width);
  for (const sentence of attention.notes(unit)) yield* wrap(sentence, width).map(paint.dim);
}

/** The same weights as lines of CSV. */
export function* modelCsv({ unit, rows, columns, matrices }, request) {
  const keys = ['layer', 'head'].filter((name) => request[name] === 'all');
  yield* matricesAsCsv({
    header: [...keys, unit],
    rows,
    columns,
    matrices: matrices.map((matrix) => ({
      keys: keys.map((name) => matrix[name]),
      data: matrix.data,
    })),
  });
}

function counts({ rows, columns }, unit) {
  if (rows === columns) return countUnits(rows, unit);
  return `${countUnits(rows, unit)} attending to ${countUnits(columns, unit)}`;
}

// The end token does not count.
function countUnits({ tokens }, unit) {
  const own = tokens.filter(({ special }) => !special);
  const count = unit === 'word' ? new Set(own.map(({ word }) => word)).size : own.length;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const capitalized = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
