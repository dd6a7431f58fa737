// Step “Vectors”: those of the two tokens, x before the projections and q, k, v after them.

import { h } from '../component.js';
import { Step, StripLine } from './step.js';
import { largest } from './strip.js';

export function VectorsStep({ inspection, palette }) {
  const { x, row, columns, query, values, output } = inspection;
  const { column } = inspection.place;
  const valueDim = output.length;
  const value = values.slice(column * valueDim, (column + 1) * valueDim);
  const ofRow = { word: row, side: 'is-read', palette };
  const ofColumn = { word: columns[column], side: 'is-seen', palette };
  const top = largest(query, inspection.key, value);
  const topX = x && largest(x.row, x.column);
  return h(
    Step,
    { id: 'vectors', title: 'Vectors', note: 'x → q, k, v' },
    x && h(StripLine, { symbol: 'x', ...ofRow, values: x.row, top: topX }),
    h(StripLine, { symbol: 'q', ...ofRow, values: query, top }),
    x && h(StripLine, { symbol: 'x', ...ofColumn, values: x.column, top: topX }),
    h(StripLine, { symbol: 'k', ...ofColumn, values: inspection.key, top }),
    h(StripLine, { symbol: 'v', ...ofColumn, values: value, top }),
  );
}
