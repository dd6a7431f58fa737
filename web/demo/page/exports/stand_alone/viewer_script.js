// Script of the empty viewer: draws the weights that stand in the file as JSON, a layer and a head at a time.
// viewer_page.js writes the file.

import { defineAttentionMap } from 'attention-wasm/heatmap';
import { meanOf } from '../../../worker/compute/picture.js';
import { readJSON } from '../../../worker/sources/files/json_file.js';
import { arraysOf } from '../../../worker/sources/files/roles_of_arrays.js';
import {
  labelsIn,
  layerOf,
  noteOnSums,
  numbersTo,
} from '../../../worker/sources/files/own_arrays.js';
import { formatWeight } from '../../number_formats.js';
import { connectReadout } from './readout.js';

/** @import { AttentionMapElement } from 'attention-wasm/heatmap' */
/** @import { RoleArray } from '../../../worker/sources/files/own_arrays.js' */

/** @type {(selector: string) => HTMLElement} */
const find = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));

/** @param {string} sentence */
function say(sentence) {
  find('.said').textContent = sentence;
}

/** @param {string} text */
async function show(text) {
  const { roles } = arraysOf(await readJSON(text), 'weights');
  const weights = /** @type {RoleArray} */ (roles.weights);
  if (!weights) throw new Error('it has queries and keys, and the viewer draws weights');
  const [layers, heads, height, width] = weights.dims;
  /** @type {(name: string, count: number, more?: string[]) => () => number} */
  const chooser = (name, count, more = []) => {
    const list = /** @type {HTMLSelectElement} */ (find(`#${name}`));
    const numbers = Array.from({ length: count }, (_, at) => new Option(`${at + 1}`, `${at}`));
    list.append(...more.map((label, at) => new Option(label, `${count + at}`)), ...numbers);
    list.value = '0';
    /** @type {HTMLElement} */ (list.parentElement).hidden = count === 1;
    list.addEventListener('change', draw);
    return () => Number(list.value);
  };
  const chosen = {
    layer: chooser('layer', layers),
    example: chooser('example', weights.batch),
    head: chooser('head', heads, ['average']),
  };
  defineAttentionMap();
  const map = /** @type {AttentionMapElement & HTMLElement} */ (find('attention-map'));
  const readout = connectReadout(map);
  // The largest weight of the first head.
  const first = weights.data.subarray(0, height * width);
  const largest = first.indexOf(first.reduce((one, other) => Math.max(one, other)));
  let selected = { row: Math.floor(largest / width), column: largest % width };
  map.addEventListener('select', (event) => {
    selected = /** @type {CustomEvent} */ (event).detail;
  });

  function draw() {
    const [layer, example, head] = [chosen.layer(), chosen.example(), chosen.head()];
    const all = layerOf(weights, layer, example).data;
    const size = height * width;
    const data = head < heads ? all.subarray(head * size, (head + 1) * size) : meanOf(all, heads);
    const labels = labelsIn({ ...roles, weights }, example);
    const rowLabels = labels.rows ?? numbersTo(height);
    const columnLabels =
      labels.columns ?? (labels.rows?.length === width ? rowLabels : numbersTo(width));
    map.update({
      ...{ weights: { data, dims: [height, width] }, rowLabels, columnLabels, selected },
      ...{ rowTitle: 'row', columnTitle: 'column' },
    });
    readout({
      ...{ rowLabels, columnLabels, selected },
      numbers: (at) => `weight ${formatWeight(data[at])}`,
    });
  }
  draw();
  say(noteOnSums(weights));
  find('.with-arrays').hidden = false;
}

const text = find('#arrays').textContent?.trim() ?? '';
if (text !== 'null') {
  find('.without-arrays').hidden = true;
  show(text).catch((error) => say(`The arrays cannot be drawn: ${error.message}.`));
}
