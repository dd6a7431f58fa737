// Exports: a picture, the numbers, lines of code, a link, a sheet of paper.

import { tooLongToShare, writeAddress } from '../address.js';
import { captionOf } from './caption.js';
import { toCSV, toJSON } from './data_files.js';
import { toJavaScript } from './javascript_lines.js';
import { paint, pictureFile } from './picture_file.js';
import { copy, save } from './save_file.js';

/** `now()` returns what is shown: { state, picture, facts, selection, settings, views, tensors() }. */
export function createTakeAway(root, now) {
  const says = root.querySelector('.exported');
  const copied = root.querySelector('.copied');
  const drawn = (shown) => {
    const { value } = root.querySelector('[name="paper"]:checked');
    const dark = { page: undefined, light: false, dark: true }[value];
    const { views, settings } = shown;
    return pictureFile(views.get(settings.view), captionOf(shown), { dark, ...settings });
  };

  const ways = {
    async png(shown) {
      save('attention.png', await paint(drawn(shown), 2), 'image/png');
      return 'attention.png is saved, at twice the size of the screen.';
    },
    svg(shown) {
      save('attention.svg', drawn(shown).svg, 'image/svg+xml');
      return 'attention.svg is saved.';
    },
    csv({ picture, selection, settings }) {
      save('attention.csv', toCSV(picture, selection, settings), 'text/csv');
      return 'attention.csv is saved: the numbers of the stage and head that are shown.';
    },
    async json({ picture, state, facts, tensors }) {
      save('attention.json', toJSON(picture, state, facts, await tensors()), 'application/json');
      return 'attention.json is saved: texts, settings, queries, keys, values, scores and weights.';
    },
    javascript: ({ state, facts }) => give(toJavaScript(state, facts), 'The lines are'),
    link({ state }) {
      const address = new URL(writeAddress(state) || '#', location.href).href;
      const long = tooLongToShare(state)
        ? ' A text is too long for a link and stays out of it.'
        : '';
      const files = state.source === 'files' ? ' Files stay on this machine.' : '';
      return give(address, 'The link is', long + files);
    },
    print() {
      print();
      return '';
    },
  };

  async function give(text, what, more = '') {
    copied.hidden = false;
    copied.value = text;
    copied.rows = Math.min(14, text.split('\n').length + 1);
    const done = await copy(text);
    return `${what} ${done ? 'on the clipboard' : 'here to be copied'}.${more}`;
  }

  for (const button of root.querySelectorAll('[data-export]')) {
    button.addEventListener('click', async () => {
      copied.hidden = true;
      const shown = now();
      try {
        says.textContent = shown.picture
          ? await ways[button.dataset.export](shown)
          : 'There is no picture yet: write a text first.';
      } catch (error) {
        says.textContent = `That could not be made: ${error.message}.`;
      }
    });
  }
}
