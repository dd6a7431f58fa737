// Compact page for an <iframe>: the picture of a link, with pointer, keys and read-out, and a link to the full page.

import { failed } from '../../state/answers.js';
import { askPicture, choose } from '../../state/changes.js';
import { placeOf } from '../../state/derived.js';
import { follow, table } from '../../state/questions.js';
import { settingsOf } from '../../state/settings.js';
import { createStore, initialStore, noAnswer } from '../../state/store.js';
import { connectWorker } from '../../worker/client.js';
import { createActions } from '../actions.js';
import { readAddress, writeAddress } from '../address.js';
import { passQuestions } from '../asking.js';
import { hydrate, render } from '../component.jsx';
import { visibly } from '../element.js';
import { captionOf } from '../exports/caption.js';
import { readPalette } from '../palette.js';
import { prerendered } from '../prerendered.js';
import { cellOf } from '../cell.js';
import { shownSentence } from '../sentence/said_sentence.js';
import { EmbedPage, emptyPage } from './embed_page.jsx';

/** @import { Rows } from '../../state/types' */

// Reasons why an embedded page has no picture, by mode and source.
const elsewhere = new Map([
  ['learn', 'Training is on the whole page.'],
  ['files', 'This picture is of files, which stay with whoever opened them.'],
  ['own', 'This picture is of a model that stays with whoever opened it.'],
]);

/** The reason why there is no picture, or ''. */
const missing = ({ mode, source, tour }) =>
  tour === null
    ? (elsewhere.get(mode) ?? elsewhere.get(source) ?? '')
    : 'The tour is on the whole page.';

let palette = readPalette();
let fetching = 0; // views being loaded
const opening = readAddress(location.hash);
/**
 * Pictures alone are asked for.
 * @type {Partial<Rows>}
 */
const rows = {
  picture: {
    ...table.picture,
    isShown: (now) => missing(now.chosen) === '' && table.picture.isShown(now),
  },
};
const store = createStore(initialStore(opening, prerendered(opening)), (now) => follow(now, rows));
const act = createActions(store);

const drawings = { views: null };
const handlers = {
  ...{ wait, select: act.select, hover: act.hover, change: act.change, type: act.type },
};

const isWaiting = ({ chosen, awaited }) => missing(chosen) === '' && awaited.picture;
const { worker } = connectWorker({ problem: (message) => store.update(failed, { message }) });
passQuestions(store, worker, readAddress);

/** Views are loaded when they are first shown. */
async function wait(promise) {
  ++fetching;
  queueMicrotask(redraw);
  try {
    return await promise;
  } finally {
    --fetching;
    queueMicrotask(redraw);
  }
}

function show(now) {
  const { chosen: state } = now;
  const why = missing(state);
  const { picture, facts } = why === '' ? now.answer : noAnswer;
  const settings = settingsOf(state, picture, palette);
  const at = picture && placeOf(now);
  const [title, how] = picture
    ? captionOf({ state, facts, picture, selection: at, settings })
    : ['Attention', ''];
  document.title = `Attention: ${visibly(title)}`;
  const problem = why || now.problem;
  const isEmpty = !picture && !isWaiting(now);
  const stage = {
    ...{ shown: [picture, at, settings, { state, facts }], handlers, drawings },
    ...{ says: problem || (isEmpty ? 'There is no text.' : ''), isProblem: problem !== '' },
    progress: isWaiting(now) && now.loading,
  };
  const shown = {
    ...{ title, how, href: `./${writeAddress(state)}`, stage },
    cell: picture && cellOf(picture, { ...at, ...at.hovered }, state.stage),
    parts: picture && shownSentence(now),
    isWaiting: fetching > 0 || isWaiting(now),
  };
  render(<EmbedPage {...shown} />, document.body);
}

const redraw = () => show(store.get());

/** Another address; the picture that is part of the page needs no worker. */
function go(now, chosen) {
  const ready = prerendered(chosen);
  return ready
    ? { ...initialStore(chosen, ready), asked: now.asked, answers: now.answers }
    : choose(now, chosen);
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  palette = readPalette();
  redraw();
});
addEventListener('hashchange', () => store.update(go, readAddress(location.hash)));
// Prevents the browser from navigating to a dropped file.
for (const type of ['dragover', 'drop']) {
  document.addEventListener(type, (event) => event.preventDefault());
}
hydrate(<EmbedPage {...emptyPage} />, document.body);
store.subscribe(show);
if (!store.get().readyFor) store.update(askPicture);
redraw();
