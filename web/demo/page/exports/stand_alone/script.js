// Script of the exported HTML file: draws the JSON data in the file, and reads out the hovered or selected cell.
// stand_alone_page.js writes both.

import { defineAttentionMap } from 'attention-wasm/heatmap';
import { formatScore, formatWeight } from '../../number_formats.js';
import { connectReadout } from './readout.js';

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

connectReadout(map)({
  ...{ ...options, selected },
  numbers(at) {
    const value = stage === 'weights' ? formatWeight(data[at]) : formatScore(data[at]);
    const score = scored ? `, score ${formatScore(scored[at])}` : '';
    return `${options.valueTitle} ${value}${score}`;
  },
});
