// Chart of time over length: one line for each kind of attention, both axes logarithmic.

import { svgElement } from '../../svg_element.js';

const kinds = ['softmax', 'linear'];

const size = { width: 340, height: 196, left: 46, right: 24, top: 10, bottom: 30 };

export function createCostCurve() {
  const root = svgElement('svg', {
    class: 'curve',
    role: 'img',
    viewBox: `0 0 ${size.width} ${size.height}`,
  });

  return {
    element: root,
    /** `points`: [length, { softmax, linear } in ms] in ascending order. */
    show(points) {
      root.setAttribute('aria-label', labelOf(points));
      const lengths = [16, 1024, ...points.map(([length]) => length)];
      const times = points.flatMap(([, costs]) => Object.values(costs));
      const x = scale(lengths, [size.left, size.width - size.right]);
      const y = scale(times.length > 0 ? times : [0.01, 1], [size.height - size.bottom, size.top]);
      root.replaceChildren(
        ...ticks(y.ends).flatMap((at) => [
          rule(size.left, y(at), size.width - size.right, y(at), 'grid'),
          text(size.left - 6, y(at) + 4, String(at), 'end'),
        ]),
        ...[16, 128, 1024]
          .filter((at) => at >= x.ends[0] && at <= x.ends[1])
          .map((at) => text(x(at), size.height - 10, String(at), 'middle')),
        text(2, size.height - 10, 'ms', 'start'),
        ...(points.length > 0 ? kinds : []).flatMap((kind) => {
          const line = points.map(([length, costs]) => [x(length), y(costs[kind])]);
          const [right, top] = line.at(-1);
          return [
            svgElement('polyline', {
              class: kind,
              points: line.map((at) => at.map((part) => part.toFixed(1)).join()).join(' '),
            }),
            // Beside the steeper line, and below the flatter.
            kind === 'softmax'
              ? text(right - 18, top + 10, kind, 'end')
              : text(right, top + 18, kind, 'end'),
          ];
        }),
      );
    },
  };
}

const labelOf = (points) =>
  points.length === 0
    ? 'Time by length: nothing is measured yet'
    : `Time by length, from ${points[0][0]} to ${points.at(-1)[0]} tokens`;

/**
 * Logarithmic scale from one of `ends` to the other.
 * @param {number[]} values
 * @param {number[]} ends
 */
function scale(values, [from, to]) {
  /** @type {[number, number]} */
  const ends = [Math.min(...values), Math.max(...values)];
  const [low, high] = ends.map(Math.log10);
  const range = high - low || 1;
  return Object.assign((value) => from + ((Math.log10(value) - low) / range) * (to - from), {
    ends,
  });
}

/** Powers of ten between the ends. */
function ticks([low, high]) {
  const [from, to] = [Math.ceil(Math.log10(low)), Math.floor(Math.log10(high))];
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => Number(`1e${from + n}`));
}

const rule = (x1, y1, x2, y2, name) => svgElement('line', { x1, y1, x2, y2, class: name });
const text = (x, y, says, anchor) => svgElement('text', { x, y, 'text-anchor': anchor }, says);
