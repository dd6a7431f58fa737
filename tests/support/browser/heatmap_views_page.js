// The page's views (matrix, lines, heads) of an artificial picture, for the tests in tests/page/views.

import { create as createHeads } from '../../../web/demo/page/views/heads_view.js';
import { create as createLines } from '../../../web/demo/page/views/lines_view.js';
import { createMatrix } from '../../../web/demo/page/views/matrix.js';
import { randomWeights } from './heatmap_weights.js';

const label = (text, word) => ({ text, word, special: false, start: null, end: null });
const words = 'Zuko made his uncle tea שלום 茶'.split(' ');
const rows = words.map(label);
const columns = words.slice(0, 5).map(label);
const [heads, size] = [3, rows.length * columns.length];
const weights = new Float32Array(heads * size);
for (let head = 0; head < heads; head++) {
  weights.set(randomWeights(rows.length, columns.length, head + 1), head * size);
}
const scores = weights.map((weight) => Math.log(weight));
const picture = {
  rows,
  columns,
  heads,
  stages: {
    raw: scores,
    scaled: scores,
    masked: scores,
    weights,
    difference: weights.map((weight) => weight - 0.2),
  },
  hidden: null,
  thumbnails: ['encoder.0', 'encoder.1'].flatMap((part, layer) =>
    [0, 1, 2].map((head) => ({
      part,
      head,
      name: `Encoder layer ${layer + 1}`,
      ...{ rows: rows.length, columns: columns.length, cells: [rows.length, columns.length] },
      ...{ role: null, scores: null, spread: 2.5 },
      weights: weights.subarray(head * size, (head + 1) * size),
    })),
  ),
  part: 'encoder.0',
  name: 'Encoder layer 1',
};

const mean = new Float32Array(size).map(
  (_, at) => (weights[at] + weights[size + at] + weights[2 * size + at]) / heads,
);
const averaged = { ...picture, heads: 1, stages: { ...picture.stages, weights: mean } };

const state = { row: 1, column: 2, part: 'encoder.0', head: 0, hovered: null };
const settings = { rowTitle: 'word', columnTitle: 'looks at', palette: { blue: '#0a4fa0' } };
const told = [];
const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const on = {
  select(part) {
    told.push(['select', part]);
    Object.assign(state, part, { hovered: null });
    show();
  },
  hover(part) {
    told.push(['hover', part]);
    state.hovered = part;
    show();
  },
};
const views = {
  matrix: createMatrix(find('matrix'), on),
  lines: createLines(find('lines'), on),
  heads: createHeads(find('heads'), on),
};

function show(shown = picture) {
  for (const view of Object.values(views)) view.show(shown, state, settings);
}

show();
globalThis.page = { views, state, settings, show, told, picture, averaged };
