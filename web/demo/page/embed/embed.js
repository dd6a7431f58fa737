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
import { visibly, write } from '../element.js';
import { captionOf } from '../exports/caption.js';
import { showMessage, showProgress } from '../notices.js';
import { readPalette } from '../palette.js';
import { prerendered } from '../prerendered.js';
import { cellOf } from '../cell.js';
import { createReadout } from './readout.js';
import { createViews } from '../view_switch.js';

/** @import { Rows } from '../../state/types' */

const find = (selector) => document.querySelector(selector);
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

const readout = createReadout(find('.readout'));
const views = createViews(find('.stage'), {
  ...{ wait, select: act.select, hover: act.hover, change: act.change, type: act.type },
});

const isWaiting = ({ chosen, awaited }) => missing(chosen) === '' && awaited.picture;
const { worker } = connectWorker({ problem: (message) => store.update(failed, { message }) });
passQuestions(store, worker, readAddress);

/** Views are loaded when they are first shown. */
async function wait(promise) {
  ++fetching;
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
  views.show(picture, at, settings, { state, facts });
  const place = { ...at, ...at?.hovered };
  readout.show(picture && cellOf(picture, place, state.stage), {
    ...{ picture, facts, place, source: state.source, isPercent: settings.isPercent },
  });
  const caption = picture
    ? captionOf({ state, facts, picture, selection: at, settings })
    : ['Attention', ''];
  write(find('h1'), caption[0]);
  write(find('.how'), caption[1]);
  document.title = `Attention: ${visibly(caption[0])}`;
  find('.back a').href = `./${writeAddress(state)}`;
  const problem = why || now.problem;
  const isEmpty = !picture && !isWaiting(now);
  showMessage(problem || (isEmpty ? 'There is no text.' : ''), { problem: problem !== '' });
  showProgress(isWaiting(now) && now.loading);
  find('main').dataset.waiting = String(fetching > 0 || isWaiting(now));
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
store.subscribe(show);
if (!store.get().readyFor) store.update(askPicture);
redraw();
