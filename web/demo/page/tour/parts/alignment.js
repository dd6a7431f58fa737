// Figure: two texts, one above the other, with a line for every weight between them.

import { element } from '../../element.js';
import { svgElement } from '../../svg_element.js';

const height = 72;
const minVisible = 0.02; // weight of a line

/** `pick(row, column)` is called with a clicked word and its strongest partner. */
export function createAlignment(rows, columns, pick) {
  let shown = null;
  const strongest = (weights) => weights.indexOf(Math.max(...weights));
  const weightsOf = (row) => shown.subarray(row * columns.length, (row + 1) * columns.length);
  const columnOf = (column) => rows.map((_, row) => shown[row * columns.length + column]);
  const words = (list, choose) =>
    list.map((word, at) =>
      element('button', { type: 'button', click: () => choose(at) }, element('bdi', {}, word)),
    );
  const above = words(rows, (row) => pick(row, strongest(weightsOf(row))));
  const below = words(columns, (column) => pick(strongest(columnOf(column)), column));
  const lines = svgElement('svg', {
    viewBox: `0 0 1000 ${height}`,
    preserveAspectRatio: 'none',
    'aria-hidden': 'true',
  });
  const root = element(
    'div',
    { class: 'alignment' },
    element('div', { class: 'words' }, above),
    lines,
    element('div', { class: 'words' }, below),
  );

  return {
    element: root,
    show({ weights, row, column }) {
      shown = weights;
      const made = [];
      rows.forEach((_, from) =>
        columns.forEach((_word, to) => {
          const weight = weights[from * columns.length + to];
          if (weight < minVisible) return;
          const [start, end] = [
            (1000 * (from + 0.5)) / rows.length,
            (1000 * (to + 0.5)) / columns.length,
          ];
          made.push(
            svgElement('line', {
              ...{ x1: start, y1: 0, x2: end, y2: height },
              'stroke-width': 1 + 3 * weight,
              'stroke-opacity': weight,
              class: from === row ? 'is-read' : '',
            }),
          );
        }),
      );
      lines.replaceChildren(...made);
      above.forEach((word, at) => word.classList.toggle('is-read', at === row));
      below.forEach((word, at) => word.classList.toggle('is-seen', at === column));
    },
  };
}
