// The ways to take along what is shown. Each is given that and { paper, showText(text) }, and says what it did.

import { tooLongToShare, writeAddress } from '../address.js';
import { captionOf } from './caption.js';
import { toCSV, toJSON } from './data_files.js';
import { toJavaScript } from './javascript_lines.js';
import { paint, pictureFile } from './picture_file.js';
import { copy, save } from './save_file.js';

function drawn(shown, paper) {
  const dark = { page: undefined, light: false, dark: true }[paper];
  const { views, settings } = shown;
  return pictureFile(views.get(settings.view), captionOf(shown), { dark, ...settings });
}

async function give(text, showText, what, more = '') {
  showText(text);
  const done = await copy(text);
  return `${what} ${done ? 'on the clipboard' : 'here to be copied'}.${more}`;
}

export const ways = {
  async png(shown, { paper }) {
    save('attention.png', await paint(drawn(shown, paper), 2), 'image/png');
    return 'attention.png is saved, at twice the size of the screen.';
  },
  svg(shown, { paper }) {
    save('attention.svg', drawn(shown, paper).svg, 'image/svg+xml');
    return 'attention.svg is saved.';
  },
  csv({ picture, selection, settings }) {
    const { stage } = settings;
    const name = stage === 'weights' ? 'attention.csv' : `attention-${stage}.csv`;
    save(name, toCSV(picture, selection, settings), 'text/csv');
    return `${name} is saved: the numbers of the stage and head that are shown.`;
  },
  async json({ picture, state, facts, tensors }) {
    save('attention.json', toJSON(picture, state, facts, await tensors()), 'application/json');
    return 'attention.json is saved: texts, settings, queries, keys, values, scores and weights.';
  },
  javascript({ state, facts }, { showText }) {
    if (facts.fixed) return `${facts.fixed} Nothing is computed for them.`;
    return give(toJavaScript(state, facts), showText, 'The lines are');
  },
  link({ state }, { showText }) {
    const address = new URL(writeAddress(state) || '#', location.href).href;
    const long = tooLongToShare(state) ? ' A text is too long for a link and stays out of it.' : '';
    const files = state.source === 'files' ? ' Files stay on this machine.' : '';
    return give(address, showText, 'The link is', long + files);
  },
  print() {
    print();
    return '';
  },
};
