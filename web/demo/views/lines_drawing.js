// The links between two columns of words: which are drawn, how, and how they are written as SVG.

import { schemeObservable10 } from 'd3-scale-chromatic';

const mostLinks = 6000;
const faintest = 0.004; // weights below cannot be seen

export const colorOfHead = (head) => schemeObservable10[head % schemeObservable10.length];

/**
 * The links to draw, the strongest last: { row, column, head, weight }. `of`: { row } or { column } for those
 * of one word only.
 */
export function linksOf({ weights, heads, rows, columns, of = null, threshold = 0 }) {
  const least = Math.max(threshold, faintest);
  const links = [];
  const size = rows * columns;
  for (const head of heads) {
    for (let row = of?.row ?? 0; row < (of?.row === undefined ? rows : of.row + 1); row++) {
      const [from, to] = of?.column === undefined ? [0, columns] : [of.column, of.column + 1];
      for (let column = from; column < to; column++) {
        const weight = weights[head * size + row * columns + column];
        if (weight >= least) links.push({ row, column, head, weight });
      }
    }
  }
  links.sort((one, other) => one.weight - other.weight);
  return links.slice(-mostLinks);
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

export function strokeOf({ weight, head }, { average, blue }) {
  return {
    color: average ? blue : colorOfHead(head),
    opacity: Math.min(1, weight),
    width: 1 + 2 * weight,
  };
}

export function drawLinks(context, links, place) {
  for (const link of links) {
    const [x0, y0, ...rest] = curveOf(link, place);
    const { color, opacity, width } = strokeOf(link, place);
    context.beginPath();
    context.moveTo(x0, y0);
    context.bezierCurveTo(...rest);
    Object.assign(context, { strokeStyle: color, globalAlpha: opacity, lineWidth: width });
    context.stroke();
  }
  context.globalAlpha = 1;
}

/** The whole view as a picture: { rows, columns } are words, `links` as drawn, `place` as on the page. */
export function linesToSVG({ rows, columns, links, place, colors, family }) {
  const side = 150;
  const { width, height } = place;
  const number = (value) => String(Math.round(value * 100) / 100);
  const paths = links.map((link) => {
    const [x0, y0, ...rest] = curveOf(link, place).map(number);
    const stroke = strokeOf(link, place);
    return (
      `<path d="M${x0} ${y0}C${rest.join(' ')}" stroke="${escape(stroke.color)}" ` +
      `stroke-opacity="${number(stroke.opacity)}" stroke-width="${number(stroke.width)}"/>`
    );
  });
  const words = (list, middles, x, anchor) =>
    list.map(
      (text, at) =>
        `<text x="${x}" y="${number(middles[at])}" dy="0.35em" text-anchor="${anchor}">${escape(text)}</text>`,
    );
  const total = width + 2 * side;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${number(total)}" height="${number(height)}" viewBox="0 0 ${number(total)} ${number(height)}" font-family="${escape(family)}" font-size="14" role="img">`,
    '<title>Attention weights as lines</title>',
    `<rect width="100%" height="100%" fill="${escape(colors.surface)}"/>`,
    `<g transform="translate(${side} 0)" fill="none">`,
    ...paths,
    `</g><g fill="${escape(colors.ink)}">`,
    ...words(rows, place.middles.rows, side - 10, 'end'),
    ...words(columns, place.middles.columns, side + width + 10, 'start'),
    '</g></svg>\n',
  ].join('\n');
}

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escape(text) {
  return text
    .replace(/[&<>"]/g, (character) => entities[character])
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '�');
}
