// Script of the exported HTML file: draws the JSON data in the file, and reads out the hovered or selected cell.
// stand_alone_page.js writes both.

import { defineAttentionMap } from 'attention-wasm/heatmap';
import { formatScore, formatWeight, verbOf } from '../../number_formats.js';

/** @import { AttentionMapElement } from 'attention-wasm/heatmap' */

const { stage, weights, dims, scores, selected, ...options } = JSON.parse(
  document.getElementById('picture')?.textContent ?? '',
);

// null stands for −∞, which JSON does not have.
const numbers = (list) => Float32Array.from(list, (number) => number ?? -Infinity);
const data = numbers(weights);
const scored = scores && numbers(scores);

defineAttentionMap();
const map = /** @type {AttentionMapElement & HTMLElement} */ (
  document.querySelector('attention-map')
);
map.update({ ...options, weights: { data, dims }, selected });

const readout = /** @type {HTMLElement} */ (document.querySelector('.readout'));
const [query, verb, key, rest] = readout.children;
let chosen = selected;

function read({ row, column }) {
  const at = row * dims[1] + column;
  const isWeight = stage === 'weights';
  const value = isWeight ? formatWeight(data[at]) : formatScore(data[at]);
  const score = scored ? `, score ${formatScore(scored[at])}` : '';
  query.textContent = options.rowLabels[row];
  const unseen = options.unseen?.[at];
  verb.textContent = verbOf({ hidden: unseen === 1, blocked: unseen === 2 });
  key.textContent = options.columnLabels[column];
  rest.textContent = `${options.valueTitle} ${value}${score}`;
}

/** @param {Event} event */
const detailOf = (event) => /** @type {CustomEvent} */ (event).detail;

map.addEventListener('select', (event) => {
  chosen = detailOf(event);
  read(chosen);
});
// A label has only a row or a column.
map.addEventListener('hover', (event) => {
  const detail = detailOf(event);
  read({ row: detail?.row ?? chosen.row, column: detail?.column ?? chosen.column });
});
read(chosen);
