// Image input of a vision model, on a canvas: patches shaded by the weights of the selected patch (outlined in red), the
// attended patch outlined in blue. A click selects a patch.

import { stageRow } from '../../positions.js';
import { element } from '../element.js';

const maxSide = 200; // CSS pixels

/** Draws what Patches are shown; `latest()` returns its arguments. */
export function createPatches(latest) {
  const canvas = element('canvas', { role: 'img', 'aria-label': 'The picture' });
  let drawn = null; // the bitmap

  canvas.addEventListener('click', ({ offsetX, offsetY }) => {
    const { seen, read } = latest();
    if (!seen) return;
    const { picture, grid } = seen;
    const [rows, columns] = grid;
    const y = Math.min(rows - 1, Math.floor((offsetY / canvas.clientHeight) * rows));
    const x = Math.min(columns - 1, Math.floor((offsetX / canvas.clientWidth) * columns));
    const token = 1 + y * columns + x;
    const row = picture.rowTokens.findIndex((tokens) => tokens.includes(token));
    if (row >= 0) read(row);
  });

  /** Calls draw() with the box of a patch; token 0, [CLS], has none. */
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
    element: canvas,
    /** `bitmap` may be null; `seen`: see SeenPicture. */
    show({ bitmap, seen, palette }) {
      if (bitmap !== drawn) drawn?.close();
      drawn = bitmap;
      if (!bitmap) return;
      const ratio = Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height));
      const scale = Math.max(ratio, Math.floor(maxSide / Math.max(bitmap.width, bitmap.height)));
      canvas.width = Math.round(bitmap.width * scale);
      canvas.height = Math.round(bitmap.height * scale);
      const context = canvas.getContext('2d');
      context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
      if (!seen) return;
      const { picture, grid, place: at } = seen;
      const weights = stageRow(picture, 'weights', at.head, at.row);
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
    },
  };
}
