// Chart of the loss over the steps, with the current step marked.

import { svgElement } from '../svg_element.js';

const size = { width: 480, height: 150, left: 36, right: 6, top: 8, bottom: 6 };
const maxPoints = 400;

/** Means of at most `maxPoints` groups of neighbors: [step, loss], steps from 1. */
export function pointsOf(losses) {
  const group = Math.max(1, Math.ceil(losses.length / maxPoints));
  return Array.from({ length: Math.ceil(losses.length / group) }, (_, at) => {
    const some = losses.slice(at * group, (at + 1) * group);
    const loss = some.reduce((sum, one) => sum + one, 0) / some.length;
    return [at * group + (some.length + 1) / 2, loss];
  });
}

/** The top of the chart: at first the loss is that of guessing, and a short peak is cut. */
const topOf = (losses) => Math.ceil(2.2 * (losses[0] ?? 1)) / 2;

export function createLossCurve() {
  const line = svgElement('polyline');
  const here = svgElement('line', { class: 'here', y1: size.top, y2: size.height - size.bottom });
  const grid = svgElement('g');
  const root = svgElement(
    'svg',
    { class: 'curve', role: 'img', viewBox: `0 0 ${size.width} ${size.height}` },
    grid,
    here,
    line,
  );
  let drawnTop = 0;

  return {
    element: root,
    /** `step`: the current one, of `losses.length`. */
    show(losses, step) {
      const top = topOf(losses);
      const x = (at) =>
        size.left + (at / Math.max(1, losses.length)) * (size.width - size.left - size.right);
      const y = (loss) =>
        size.height -
        size.bottom -
        Math.min(1, loss / top) * (size.height - size.top - size.bottom);
      if (top !== drawnTop) {
        drawnTop = top;
        grid.replaceChildren(
          ...[0, top / 2, top].flatMap((at) => [
            svgElement('line', {
              x1: size.left,
              x2: size.width - size.right,
              y1: y(at),
              y2: y(at),
            }),
            svgElement(
              'text',
              { x: size.left - 5, y: y(at) + 4, 'text-anchor': 'end' },
              String(at),
            ),
          ]),
        );
      }
      const points = pointsOf(losses).map(
        ([at, loss]) => `${x(at).toFixed(1)},${y(loss).toFixed(1)}`,
      );
      line.setAttribute('points', points.join(' '));
      here.setAttribute('x1', x(step));
      here.setAttribute('x2', x(step));
      const ends = `from ${losses[0]?.toFixed(2)} to ${losses.at(-1)?.toFixed(4)}`;
      const label =
        losses.length > 0 ? `Loss of ${losses.length} steps, ${ends}` : 'Loss: no step yet';
      root.setAttribute('aria-label', label);
    },
  };
}
