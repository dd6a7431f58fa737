// Line under the map of a stand-alone page: the cell that is pointed at, else the selected one.

import { verbOf } from '../../number_formats.js';

/** @import { AttentionMapElement } from 'attention-wasm/heatmap' */

/** @param {Event} event */
const detailOf = (event) => /** @type {CustomEvent} */ (event).detail;

/**
 * `map`: the map of the page. The function that it returns shows another picture: `rowLabels`, `columnLabels`, `selected`
 * { row, column }, `numbers(at)` the text for a cell, and `unseen` as the map has it.
 * @param {AttentionMapElement & HTMLElement} map
 */
export function connectReadout(map) {
  const readout = /** @type {HTMLElement} */ (document.querySelector('.readout'));
  const [query, verb, key, rest] = readout.children;
  let shown;

  function read({ row, column }) {
    const { rowLabels, columnLabels, unseen, numbers } = shown;
    const at = row * columnLabels.length + column;
    query.textContent = rowLabels[row];
    verb.textContent = verbOf({ hidden: unseen?.[at] === 1, blocked: unseen?.[at] === 2 });
    key.textContent = columnLabels[column];
    rest.textContent = numbers(at);
  }

  map.addEventListener('select', (event) => {
    shown.selected = detailOf(event);
    read(shown.selected);
  });
  // A label has only a row or a column.
  map.addEventListener('hover', (event) => {
    const detail = detailOf(event);
    const { row, column } = shown.selected;
    read({ row: detail?.row ?? row, column: detail?.column ?? column });
  });
  return (picture) => {
    shown = picture;
    read(picture.selected);
  };
}
