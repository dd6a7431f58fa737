// The links between two columns of words: which are drawn, how, and how they are written as SVG.

import { visibleText } from 'attention-wasm/heatmap';
import { schemeObservable10 } from 'd3-scale-chromatic';
import { svgDocument, svgElement, writeSVG } from '../svg_element.js';

const maxLinks = 6000;
const faintest = 0.004; // weights below cannot be seen
const atOnce = 100; // of the strongest links, with every letter
const batch = 200; // links that are drawn in a fraction of a frame
const patience = 250; // ms until the weaker ones are drawn, which can hardly be seen

export const colorOfHead = (head) => schemeObservable10[head % schemeObservable10.length];

/**
 * The links to draw, the strongest last, negative ones among them: { row, column, head, weight }. `of`: { row } or { column } for those
 * of one word only.
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

// Of many links only the strongest are drawn: counted in bins, so that the others are never listed.
function lowestDrawn(weights, { heads, size, threshold }) {
  const lowest = Math.max(threshold, faintest);
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
 * A curve from the left edge to the right one: [x0, y0, x1, y1, x2, y2, x3, y3] of a Bézier. Heads run beside
 * each other, so that none hides another.
 */
export function curveOf({ row, column, head }, { width, middles, strands }) {
  const beside = strands > 1 ? (head - (strands - 1) / 2) * Math.min(3, 12 / strands) : 0;
  const [y0, y1] = [middles.rows[row] + beside, middles.columns[column] + beside];
  return [0, y0, 0.45 * width, y0, 0.55 * width, y1, width, y1];
}

export function strokeOf({ weight, head }, { strands, blue }) {
  const color = strands > 1 ? colorOfHead(head) : blue;
  const opacity = Math.min(1, Math.abs(weight));
  return { color, opacity, width: 1 + 2 * opacity, dash: weight < 0 ? [3, 3] : [] };
}

/** Those of the links that cross a strip from `top` on. */
export function crossing(links, { rows, columns }, { top, height }) {
  const margin = 16; // for lines beside each other
  return links.filter(({ row, column }) => {
    const [from, to] = [rows[row], columns[column]];
    return Math.max(from, to) > top - margin && Math.min(from, to) < top + height + margin;
  });
}

/**
 * Draws the strongest links at once, and once the hands are still the others below them, some in every frame:
 * there can be thousands, and the next letter must not wait for them. Returns a function that gives up the rest.
 */
export function drawLinks(context, links, place) {
  let left = links.length - atOnce;
  let frame = 0;
  const goOn = () => {
    context.globalCompositeOperation = 'destination-over';
    drawSome(context, links.slice(Math.max(0, left - batch), left).reverse(), place);
    left -= batch;
    if (left > 0) frame = requestAnimationFrame(goOn);
  };
  // To draw above what is there is quicker than to draw below it.
  context.globalCompositeOperation = 'source-over';
  drawSome(context, links.slice(Math.max(0, left)), place);
  const rest = left > 0 ? setTimeout(goOn, patience) : 0;
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

/** The whole view as a picture: { rows, columns } are words, `links` as drawn, `place` as on the page. */
export function linesToSVG({ rows, columns, links, place, colors, family }) {
  const side = 150; // for words
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
  const title = 'Attention weights as lines';
  return writeSVG(
    svgDocument(
      { width: width + 2 * side, height, title, family, surface: colors.surface },
      svgElement('g', { transform: `translate(${side} 0)`, fill: 'none' }, paths),
      svgElement('g', { fill: colors.ink }, [
        ...words(rows, middles.rows, side - 10, 'end'),
        ...words(columns, middles.columns, side + width + 10, 'start'),
      ]),
    ),
  );
}
