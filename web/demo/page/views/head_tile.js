// Cell of a head in the grid of all heads: a small picture, framed in the color of a score.

import { element } from '../element.js';
import { createHeadPicture } from './head_picture.js';

/**
 * `hover(tile, place | null)`, `choose(tile, place | null)` and `enlarge(tile | null)` are called by pointer and focus; a
 * place is { row, column }.
 */
export function createHeadTile(own, { hover, choose, enlarge }) {
  const picture = createHeadPicture((place) => hover(tile, place));
  const cell = element(
    'div',
    {
      ...{ role: 'gridcell', tabindex: -1, 'data-part': own.part, 'data-head': own.head },
      pointerenter: ({ pointerType }) => pointerType !== 'touch' && enlarge(tile),
      pointerleave: () => enlarge(null),
      click(event) {
        cell.focus();
        choose(tile, picture.element.contains(event.target) ? picture.placeOf(event) : null);
      },
    },
    picture.element,
  );

  const tile = {
    ...own,
    cell,
    picture,
    shown: null, // arguments of show()
    show(shown) {
      if (shown === tile.shown) return;
      tile.shown = shown;
      // `off` is known for heads of a model only.
      cell.classList.toggle('off', shown.off === true);
      picture.show(shown);
    },
    say(label) {
      if (cell.getAttribute('aria-label') !== label) cell.setAttribute('aria-label', label);
    },
    /** Frames the picture with a color; null for none. */
    frame(fill) {
      cell.classList.toggle('framed', fill !== null);
      cell.style.setProperty('--frame', fill ?? '');
    },
  };
  return tile;
}
