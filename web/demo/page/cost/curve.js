// Chart of time over length: one line for each kind, both axes logarithmic, the length of the text marked.

import { svgElement } from '../svg_element.js';

/** The kinds of attention whose cost is measured, and their names. */
export const kinds = [
  ['softmax', 'Softmax'],
  ['linear', 'Linear'],
  ['efficient', 'Efficient'],
];

const size = { width: 260, height: 150, left: 34, right: 8, top: 8, bottom: 22 };

export function createCurve() {
  const root = svgElement('svg', {
    class: 'curve',
    role: 'img',
    viewBox: `0 0 ${size.width} ${size.height}`,
  });

  return {
    element: root,
    /** `points`: [length, { kind: ms }] in ascending order; `here`: the length of the text. */
    show(points, here) {
      root.setAttribute('aria-label', labelOf(points));
      const lengths = [...points.map(([length]) => length), here, 16];
      const times = points.flatMap(([, costs]) => Object.values(costs)).filter((one) => one > 0);
      const x = scale(lengths, [size.left, size.width - size.right]);
      const y = scale(times.length > 0 ? times : [0.01, 1], [size.height - size.bottom, size.top]);
      root.replaceChildren(
        ...ticks(y.ends).flatMap((at) => [
          rule(size.left, y(at), size.width - size.right, y(at), 'grid'),
          text(size.left - 4, y(at) + 3, String(at), 'end'),
        ]),
        ...[16, 128, 1024]
          .filter((at) => at >= x.ends[0] && at <= x.ends[1])
          .map((at) => text(x(at), size.height - 8, String(at), 'middle')),
        text(2, size.height - 8, 'ms', 'start'),
        rule(x(here), size.top, x(here), size.height - size.bottom, 'here'),
        ...kinds.map(([kind]) =>
          svgElement('polyline', {
            class: kind,
            points: points
              .filter(([, costs]) => costs[kind] > 0)
              .map(([length, costs]) => `${x(length).toFixed(1)},${y(costs[kind]).toFixed(1)}`)
              .join(' '),
          }),
        ),
      );
    },
  };
}

const labelOf = (points) =>
  points.length === 0
    ? 'Time by length: nothing is measured yet'
    : `Time by length, from ${points[0][0]} to ${points.at(-1)[0]} tokens`;

/** Logarithmic scale from one of `ends` to the other. */
function scale(values, [from, to]) {
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
