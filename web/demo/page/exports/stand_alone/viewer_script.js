// Script of the empty viewer: draws the weights that stand in the file as JSON, a layer and a head at a time.
// viewer_page.js writes the file.

import { meanOf } from '../../../worker/compute/picture.js';
import { readJSON } from '../../../worker/sources/files/json_file.js';
import { arraysOf } from '../../../worker/sources/files/roles_of_arrays.js';
import {
  labelsIn,
  layerOf,
  noteOnSums,
  numbersTo,
} from '../../../worker/sources/files/own_arrays.js';
import { connectHeads } from './head_choice.js';

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
  connectHeads({
    layers: numbersTo(layers),
    examples: weights.batch,
    layerAt(layer, example) {
      const { data } = layerOf(weights, layer, example);
      const { rows, columns } = labelsIn({ ...roles, weights }, example);
      const rowLabels = rows ?? numbersTo(height);
      const columnLabels = columns ?? (rows?.length === width ? rowLabels : numbersTo(width));
      const mean = () => meanOf(data, heads);
      return { weights: data, heads, rowLabels, columnLabels, mean };
    },
  });
  say(noteOnSums(weights));
  find('.with-arrays').hidden = false;
}

const text = find('#arrays').textContent?.trim() ?? '';
if (text !== 'null') {
  find('.without-arrays').hidden = true;
  show(text).catch((error) => say(`The arrays cannot be drawn: ${error.message}.`));
}
