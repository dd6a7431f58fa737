// Compact page for an <iframe>: the picture of a link, with pointer, keys and read-out, and a link to the full page.

import { headIn, placeIn } from '../../positions.js';
import { selecting } from '../../state_fields.js';
import { tokensAt } from '../../state/selection.js';
import { settingsOf } from '../../state/settings.js';
import { readAddress, writeAddress } from '../address.js';
import { visibly, write } from '../element.js';
import { captionOf } from '../exports/caption.js';
import { showMessage, showProgress } from '../notices.js';
import { readPalette } from '../palette.js';
import { prerendered } from '../prerendered.js';
import { cellOf, createReadout } from '../readout.js';
import { createViews } from '../view_switch.js';
import { connectWorker } from '../worker_link.js';
import { createState } from './embed_state.js';

const find = (selector) => document.querySelector(selector);
// Row and column titles by mode and source.
const elsewhere = new Map([
  ['lookup', 'The soft lookup is on the whole page.'],
  ['learn', 'Training is on the whole page.'],
  ['files', 'This picture is of files, which stay with whoever opened them.'],
  ['own', 'This picture is of a model that stays with whoever opened it.'],
]);

let palette = readPalette();
let hovered = null;
let problem = '';
let fetching = 0; // views being loaded
let isAwaited = false; // the picture of the latest request is due
const nothing = { picture: null, facts: null };
let sent = nothing; // posted by the worker, which does not send it twice
let shown = nothing;

const state = createState(readAddress(location.hash), (now, changed) => {
  hovered = null;
  const isSelection = changed.every((name) => selecting.includes(name));
  if (!isSelection || now.sort === 'read') ask(now);
  render();
});
const readout = createReadout(find('.readout'));
const views = createViews(find('.stage'), {
  wait,
  select(chosen) {
    state.change(tokensAt(shown.picture, chosen));
  },
  hover(next) {
    hovered = next;
    render();
  },
  change: (part) => state.change(part),
  nextWords: (...tokens) => link.nextWords(...tokens),
});

const link = connectWorker({
  sources() {},
  isAwaited: () => isAwaited,
  shown({ picture, facts, isLatest, isWhole }) {
    if (isLatest && isWhole) isAwaited = false;
    if (facts) sent = { picture, facts };
    shown = sent;
    render();
  },
  inspected() {},
  progress: showProgress,
  problem({ message, isOfPicture }) {
    if (isOfPicture) isAwaited = false;
    problem = `Nothing can be computed here: ${message}.`;
    render();
  },
});

/** Views are loaded when they are first shown. */
async function wait(promise) {
  ++fetching;
  try {
    return await promise;
  } finally {
    --fetching;
    queueMicrotask(render);
  }
}

/** The reason why there is no picture, or ''. */
const missing = ({ mode, source }) => elsewhere.get(mode) ?? elsewhere.get(source) ?? '';

function ask(now) {
  problem = missing(now);
  if (problem !== '') shown = nothing;
  else if (prerendered(now)) shown = prerendered(now);
  else {
    isAwaited = true;
    link.show(now);
  }
}

function render() {
  const now = state.get();
  const { picture, facts } = shown;
  const settings = settingsOf(now, picture, palette);
  const at = picture && {
    ...placeIn(picture, now),
    part: picture.part,
    head: headIn(picture, now.head),
    hovered: hovered ?? undefined,
  };
  views.show(picture, at, settings, { state: now, facts });
  readout.show(picture && cellOf(picture, { ...at, ...hovered }, now.stage));
  const caption = picture
    ? captionOf({ state: now, facts, picture, selection: at, settings })
    : ['Attention', ''];
  write(find('h1'), caption[0]);
  write(find('.how'), caption[1]);
  document.title = `Attention: ${visibly(caption[0])}`;
  find('.back a').href = `./${writeAddress(now)}`;
  showMessage(picture || isAwaited ? problem : problem || 'There is no text.', {
    problem: problem !== '',
  });
  showProgress(isAwaited && null);
  find('main').dataset.waiting = String(fetching > 0 || isAwaited);
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  palette = readPalette();
  render();
});
addEventListener('hashchange', () => state.change(readAddress(location.hash)));
// Prevents the browser from navigating to a dropped file.
for (const type of ['dragover', 'drop']) {
  document.addEventListener(type, (event) => event.preventDefault());
}
ask(state.get());
render();
