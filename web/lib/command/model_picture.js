// Attention of the model as a person reads it in a terminal: whose it is, a table of each matrix that
// was asked for, how to read it.

import { matrixTables } from './matrix_table.js';
import { wrap } from './terminal_text.js';

/**
 * shown: see shown_weights.js; request: { layer, head }, of which all may be shown; attention: { title,
 * stack: of which layers, rows, columns: texts with their tokens, notes: sentences }.
 */
export function* modelPicture(shown, request, attention, { paint, width }) {
  const { unit, rows, columns, layers, heads, matrices } = shown;
  const layerOf = ({ layer }) => `${attention.stack} layer ${layer} of ${layers}`;
  const headOf = ({ head }) => {
    if (heads === 1) return 'its only head';
    return head ? `head ${head} of ${heads}` : `mean of ${heads} heads`;
  };
  // The heading says whatever all tables share, their titles whatever differs.
  const [inHeading, inTitles] = [false, true].map((differs) =>
    [
      [layerOf, request.layer],
      [headOf, request.head],
    ]
      .filter(([, asked]) => (asked === 'all') === differs)
      .map(([describe]) => describe),
  );
  const parts = [attention.title, ...inHeading.map((describe) => describe(matrices[0]))];
  const heading = `${parts.join(', ')}: ${counts(attention, unit)}`;
  yield* wrap(heading, width).map(paint.bold);

  const tables = matrices.map((matrix) => ({
    title: capitalised(inTitles.map((describe) => describe(matrix)).join(', ')),
    rows,
    columns,
    unit: capitalised(unit),
    weight: (i, j) => matrix.data[i * columns.length + j],
    visible: () => true,
  }));
  yield* matrixTables(tables, paint, width);
  for (const sentence of attention.notes(unit)) yield* wrap(sentence, width).map(paint.dim);
}

function counts({ rows, columns }, unit) {
  if (rows === columns) return counted(rows, unit);
  return `${counted(rows, unit)} reading ${counted(columns, unit)}`;
}

// The end is neither a word nor a piece of one.
function counted({ tokens }, unit) {
  const own = tokens.filter(({ special }) => !special);
  const count = unit === 'word' ? new Set(own.map(({ word }) => word)).size : own.length;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const capitalised = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);
