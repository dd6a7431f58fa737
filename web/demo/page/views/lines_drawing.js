// Links between two columns of words: selection, drawing on a canvas, and SVG export.

import { visibleText } from 'attention-wasm/heatmap';
import { svgDocument, svgElement, writeSVG } from '../svg_element.js';

/** @import { Position } from '../../state/types' */

const maxLinks = 6000;
const minVisible = 0.004; // min visible weight
const immediateLinks = 100; // drawn with every key press, the strongest first
const linksPerFrame = 200;
const delay = 250; // ms before weaker links are drawn, which are barely visible

// Observable's ten categorical colors, schemeObservable10 of d3-scale-chromatic.
const headColors = [
  ...['#4269d0', '#efb118', '#ff725c', '#6cc5b0', '#3ca951'],
  ...['#ff8ab7', '#a463f2', '#97bbf5', '#9c6b4e', '#9498a0'],
];

export const colorOfHead = (head) => headColors[head % headColors.length];

/**
 * Links to draw as { row, column, head, weight }, the strongest last; weights may be negative. `of`: { row } or {
 * column } restricts them to one word.
 * @param {{ weights: Float32Array, heads: number[], rows: number, columns: number, of?: Position | null, threshold?: number
 * }} drawn
 */
export function linksOf({ weights, heads, rows, columns, of = null, threshold = 0 }) {
  const links = [];
  const lowest = lowestDrawn(weights, { heads, size: rows * columns, threshold });
  const [top, bottom] = of?.row === undefined ? [0, rows] : [of.row, of.row + 1];
  const [left, right] = of?.column === undefined ? [0, columns] : [of.column, of.column + 1];
  for (const head of heads) {
    for (let row = top; row < bottom; row++) {
      const line = (head * rows + row) * columns;
      for (let column = left; column < right; column++) {
        const weight = weights[line + column];
        if (Math.abs(weight) >= lowest) links.push({ row, column, head, weight });
      }
    }
  }
  links.sort((one, other) => Math.abs(one.weight) - Math.abs(other.weight));
  return links.slice(-maxLinks);
}

// Min weight for about maxLinks links, found with a histogram instead of sorting all of them.
function lowestDrawn(weights, { heads, size, threshold }) {
  const lowest = Math.max(threshold, minVisible);
  if (heads.length * size <= maxLinks) return lowest;
  const bins = new Uint32Array(1024);
  for (const head of heads) {
    for (let at = head * size; at < (head + 1) * size; at++) {
      const strength = Math.abs(weights[at]);
      if (strength >= lowest) bins[Math.min(1023, Math.floor(strength * 1024))]++;
    }
  }
  let count = 0;
  let bin = 1024;
  while (bin > 0 && count < maxLinks) count += bins[--bin];
  return Math.max(lowest, bin / 1024);
}

/**
 * Control points of a link's Bézier curve: [x0, y0, x1, y1, x2, y2, x3, y3]. Heads are offset from each other, so that
 * none hides another.
 */
function curveOf({ row, column, head }, { width, middles, strands }) {
  const beside = strands > 1 ? (head - (strands - 1) / 2) * Math.min(3, 12 / strands) : 0;
  const [y0, y1] = [middles.rows[row] + beside, middles.columns[column] + beside];
  return [0, y0, 0.45 * width, y0, 0.55 * width, y1, width, y1];
}

function strokeOf({ weight, head }, { strands, blue }) {
  const color = strands > 1 ? colorOfHead(head) : blue;
  const opacity = Math.min(1, Math.abs(weight));
  return { color, opacity, width: 1 + 2 * opacity, dash: weight < 0 ? [3, 3] : [] };
}

/** Links that cross a horizontal strip. */
export function crossing(links, { rows, columns }, { top, height }) {
  const margin = 16; // for the offset of heads
  return links.filter(({ row, column }) => {
    const [from, to] = [rows[row], columns[column]];
    return Math.max(from, to) > top - margin && Math.min(from, to) < top + height + margin;
  });
}

/**
 * Draws the strongest links at once and, after a pause in typing, the others below them, some per frame: thousands of
 * links must not delay the next key press. Returns a function that cancels the rest.
 */
export function drawLinks(context, links, place) {
  let left = links.length - immediateLinks;
  let frame = 0;
  const goOn = () => {
    context.globalCompositeOperation = 'destination-over';
    drawSome(context, links.slice(Math.max(0, left - linksPerFrame), left).reverse(), place);
    left -= linksPerFrame;
    if (left > 0) frame = requestAnimationFrame(goOn);
  };
  // source-over is faster than destination-over.
  context.globalCompositeOperation = 'source-over';
  drawSome(context, links.slice(Math.max(0, left)), place);
  const rest = left > 0 ? setTimeout(goOn, delay) : 0;
  return () => {
    clearTimeout(rest);
    cancelAnimationFrame(frame);
  };
}

function drawSome(context, links, place) {
  for (const link of links) {
    const { color, opacity, width, dash } = strokeOf(link, place);
    const [x0, y0, ...rest] = curveOf(link, place);
    if (dash.length > 0) context.setLineDash(dash);
    Object.assign(context, { strokeStyle: color, globalAlpha: opacity, lineWidth: width });
    context.beginPath();
    context.moveTo(x0, y0);
    context.bezierCurveTo(...rest);
    context.stroke();
    if (dash.length > 0) context.setLineDash([]);
  }
}

/**
 * SVG of the view: `rows` and `columns` are words, `links` the drawn links, `place` their layout; `heads`: drawn heads
 * for the color key, if there are several.
 */
export function linesToSVG({ rows, columns, heads, links, place, colors, family }) {
  const side = 150; // width of a column of words
  const { width, height, middles } = place;
  const paths = links.map((link) => {
    const [x0, y0, ...rest] = curveOf(link, place).map((at) => Math.round(at * 100) / 100);
    const { color, opacity, width: thickness, dash } = strokeOf(link, place);
    return svgElement('path', {
      d: `M${x0} ${y0}C${rest.join(' ')}`,
      stroke: color,
      'stroke-opacity': opacity,
      'stroke-width': thickness,
      ...(dash.length > 0 && { 'stroke-dasharray': dash.join(' ') }),
    });
  });
  const words = (list, places, x, anchor) =>
    list.map((text, at) =>
      svgElement(
        'text',
        { x, y: places[at], dy: '0.35em', 'text-anchor': anchor, 'font-size': 14 },
        visibleText(text),
      ),
    );
  const key = place.strands > 1 ? keyOf(heads, width + 2 * side, colors) : [];
  const top = key.length > 0 ? 32 : 0;
  const title = 'Attention weights as lines';
  return writeSVG(
    svgDocument(
      { width: width + 2 * side, height: height + top, title, family, surface: colors.surface },
      svgElement('g', { class: 'key' }, key),
      svgElement('g', { transform: `translate(${side} ${top})`, fill: 'none' }, paths),
      svgElement('g', { transform: `translate(0 ${top})`, fill: colors.ink }, [
        ...words(rows, middles.rows, side - 10, 'end'),
        ...words(columns, middles.columns, side + width + 10, 'start'),
      ]),
    ),
  );
}

/** Color key: a line and a number for each head. */
function keyOf(heads, width, { ink }) {
  const step = Math.min(72, (width - 16) / heads.length);
  const first = (width - step * heads.length) / 2;
  return heads.flatMap((head, at) => {
    const x = first + at * step;
    return [
      svgElement('line', {
        ...{ x1: x, y1: 14, x2: x + 12, y2: 14 },
        ...{ stroke: colorOfHead(head), 'stroke-width': 4 },
      }),
      svgElement(
        'text',
        { x: x + 17, y: 14, dy: '0.35em', 'font-size': 12, fill: ink },
        step < 60 ? String(head + 1) : `head ${head + 1}`,
      ),
    ];
  });
}
