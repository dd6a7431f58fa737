// The head that is pointed at, focused or selected, enlarged beside the grid of all heads: its picture, what it does, and
// a switch for heads of a model.

import { element, write } from '../element.js';
import { createHeadPicture } from './head_picture.js';

/** `hover(tile, place | null)`, `choose(tile, place)` and `turnOff(tile)`. */
export function createLargeHead({ hover, choose, turnOff }) {
  let tile = null;
  let drawn = null; // arguments that the picture was drawn with
  const picture = createHeadPicture((place) => hover(tile, place));
  picture.element.addEventListener('click', (event) => choose(tile, picture.placeOf(event)));
  const name = element('b');
  const says = element('div', { class: 'says' });
  const offSwitch = element('button', { type: 'button', class: 'quiet off-switch' });
  offSwitch.addEventListener('click', () => turnOff(tile));
  const root = element(
    'div',
    { class: 'large-head', hidden: true },
    name,
    picture.element,
    says,
    offSwitch,
  );

  return {
    element: root,
    /** `place`: marked row and column, or null. */
    show(next, place) {
      root.hidden = !next?.shown;
      if (root.hidden) return;
      tile = next;
      const { title, words, does, rows, columns, off } = tile.shown;
      write(name, `${title}, head ${tile.head + 1}`);
      const lines = [`looks at about ${words}`, ...does];
      if (says.dataset.says !== lines.join()) {
        says.dataset.says = lines.join();
        says.replaceChildren(...lines.map((line) => element('p', {}, line)));
      }
      picture.element.style.setProperty('--shape', `${columns} / ${rows}`);
      if (drawn !== tile.shown) picture.show(tile.shown);
      drawn = tile.shown;
      picture.point(place);
      Object.assign(root.dataset, { part: tile.part, head: tile.head });
      root.classList.toggle('off', off === true);
      offSwitch.hidden = off === undefined;
      write(offSwitch, off ? 'Switch it on' : 'Switch it off');
    },
  };
}
