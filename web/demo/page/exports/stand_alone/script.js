// The script of the stand-alone page: draws the picture that lies beside it as JSON, and reads out the cell that is
// pointed at or chosen. stand_alone_page.js writes the page, and the JSON.

import { defineAttentionMap } from 'attention-wasm/heatmap';
import { formatScore, formatWeight } from '../../number_forms.js';

const { stage, weights, dims, scores, selected, ...options } = JSON.parse(
  document.getElementById('picture').textContent,
);

// JSON has no −∞, which is null in it.
const numbers = (list) => Float32Array.from(list, (number) => number ?? -Infinity);
const data = numbers(weights);
const scored = scores && numbers(scores);

defineAttentionMap();
const map = document.querySelector('attention-map');
map.update({ ...options, weights: { data, dims }, selected });

const readout = document.querySelector('.readout');
const [query, verb, key, rest] = readout.children;
let chosen = selected;

function read({ row, column }) {
  const at = row * dims[1] + column;
  const isWeight = stage === 'weights';
  const value = isWeight ? formatWeight(data[at]) : formatScore(data[at]);
  const score = scored ? `, score ${formatScore(scored[at])}` : '';
  query.textContent = options.rowLabels[row];
  verb.textContent = options.unseen?.[at] === 1 ? 'may not read' : 'reads';
  key.textContent = options.columnLabels[column];
  rest.textContent = `${options.valueTitle} ${value}${score}`;
}

map.addEventListener('select', ({ detail }) => {
  chosen = detail;
  read(chosen);
});
// On a label there is only a row or a column.
map.addEventListener('hover', ({ detail }) => {
  read({ row: detail?.row ?? chosen.row, column: detail?.column ?? chosen.column });
});
read(chosen);
