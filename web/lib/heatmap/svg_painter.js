// Painter that writes SVG.

import { isRightToLeft } from './labels.js';
import { rasterOf } from './raster.js';

const box = (x, y, width, height, rx) => ({ x, y, width, height, rx: rx || undefined });

/** document() returns the SVG document, with a background color and a title. */
export function createSVGPainter({ family, width, height, surface, title }) {
  const elements = [];
  let definitions = '';
  let ids = 0;
  const add = (...args) => elements.push(element(...args));

  /** Adds a definition; returns a reference to it, for fill or clip-path. */
  function define(name, kind, attributes, content) {
    const id = `heatmap-${kind}-${ids++}`;
    definitions += element(name, { id, ...attributes }, content);
    return `url(#${id})`;
  }

  function group(attributes, paint) {
    elements.push(element('g', attributes, '').slice(0, -4));
    paint();
    elements.push('</g>');
  }

  return {
    fill: (x, y, w, h, radius, fill) => add('rect', { ...box(x, y, w, h, radius), fill }),
    stroke: (x, y, w, h, radius, stroke, thickness) =>
      add('rect', { ...box(x, y, w, h, radius), fill: 'none', stroke, 'stroke-width': thickness }),
    dot: (cx, cy, r, fill) => add('circle', { cx, cy, r, fill }),
    marker: (x, y, size, fill) =>
      add('path', { d: `M${number(x)} ${number(y)}l${-size} ${-1.5 * size}h${2 * size}z`, fill }),
    gradient(x, y, w, h, colors) {
      const stops = colors
        .filter((_, i) => i % 5 === 0)
        .map((color, i, { length }) =>
          element('stop', { offset: i / (length - 1), 'stop-color': color }),
        );
      const fill = define('linearGradient', 'scale', {}, stops.join(''));
      add('rect', { ...box(x, y, w, h, 2), fill });
    },
    hatch(x, y, w, h, stroke) {
      const lines = { d: 'M-1 6L6 -1M-1 1L1 -1M4 6L6 4', stroke };
      const fill = define(
        'pattern',
        'hatch',
        { width: 5, height: 5, patternUnits: 'userSpaceOnUse' },
        element('path', { ...lines, 'stroke-width': 0.75, 'stroke-opacity': 0.55 }),
      );
      add('rect', { ...box(x, y, w, h), fill });
    },
    // Runs of one color in a row are one stroke of that color's path.
    pixels(scene, x, y, cellWidth, cell) {
      const { width: wide, height: high, pixels } = rasterOf(scene);
      const { ramp, bin } = scene;
      const names = new Map(ramp.fill.map((color, i) => [ramp.packed[i], color]));
      const paths = new Map();
      for (let row = 0; row < high; row++) {
        for (let from = 0, to = 0; from < wide; from = to) {
          const pixel = pixels[row * wide + from];
          while (to < wide && pixels[row * wide + to] === pixel) to++;
          if (pixel === 0) continue;
          const path = paths.get(pixel) ?? [];
          path.push(`M${from} ${row}h${to - from}v1H${from}z`);
          paths.set(pixel, path);
        }
      }
      const scale = [cellWidth, cell].map((side) => number(side * bin)).join(' ');
      const matrix = `translate(${number(x)} ${number(y)}) scale(${scale})`;
      group({ transform: matrix, 'shape-rendering': 'crispEdges' }, () => {
        for (const [pixel, path] of paths) {
          elements.push(`<path fill="${names.get(pixel)}" d="${path.join('')}"/>`);
        }
      });
    },
    rotated(x, y, angle, paint) {
      const turn = angle ? ` rotate(${number((angle * 180) / Math.PI)})` : '';
      group({ transform: `translate(${number(x)} ${number(y)})${turn}` }, () => paint(0, 0));
    },
    text(text, _x, y, size, fill, align, weight) {
      // text-anchor "start" is the right end of right-to-left text.
      const rtl = isRightToLeft(text);
      const anchor = align === 'center' ? 'middle' : (align === 'right') === rtl ? '' : 'end';
      const style = { 'font-size': size, 'font-weight': weight };
      const reading = { 'text-anchor': anchor || undefined, direction: rtl ? 'rtl' : undefined };
      add('text', { y, ...style, ...reading, fill }, escape(text));
    },
    clip: (x, y, w, h, paint) =>
      group(
        { 'clip-path': define('clipPath', 'clip', {}, element('rect', box(x, y, w, h))) },
        paint,
      ),
    document: () =>
      `${element(
        'svg',
        {
          xmlns: 'http://www.w3.org/2000/svg',
          width,
          height,
          viewBox: `0 0 ${number(width)} ${number(height)}`,
          'font-family': family,
          role: 'img',
        },
        `\n<title>${escape(title)}</title>\n<defs>${definitions}</defs>\n` +
          `${element('rect', { width: '100%', height: '100%', fill: surface })}\n${elements.join('\n')}\n`,
      )}\n`,
  };
}

/** An element without its undefined attributes. */
function element(name, attributes, content) {
  let start = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) {
      start += ` ${key}="${typeof value === 'number' ? number(value) : escape(value)}"`;
    }
  }
  return content === undefined ? `${start}/>` : `${start}>${content}</${name}>`;
}

function number(value) {
  return Math.round(value * 1000) / 1000;
}

const entities = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };

// Replaces characters that XML does not allow, and lone surrogates.
function escape(text) {
  return String(text)
    .replace(/[&<>"]/g, (character) => `&${entities[character]};`)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '�');
}
