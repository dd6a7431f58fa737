// Script of the exported HTML file: draws the JSON data in the file, and reads out the hovered or selected cell; of all heads
// one at a time. stand_alone_page.js writes both.

import { defineAttentionMap } from 'attention-wasm/heatmap';
import { formatScore, formatWeight } from '../../number_formats.js';
import { connectHeads } from './head_choice.js';
import { connectReadout } from './readout.js';

/** @import { AttentionMapElement } from 'attention-wasm/heatmap' */

const given = JSON.parse(document.getElementById('picture')?.textContent ?? '');

// null stands for −∞, which JSON does not have.
const numbers = (list) => Float32Array.from(list, (number) => number ?? -Infinity);

if (given.layers) drawHeads(given);
else drawPicture(given);

/** All heads: { layers: [{ name, heads, rowLabels, columnLabels, weights }], chosen, options }. */
function drawHeads({ layers, ...more }) {
  const drawn = layers.map((layer) => ({ ...layer, weights: numbers(layer.weights) }));
  const names = layers.map(({ name }) => name);
  connectHeads({ layers: names, layerAt: (layer) => drawn[layer], ...more });
}

/** One picture at one stage. */
function drawPicture({ stage, weights, dims, scores, selected, ...options }) {
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
}
