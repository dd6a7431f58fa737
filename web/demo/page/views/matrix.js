// The matrix view: <attention-map>, given one head of the picture at one stage.

import { defineAttentionMap } from 'attention-wasm/heatmap';
import { optionsOfHead, valuesOf } from './head_of_picture.js';

const valueTitles = {
  raw: 'q · k',
  scaled: 'score',
  masked: 'score',
  weights: 'weight',
  difference: 'difference',
};

const step = 24; // of the height that is asked for: not every letter is to move what stands below

/**
 * Fills `element`'s box, and tells the frame around it how high that is best: `--matrix`. `select` and `hover` are given
 * { row, column }, hover null for nothing.
 */
export function createMatrix(element, { select, hover }) {
  defineAttentionMap();
  element.classList.add('matrix-view');
  const map = document.createElement('attention-map');
  map.setAttribute('fill', '');
  map.hidden = true;
  map.addEventListener('select', ({ detail: { row, column } }) => select({ row, column }));
  map.addEventListener('hover', ({ detail }) => {
    hover(detail && { row: detail.row, column: detail.column });
  });
  element.append(map);
  let shown = {};
  let isPointed = false;
  let isWhole = false;
  let [width, asked] = [0, 0];
  new ResizeObserver(([{ contentRect }]) => {
    width = contentRect.width;
    askForHeight();
  }).observe(map);

  // A picture that is being written would move what stands below it with every row.
  function askForHeight() {
    if (!isWhole || width === 0) return;
    const height = Math.ceil(map.heightFor(width) / step) * step;
    if (height === asked) return;
    asked = height;
    element.parentElement.style.setProperty('--matrix', `${height}px`);
  }

  return {
    show(picture, selection, settings = {}, { facts } = {}) {
      map.hidden = !picture || picture.rows.length === 0 || picture.columns.length === 0;
      if (map.hidden) return;
      const selected = { row: selection.row, column: selection.column };
      const { stage, scaling, colors, threshold, rowTitle, columnTitle } = settings;
      const drawn = JSON.stringify([stage, scaling, colors, threshold, rowTitle, columnTitle]);
      const wanted = { picture, head: selection.head, drawn };
      const isOther = Object.keys(wanted).some((name) => wanted[name] !== shown[name]);
      if (isOther) map.update({ ...optionsFor(picture, selection, settings), selected });
      else map.select(selected);
      // To ask for what is drawn has it drawn at once.
      const { hovered } = selection;
      if (hovered || isPointed) map.hover(hovered ?? null);
      isPointed = Boolean(hovered);
      isWhole = !facts?.unfinished;
      // Once it is drawn.
      if (isOther) queueMicrotask(askForHeight);
      shown = wanted;
    },
    toSVG: ({ dark } = {}) => map.toSVG({ dark }),
  };
}

/** The options of the heat map for one head at one stage. */
export function optionsFor(picture, { head }, settings) {
  const {
    stage = 'weights',
    scaling = 'global',
    colors = 'blues',
    threshold = 0,
    rowTitle = '',
    columnTitle = '',
  } = settings;
  const { rows, columns, hidden } = picture;
  const weights = valuesOf(picture, stage, head);
  const size = { rows: rows.length, columns: columns.length };
  const isWeights = stage === 'weights';
  const signed = isWeights ? {} : { signed: true, domain: scaling };
  return {
    ...optionsOfHead({ weights, ...size }, scaling),
    ...signed,
    rowLabels: rows.map(({ text }) => text),
    columnLabels: columns.map(({ text }) => text),
    // Before the mask every score is there to be seen.
    unseen: stage === 'raw' || stage === 'scaled' ? null : hidden,
    threshold: isWeights ? threshold : 0,
    colors,
    rowTitle,
    columnTitle,
    valueTitle: valueTitles[stage],
    label: `${isWeights ? 'Attention weights' : `Attention, ${valueTitles[stage]}`}: ${rows.length} rows, ${columns.length} columns`,
  };
}
