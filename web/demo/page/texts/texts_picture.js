// The texts with their rays as SVG, for picture files: words where the page has them, in the colors of the file.

import { visibleText } from 'attention-wasm/heatmap';
import { svgElement } from '../svg_element.js';
import { dashes } from './rays.js';

/** @import { DrawnRay } from './rays.js' */

const margin = 16;
const corner = 5;

/**
 * A group, and its size in CSS pixels. `frame`: the element that has the texts; `lines`: { element, shades, read, looked }
 * of each; `color(weight)`: fill and text of a word; `colors`: { ink, muted, blue, red, onRed, surface }.
 * @param {{ frame: Element, lines: object[], rays: DrawnRay[], color: (weight: number) => { fill: string, text: string },
 * colors: { ink: string, muted: string, blue: string, red: string, onRed: string, surface: string } }} drawn
 */
export function textsPicture({ frame, lines, rays, color, colors }) {
  const { left, top } = frame.getBoundingClientRect();
  const drawn = lines.map((line) => lineOf(line, { left, top, color, colors }));
  const boxes = drawn.flatMap((line) => line.boxes);
  const labels = rays.flatMap(({ label, says }) =>
    label ? [{ x: label.x - 8 * says.length, width: 16 * says.length, y: label.y - 14 }] : [],
  );
  const tops = rays.flatMap(({ curve }) => [(curve[0].y + 3 * curve[1].y) / 4 - 6]);
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...[...boxes, ...labels].map((box) => box.y), ...tops);
  const right = Math.max(...[...boxes, ...labels].map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return {
    element: svgElement(
      'g',
      { class: 'texts', transform: `translate(${round(margin - x)} ${round(margin - y)})` },
      raysOf(rays, colors),
      drawn.flatMap(({ shown }) => shown),
    ),
    width: Math.ceil(right - x + 2 * margin),
    height: Math.ceil(bottom - y + margin),
  };
}

/** @param {number} length */
const round = (length) => Math.round(100 * length) / 100;

function raysOf(rays, { blue, muted, surface }) {
  const colorOf = ({ to, isBlocked }) => (to === null || isBlocked ? muted : blue);
  const paths = rays.map((ray) =>
    svgElement('path', {
      ...{ d: ray.d, fill: 'none', stroke: colorOf(ray), 'stroke-width': ray.width },
      ...{ opacity: ray.opacity, 'stroke-linecap': ray.isBlocked ? 'butt' : 'round' },
      ...(ray.isBlocked && { pathLength: 100, 'stroke-dasharray': dashes }),
    }),
  );
  const labels = rays.flatMap((ray) => {
    if (!ray.label) return [];
    const { x, y, anchor } = ray.label;
    const own = { x, y, 'text-anchor': anchor, 'font-size': 15, 'font-weight': 600 };
    const halo = { stroke: surface, 'stroke-width': 4, 'stroke-linejoin': 'round' };
    // A halo of its own: not all programs know paint-order.
    return [
      svgElement('text', { ...own, ...halo, fill: surface }, ray.says),
      svgElement('text', { ...own, fill: colorOf(ray) }, ray.says),
    ];
  });
  return [...paths, ...labels];
}

/** The words of a line, and the text between them. */
function lineOf({ element, shades, read, looked }, { left, top, color, colors }) {
  const { fontFamily, fontSize, font, direction } = getComputedStyle(element);
  const context = /** @type {CanvasRenderingContext2D} */ (
    document.createElement('canvas').getContext('2d')
  );
  context.font = font;
  const { fontBoundingBoxAscent: ascent } = context.measureText('x');
  const inFrame = ({ x, y, width, height }) => ({ x: x - left, y: y - top, width, height });
  const boxes = [];
  const shown = [];
  const range = document.createRange();
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = /** @type {Text} */ (node);
    if (text.data.trim() === '') continue;
    range.selectNodeContents(text);
    const box = inFrame(range.getBoundingClientRect());
    boxes.push(box);
    const option = /** @type {HTMLElement | null | undefined} */ (
      text.parentElement?.closest('[role="option"]')
    );
    const index = option ? Number(option.dataset.index) : -1;
    const look = lookOf(index, { shades, read, looked, color, colors });
    if (look.fill) {
      shown.push(svgElement('rect', { ...box, rx: corner, fill: look.fill, ...look.outline }));
    }
    shown.push(
      svgElement(
        'text',
        {
          ...{ x: direction === 'rtl' ? box.x + box.width : box.x, y: box.y + ascent },
          ...{ fill: look.ink, 'font-family': fontFamily, 'font-size': parseFloat(fontSize) },
          // The same width in every font, so that rays meet their words.
          ...{ textLength: box.width, lengthAdjust: 'spacingAndGlyphs', direction },
          'xml:space': 'preserve',
        },
        visibleText(text.data),
      ),
    );
  }
  return { boxes, shown };
}

function lookOf(index, { shades, read, looked, color, colors }) {
  if (index === -1) return { ink: colors.ink };
  if (index === read) return { fill: colors.red, ink: colors.onRed };
  const weight = shades?.[index];
  if (typeof weight !== 'number') return { ink: weight === null ? colors.muted : colors.ink };
  const { fill, text } = color(weight);
  const outline = index === looked ? { stroke: colors.blue, 'stroke-width': 2 } : {};
  return { fill, ink: text, outline };
}
