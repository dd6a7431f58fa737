// The grid of all heads: its layers, in the order of the computation, and the rows that they take.

import { layersOf } from './head_of_picture.js';

/** @import { Thumbnail } from '../../types' */

/** { lines: [[part, thumbnails]], heads: max heads of a layer } */
export function gridOf(thumbnails) {
  const lines = [...layersOf(thumbnails)];
  return { lines, heads: Math.max(0, ...lines.map(([, list]) => list.length)) };
}

/**
 * Lines of at most `room` heads. A layer that has more takes several lines of about the same length; `heads`: columns
 * that are needed. `first`: the first head of each line; `isPart`: it is not the whole layer.
 * @param {{ heads: Thumbnail[], part?: string, title?: string }[]} lines
 * @param {number} room
 */
export function wrapLines(lines, room) {
  const wrapped = lines.flatMap((line) => {
    const { heads } = line;
    const count = Math.ceil(heads.length / Math.max(1, room));
    const length = Math.ceil(heads.length / count);
    return Array.from({ length: count }, (_, at) => ({
      ...line,
      heads: heads.slice(at * length, (at + 1) * length),
      first: at * length,
      isPart: count > 1,
    }));
  });
  return { lines: wrapped, heads: Math.max(0, ...wrapped.map(({ heads }) => heads.length)) };
}
