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

/** Fills `element`'s box; `select` and `hover` are given { row, column }, hover null for nothing. */
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

  return {
    show(picture, selection, settings = {}) {
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
      shown = wanted;
    },
    toSVG: ({ dark } = {}) => map.toSVG({ dark }),
  };
}

/** What the heat map is given for one head at one stage. */
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
