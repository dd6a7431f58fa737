// Step 1 of the inspector: the vectors of the two tokens, x before the projections and q, k, v after them.

import { step, stripLine } from './step.js';
import { largest } from './strip.js';

const names = ['xRow', 'query', 'xColumn', 'key', 'value'];

export function createVectorsStep() {
  const strips = Object.fromEntries(names.map((name) => [name, stripLine()]));
  return {
    element: step(
      'Vectors',
      'x → q, k, v',
      names.map((name) => strips[name].line),
    ),
    show({ x, row, columns, query, key, values, output, place: { column } }, { palette }) {
      const valueDim = output.length;
      const value = values.slice(column * valueDim, (column + 1) * valueDim);
      const word = columns[column];
      for (const { line } of [strips.xRow, strips.xColumn]) line.hidden = !x;
      const top = largest(query, key, value);
      strips.query.show('q', row, query, { top, palette, side: 'is-read' });
      strips.key.show('k', word, key, { top, palette, side: 'is-seen' });
      strips.value.show('v', word, value, { top, palette, side: 'is-seen' });
      if (!x) return;
      const topX = largest(x.row, x.column);
      strips.xRow.show('x', row, x.row, { top: topX, palette, side: 'is-read' });
      strips.xColumn.show('x', word, x.column, { top: topX, palette, side: 'is-seen' });
    },
  };
}
