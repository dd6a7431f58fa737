// Matrix view: an <attention-map> with one head of the picture at one stage.

import { defineAttentionMap } from 'attention-wasm/heatmap';
import { screenColors } from '../palette.js';
import { keptRows, withKeptRows } from '../what_if/kept_rows.js';
import { optionsOfHead, scaleEnd, unseenOf, valuesOf } from './head_of_picture.js';

/** @import { HeatmapOptions } from 'attention-wasm/heatmap' */
/** @import { Facts } from '../../types' */

/** @type {{ facts?: Facts | null }} */
const noneAround = {};

const valueTitles = {
  raw: 'q · k',
  scaled: 'scaled score',
  masked: 'scaled score',
  weights: 'weight',
  moved: 'moved',
  difference: 'difference',
};

const step = 24; // CSS pixels: the requested height is rounded up, so that not every key press moves the content below

/**
 * Fills `element` and sets the best height of its frame as the custom property `--matrix`. `select` and `hover` are
 * called with { row, column }, hover also with null.
 */
export function createMatrix(element, { select, hover }) {
  defineAttentionMap();
  element.classList.add('matrix-view');
  const map = document.createElement('attention-map');
  map.setAttribute('fill', '');
  map.hidden = true;
  map.addEventListener('select', (event) => {
    const { row, column } = detailOf(event);
    select({ row: ownRow(row), column });
  });
  map.addEventListener('hover', (event) => {
    const detail = detailOf(event);
    hover(detail && { row: ownRow(detail.row), column: detail.column });
  });
  element.append(map);
  let shown = {};
  let kept = null; // result of withKeptRows(), while words are gone
  let current = 0; // the selected row
  let isPointed = false;
  let isWhole = false;
  let [width, requestedHeight] = [0, 0];
  new ResizeObserver(([{ contentRect }]) => {
    width = contentRect.width;
    askForHeight();
  }).observe(map);

  // A translation in progress does not change the height with every row.
  function askForHeight() {
    if (!isWhole || width === 0) return;
    const height = Math.ceil(map.heightFor(width) / step) * step;
    if (height === requestedHeight) return;
    requestedHeight = height;
    element.parentElement.style.setProperty('--matrix', `${height}px`);
  }

  const ownRow = (row) => (row === undefined || !kept ? row : kept.toOwn(row, current));

  return {
    show(picture, selection, settings = {}, around = noneAround) {
      map.hidden = !picture || picture.rows.length === 0 || picture.columns.length === 0;
      if (map.hidden) return;
      current = selection.row;
      if (picture !== shown.picture) {
        kept = withKeptRows(picture, keptRows(picture.rows, around.facts?.formerRows));
      }
      /** @type {<P extends { row?: number }>(place: P) => P} */
      const placed = (place) =>
        kept && place.row !== undefined ? { ...place, row: kept.toKept(place.row) } : place;
      const selected = placed({ row: selection.row, column: selection.column });
      const { stage, scaling, colors, threshold, rowTitle, columnTitle, isPercent } = settings;
      const looks = [stage, scaling, colors, threshold, rowTitle, columnTitle, isPercent];
      const drawn = JSON.stringify(looks);
      const inputs = { picture, head: selection.head, drawn };
      const isOther = Object.keys(inputs).some((name) => inputs[name] !== shown[name]);
      const drawnPicture = kept?.picture ?? picture;
      if (isOther) map.update({ ...optionsFor(drawnPicture, selection, settings), selected });
      else map.select(selected);
      // hover() draws at once, so it is called only when needed.
      const { hovered } = selection;
      if (hovered || isPointed) map.hover(hovered ? placed(hovered) : null);
      isPointed = Boolean(hovered);
      isWhole = !around.facts?.unfinished;
      // After the map has been drawn.
      if (isOther) queueMicrotask(askForHeight);
      shown = inputs;
    },
    /** The cell of the picture under a pointer. */
    cellAt(event) {
      const cell = map.cellAt(event);
      return cell && { ...cell, ...(cell.row !== undefined && { row: ownRow(cell.row) }) };
    },
    toSVG: ({ dark } = screenColors) => decimalSVG(map, { dark }),
  };
}

/** The picture of an <attention-map> for a file, whose numbers are decimals. */
export function decimalSVG(map, paper) {
  const { percent } = map;
  if (!percent) return map.toSVG(paper);
  map.update({ percent: false });
  const svg = map.toSVG(paper);
  map.update({ percent });
  return svg;
}

/** @param {Event} event of an <attention-map> */
const detailOf = (event) => /** @type {CustomEvent} */ (event).detail;

/**
 * Options of the heat map for one head at one stage.
 * @returns {HeatmapOptions & { weights: { data: Float32Array, dims: number[] } }}
 */
export function optionsFor(picture, { head }, settings) {
  const {
    stage = 'weights',
    scaling = 'global',
    colors = 'blues',
    threshold = 0,
    rowTitle = '',
    columnTitle = '',
    isPercent = false,
  } = settings;
  const { rows, columns } = picture;
  const weights = valuesOf(picture, stage, head);
  const size = { rows: rows.length, columns: columns.length };
  const isWeights = stage === 'weights';
  const isSigned = !isWeights && stage !== 'moved';
  /** @type {Pick<HeatmapOptions, 'signed' | 'domain'>} */
  const signed = isWeights ? {} : { signed: isSigned, domain: scaling };
  const own = optionsOfHead({ weights, ...size }, scaling);
  return {
    ...own,
    ...(Array.isArray(own.domain) && { domain: [0, scaleEnd(own.domain[1])] }),
    ...signed,
    rowLabels: rows.map(({ text }) => text),
    columnLabels: columns.map(({ text }) => text),
    // The mask does not apply to the stages before it.
    unseen: stage === 'raw' || stage === 'scaled' ? null : unseenOf(picture, head),
    threshold: isWeights ? threshold : 0,
    percent: isWeights && isPercent,
    colors,
    cellAspect: 2.5,
    rowTitle,
    columnTitle,
    valueTitle: valueTitles[stage],
    label: `${isWeights ? 'Attention weights' : `Attention, ${valueTitles[stage]}`}: ${rows.length} rows, ${columns.length} columns`,
  };
}
