// The picture that an image model looks at, its patches shaded by what the one that is read attends to: red around the
// patch being read, blue where it looks. A click reads another.

import { rowOf } from '../../places.js';
import { element, write } from '../element.js';

const most = 288; // px

/** `read(row)` of the drawn picture. */
export function createPatches(root, { read }) {
  const canvas = element('canvas', { role: 'img', 'aria-label': 'The picture' });
  const says = element('p', { class: 'hint' });
  root.append(canvas, says);
  let bitmap = null;
  let shown = null; // { picture, grid }

  canvas.addEventListener('click', ({ offsetX, offsetY }) => {
    if (!shown) return;
    const [rows, columns] = shown.grid;
    const y = Math.min(rows - 1, Math.floor((offsetY / canvas.clientHeight) * rows));
    const x = Math.min(columns - 1, Math.floor((offsetX / canvas.clientWidth) * columns));
    const token = 1 + y * columns + x;
    const row = shown.picture.rowTokens.findIndex((tokens) => tokens.includes(token));
    if (row >= 0) read(row);
  });

  /** Draws at the place of a patch; token 0 stands for the whole and has none. */
  function atPatch(token, [rows, columns], draw) {
    if (token === 0) return;
    const [width, height] = [canvas.width / columns, canvas.height / rows];
    draw(
      ((token - 1) % columns) * width,
      Math.floor((token - 1) / columns) * height,
      width,
      height,
    );
  }

  return {
    /** What is looked at from now on; null for nothing. */
    see(next) {
      bitmap?.close();
      bitmap = next;
      root.hidden = !bitmap;
    },

    /** `at` { row, column, head } of a picture whose tokens are the patches of a grid. */
    show(picture, grid, at, palette) {
      shown = picture && grid ? { picture, grid } : null;
      if (!bitmap) return;
      const ratio = Math.min(1, most / Math.max(bitmap.width, bitmap.height));
      const scale = Math.max(ratio, Math.floor(most / Math.max(bitmap.width, bitmap.height)));
      canvas.width = Math.round(bitmap.width * scale);
      canvas.height = Math.round(bitmap.height * scale);
      const context = canvas.getContext('2d');
      context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
      if (!shown) return;
      const weights = rowOf(picture, 'weights', at.head, at.row);
      const top = Math.max(...weights);
      context.fillStyle = palette.blue;
      weights.forEach((weight, column) => {
        context.globalAlpha = top > 0 ? (0.85 * Math.max(0, weight)) / top : 0;
        atPatch(picture.columnTokens[column][0], grid, (...place) => context.fillRect(...place));
      });
      context.globalAlpha = 1;
      context.lineWidth = 3;
      for (const [color, token] of [
        [palette.blue, picture.columnTokens[at.column][0]],
        [palette.red, picture.rowTokens[at.row][0]],
      ]) {
        context.strokeStyle = color;
        atPatch(token, grid, (x, y, w, h) => context.strokeRect(x + 1.5, y + 1.5, w - 3, h - 3));
      }
      const { text, special } = picture.rows[at.row];
      const reader = special
        ? `${text}, which stands for the whole,`
        : `The patch in row ${text.replace(',', ', column ')}`;
      write(says, `${reader} looks where it is blue.`);
    },
  };
}
