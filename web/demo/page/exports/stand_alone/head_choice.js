// Lists of a stand-alone page that choose one head of several layers, and its map: of the viewer, and of the exported page of
// all heads.

import { defineAttentionMap } from 'attention-wasm/heatmap';
import { formatWeight } from '../../number_formats.js';
import { connectReadout } from './readout.js';

/** @import { AttentionMapElement, HeatmapOptions } from 'attention-wasm/heatmap' */

/**
 * The heads of a layer and the names of their rows and columns; `weights`: heads × rows × columns, `mean`: their mean, which
 * is offered if it is there.
 * @typedef {object} ShownLayer
 * @property {Float32Array} weights
 * @property {number} heads
 * @property {string[]} rowLabels
 * @property {string[]} columnLabels
 * @property {() => Float32Array} [mean]
 */

/** @type {(selector: string) => HTMLElement} */
const find = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));

/**
 * Fills a list, and hides it if there is one choice.
 * @param {string} id
 * @param {string[]} names
 * @returns {HTMLSelectElement}
 */
function fillList(id, names) {
  const list = /** @type {HTMLSelectElement} */ (find(`#${id}`));
  const { value } = list;
  list.replaceChildren(...names.map((name, at) => new Option(name, `${at}`)));
  list.value = Number(value) < names.length && value !== '' ? value : '0';
  /** @type {HTMLElement} */ (list.parentElement).hidden = names.length === 1;
  return list;
}

/** @param {number} count */
const numbersTo = (count) => Array.from({ length: count }, (_, at) => `${at + 1}`);

/**
 * Draws the chosen head, whenever another is chosen. `chosen`: indices that are chosen first; without a selected cell it is
 * the one with the largest weight.
 * @param {{ layers: string[], examples?: number, layerAt(layer: number, example: number): ShownLayer,
 * chosen?: { layer: number, head: number, row: number, column: number }, options?: Partial<HeatmapOptions> }} shown
 */
export function connectHeads({ layers, examples = 1, layerAt, chosen, options = {} }) {
  defineAttentionMap();
  const map = /** @type {AttentionMapElement & HTMLElement} */ (find('attention-map'));
  const readout = connectReadout(map);
  const layerList = fillList('layer', layers);
  const exampleList = fillList('example', numbersTo(examples));
  let selected = chosen && { row: chosen.row, column: chosen.column };
  map.addEventListener('select', (event) => {
    selected = /** @type {CustomEvent} */ (event).detail;
  });

  /** The heads of the chosen layer, which may have another number of them. */
  function layerNow() {
    const layer = layerAt(Number(layerList.value), Number(exampleList.value));
    const { heads, mean } = layer;
    const list = fillList('head', [...numbersTo(heads), ...(mean ? ['average'] : [])]);
    return { layer, list };
  }

  function draw() {
    const { layer, list } = layerNow();
    const { weights, heads, rowLabels, columnLabels, mean } = layer;
    const [height, width] = [rowLabels.length, columnLabels.length];
    const head = Number(list.value);
    const size = height * width;
    const data = mean && head === heads ? mean() : weights.subarray(head * size, (head + 1) * size);
    if (!selected || selected.row >= height || selected.column >= width) {
      const largest = data.indexOf(data.reduce((one, other) => Math.max(one, other)));
      selected = { row: Math.floor(largest / width), column: largest % width };
    }
    map.update({
      ...{ weights: { data, dims: [height, width] }, rowLabels, columnLabels, selected },
      ...{ rowTitle: 'row', columnTitle: 'column', ...options },
    });
    readout({
      ...{ rowLabels, columnLabels, selected },
      numbers: (at) => `weight ${formatWeight(data[at])}`,
    });
  }

  layerNow();
  if (chosen) {
    layerList.value = String(chosen.layer);
    layerNow().list.value = String(chosen.head);
  }
  for (const id of ['layer', 'example', 'head']) find(`#${id}`).addEventListener('change', draw);
  draw();
}
