// The matrix view: the public heat map, given one head of the picture at one stage.

import { heatmap } from '../../lib/heatmap.js';
import { topWeight, valuesOf } from './head_of_picture.js';

const valueTitles = {
  raw: 'q · k',
  scaled: 'score',
  masked: 'score',
  weights: 'weight',
  difference: 'difference',
};
const seldomZoomed = 2.5; // a matrix whose cells can hardly grow needs no buttons

/** Fills `element`'s box; `select` and `hover` are given { row, column } or a part of it. */
export function createMatrix(element, { select, hover }) {
  element.classList.add('matrix-view');
  const canvas = document.createElement('canvas');
  const buttons = createButtons();
  element.append(canvas, buttons.group);
  let map = null;
  let shown = {};

  function show(picture, selection, settings = {}) {
    const isEmpty = !picture || picture.rows.length === 0 || picture.columns.length === 0;
    canvas.hidden = isEmpty;
    if (isEmpty) {
      buttons.group.hidden = true;
      return;
    }
    const selected = { row: selection.row, column: selection.column };
    const wanted = { picture, head: selection.head, settings: JSON.stringify(settings) };
    const isOther = Object.keys(wanted).some((name) => wanted[name] !== shown[name]);
    if (!map) {
      map = heatmap(canvas, {
        ...optionsFor(picture, selection, settings),
        selected,
        onSelect: ({ row, column }) => select({ row, column }),
        onHover: (cell) => hover(cell && { row: cell.row, column: cell.column }),
        onView: buttons.show,
      });
    } else if (isOther) {
      map.update({ ...optionsFor(picture, selection, settings), selected });
    } else {
      map.select(selected);
    }
    shown = wanted;
    map.hover(selection.hovered ?? null);
  }

  function createButtons() {
    const group = document.createElement('div');
    group.className = 'zoom';
    group.hidden = true;
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', 'Zoom');
    const add = (text, label, act) => {
      const button = document.createElement('button');
      Object.assign(button, { type: 'button', textContent: text, title: label });
      button.setAttribute('aria-label', label);
      button.addEventListener('click', act);
      group.append(button);
      return button;
    };
    const out = add('−', 'Zoom out', () => map.zoomBy(1 / 1.5));
    const into = add('+', 'Zoom in', () => map.zoomBy(1.5));
    const all = add('⤢', 'Show all', () => map.fit());
    return {
      group,
      show({ zoom, mostZoom }) {
        group.hidden = mostZoom < seldomZoomed;
        // Not disabled: a button that has the focus would lose it.
        for (const button of [out, all]) button.setAttribute('aria-disabled', String(zoom <= 1));
        into.setAttribute('aria-disabled', String(zoom >= mostZoom));
      },
    };
  }

  return {
    show,
    zoomIn: () => map?.zoomBy(1.5),
    zoomOut: () => map?.zoomBy(1 / 1.5),
    fit: () => map?.fit(),
    toPNG: (options) => map.toPNG(options),
    toSVG: (options) => map.toSVG(options),
    destroy() {
      map?.destroy();
      element.replaceChildren();
      element.classList.remove('matrix-view');
    },
  };
}

function optionsFor(picture, { head }, settings) {
  const {
    stage = 'weights',
    scaling = 'global',
    colors = 'blues',
    threshold = 0,
    rowTitle = '',
    columnTitle = '',
  } = settings;
  const weights = valuesOf(picture, stage, head);
  const isWeights = stage === 'weights';
  const global = isWeights ? [0, topWeight(weights, picture.columns.length)] : 'global';
  return {
    weights,
    rowLabels: picture.rows.map(({ text }) => text),
    columnLabels: picture.columns.map(({ text }) => text),
    // Before the mask every score is there to be seen.
    unseen: stage === 'raw' || stage === 'scaled' ? null : (picture.hidden ?? null),
    domain: scaling === 'row' ? 'row' : global,
    signed: !isWeights,
    threshold: isWeights ? threshold : 0,
    colors,
    rowTitle,
    columnTitle,
    valueTitle: valueTitles[stage],
    label: `${isWeights ? 'Attention weights' : `Attention, ${valueTitles[stage]}`}: ${picture.rows.length} rows, ${picture.columns.length} columns`,
  };
}
