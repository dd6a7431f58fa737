// Cell of a head in the grid of all heads: a small picture, or in a large grid one colored square.

import { element } from '../element.js';
import { createHeadPicture } from './head_picture.js';

/**
 * `hover(tile, place | null)`, `choose(tile, place | null)` and `enlarge(tile | null)` are called by pointer and focus; a
 * place is { row, column }, which a square does not have.
 */
export function createHeadTile(own, isLarge, { hover, choose, enlarge }) {
  const picture = isLarge ? null : createHeadPicture((place) => hover(tile, place));
  const cell = element(
    'div',
    {
      ...{ role: 'gridcell', tabindex: -1, 'data-part': own.part, 'data-head': own.head },
      pointerenter: ({ pointerType }) => pointerType !== 'touch' && enlarge(tile),
      pointerleave: () => enlarge(null),
      click(event) {
        cell.focus();
        choose(tile, picture?.element.contains(event.target) ? picture.placeOf(event) : null);
      },
    },
    picture?.element,
  );

  const tile = {
    ...own,
    cell,
    picture,
    shown: null, // arguments of show()
    show(shown) {
      tile.shown = shown;
      // `off` is known for heads of a model only.
      cell.classList.toggle('off', shown.off === true);
      picture?.show(shown);
    },
    say(label) {
      if (cell.getAttribute('aria-label') !== label) cell.setAttribute('aria-label', label);
    },
    /** Fills a square with a color; null for a head whose words are others. */
    paint(fill) {
      cell.classList.toggle('other', fill === null);
      cell.style.backgroundColor = fill ?? '';
    },
  };
  return tile;
}
