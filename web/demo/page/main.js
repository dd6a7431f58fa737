// The page: one state, one worker that makes a picture of it, and one way from both to the screen.

import { headIn, placeIn, tokensOf } from '../places.js';
import { drawing, selecting } from '../state_fields.js';
import { fieldsOf } from '../texts.js';
import { longTextsOf, readAddress, writeAddress } from './address.js';
import { createTakeAway } from './exports/take_away.js';
import { createInputs } from './inputs.js';
import { createLater } from './later.js';
import { announce, showMessage, showNote, showProgress, whyEmpty } from './notices.js';
import { readPalette } from './palette.js';
import { createOwnFiles } from './own_files.js';
import { createPlayer } from './player.js';
import { readyMade } from './ready_made.js';
import { cellOf, createReadout, describe } from './readout.js';
import { follow, tokensAt } from './selection.js';
import { createSettings } from './settings_line.js';
import { createState } from './state.js';
import { settingsOf } from './view_settings.js';
import { createText } from './views/text_view.js';
import { createViews } from './views/view_switch.js';
import { connectWorker } from './worker_link.js';

const find = (selector) => document.querySelector(selector);

let sources = [];
let palette = readPalette();
let hovered = null; // a place in the picture
let problem = '';
/** @type {{ picture: import('../types').Picture, facts: import('../types').Facts, inspection: import('../types').Inspection }} */
let shown = {
  picture: null,
  facts: null,
  inspection: null,
  lookup: null,
  ...readyMade(stateOfAddress()),
};
let wanted = null; // the text and the word of an example whose picture is not there yet
let tour = null; // fetched when somebody wants it
let fetching = 0; // parts of the page that are on their way
let isGoing = true; // forwards; not back to where one was
let keeping = 0; // until the address is changed
let isPlaced = true; // the selection is meant for the picture to come

// One can come back from a mode, a view, a step of the tour, and another beginning of a translation.
const isWay = (name) => ['mode', 'view', 'tour', 'begin'].includes(name);

const state = createState(stateOfAddress(), (now, changed) => {
  hovered = null;
  const only = (names) => changed.every((name) => names.includes(name));
  if (only(selecting) && canInspect(now)) inspect();
  else if (!only(drawing)) link.show(now);
  render();
  if (isGoing && changed.some(isWay)) writeHistory('pushState');
  else keepAddress();
});
function change(given) {
  // How a translation begins goes with its texts.
  const isOther = ('text' in given || 'french' in given) && !('begin' in given);
  const part = isOther ? { ...given, begin: '' } : given;
  const { kind, stage } = { ...state.get(), ...part };
  if ('row' in part && ('mode' in part || 'begin' in part)) isPlaced = true;
  if (isGoing && Object.keys(part).some(isWay)) writeHistory('replaceState');
  // Softmax does not differ from itself.
  if (kind === 'softmax' && stage === 'difference') state.change({ ...part, stage: 'weights' });
  else state.change(part);
}
const source = () => sources.find(({ id }) => id === state.get().source) ?? sources[0];

// A selection changes no picture, unless its columns are sorted by the row that is read.
const canInspect = (now) => shown.picture && !link.isComputing() && now.sort !== 'read';

// ---- from the state to the screen ---------------------------------------------------------------

const settingsLine = createSettings(find('.controls'), { change, render, wait });
const inputs = createInputs({
  change,
  typed: (...what) => text.type(...what),
  startExample,
});
const ownFiles = createOwnFiles({
  getState: () => state.get(),
  change,
  open: (file) => link.open('files', file),
  close: (id) => link.close('files', id),
});
const text = createText(find('.sentences'), {
  hover: hoverPlace,
  select: (place) => (place.column === undefined ? read(place.row) : selectPlace(place)),
});
const views = createViews(find('.stage'), { select: selectPlace, hover: hoverPlace, change, wait });
const readout = createReadout(find('.readout'));
// What the first picture does without.
const inspector = createLater(async () => {
  const { createInspector } = await import('./views/inspector.js');
  return createInspector(find('.inspector'), { select: ({ column }) => change({ column }) });
}, wait);
const lookup = createLater(async () => {
  const { createLookup } = await import('./views/lookup.js');
  return createLookup(find('.lookup-room'), (next) => change({ lookup: next }));
}, wait);
const follows = createLater(async () => {
  const { createFollows } = await import('./follow/follows.js');
  return createFollows(find('.follows'), { change, ask: (token) => link.nextWords(token) });
}, wait);
const player = createPlayer(find('#play'), () => {
  const { picture } = shown;
  if (picture) read((place().row + 1) % picture.rows.length);
});
find('#tour-start').addEventListener('click', () => change({ tour: 0 }));
async function showTour() {
  if (!tour && state.get().tour === null) return;
  tour ??= wait(import('./tour/tour.js')).then(({ createTour }) =>
    createTour(find('.tour'), find('#tour-start'), {
      ask: (question) => wait(link.tour(question)),
      go: (step) => change({ tour: step }),
    }),
  );
  (await tour).show(state.get().tour);
}
createTakeAway(find('.take-away'), () => ({
  state: state.get(),
  ...shown,
  selection: shown.picture && place(),
  settings: settings(),
  views,
  tensors: () => link.tensors(),
}));

const link = connectWorker({
  sources({ sources: list }) {
    sources = list;
    inputs.showSources(list);
    render();
  },
  shown({ type: _type, id: _id, isWhole: _isWhole, ...answer }) {
    problem = '';
    const before = shown;
    shown = { ...shown, ...answer };
    if (answer.picture) keepSelection(before);
    render();
  },
  inspected({ inspection }) {
    shown = { ...shown, inspection };
    render();
  },
  progress: showProgress,
  opened(answer) {
    ownFiles.show(answer);
    link.show(state.get());
  },
  // A file that cannot be read changes nothing else.
  refused({ message }) {
    ownFiles.refuse(`${message}.`);
    render();
  },
  problem({ message }) {
    problem = `Nothing can be computed here: ${message}.`;
    render();
  },
});

/** What is fetched belongs to what is waited for. */
async function wait(promise) {
  ++fetching;
  find('main').dataset.waiting = 'true';
  try {
    return await promise;
  } finally {
    --fetching;
    queueMicrotask(render);
  }
}

/** The selection, in places of the picture. */
function place() {
  const { picture } = shown;
  const { head } = state.get();
  return {
    ...placeIn(picture, state.get()),
    part: picture.part,
    head: headIn(picture, head),
    hovered: hovered ?? undefined,
  };
}

/** Asks for what is behind the selection, unless that is here, and nothing is on the way that would replace it. */
function inspect() {
  const { picture, facts, inspection } = shown;
  const { heads } = facts.parts.find(({ id }) => id === facts.part);
  const head = Math.min(state.get().head, heads - 1);
  const wanted = { head, ...tokensOf(picture, place()) };
  const isHere = Object.keys(wanted).every((name) => wanted[name] === inspection?.place[name]);
  if (!isHere || link.isWaiting()) link.inspect(wanted);
}

const settings = () => settingsOf(state.get(), shown.picture, palette);

function render() {
  const now = state.get();
  const { picture, facts } = shown;
  document.body.dataset.mode = now.mode; // what is for one mode only: the style
  inputs.show(now, source(), facts, picture);
  settingsLine.show({ state: now, facts, picture, source: source() });
  showProgress(link.isWaiting() && null);
  showTour();
  find('main').dataset.waiting = String(fetching > 0 || link.isWaiting());
  if (now.mode === 'lookup') {
    lookup.show(now, shown.lookup);
    showMessage(problem, { problem: true });
    return;
  }
  renderPicture();
  const why = picture || !facts ? '' : whyEmpty(now.mode, facts.counts);
  showMessage(problem || why, { problem: problem !== '' });
  showNote(facts, now, picture);
  announce(picture ? describe(cellOf(picture, place())) : '');
}

function renderPicture() {
  const { picture, facts, inspection } = shown;
  const at = picture && place();
  const drawn = settings();
  views.show(picture, at, drawn, { state: state.get(), facts });
  text.show(picture, at, { ...drawn, texts: facts?.texts });
  inputs.alignSheets();
  find('.inspector').hidden = Boolean(facts?.fixed); // there is nothing behind them
  showFollows(at);
  inspector.show(picture && inspection, { ...drawn, note: facts?.note });
  readout.show(picture && cellOf(picture, { ...at, ...hovered }));
}

/** What may be written next, where the model writes; once it is there. */
function showFollows(at) {
  const { mode, source: from } = state.get();
  const { picture, facts } = shown;
  find('.follows').hidden = mode !== 'cross' || from !== 'model';
  if (find('.follows').hidden || !facts || facts.isReadyMade) return;
  const isReady = picture && !facts.unfinished && !link.isComputing();
  follows.show({ state: state.get(), picture, facts, at: isReady ? at : null });
}

// ---- the address and the way back ---------------------------------------------------------------

// Browsers allow an address to be changed only so often.
function keepAddress() {
  clearTimeout(keeping);
  keeping = setTimeout(() => writeHistory('replaceState'), 300);
}

/** What is too long for the address goes beside it, and survives a reload. */
function writeHistory(how) {
  clearTimeout(keeping);
  const now = state.get();
  const address = writeAddress(now) || location.pathname + location.search;
  history[how]({ longTexts: longTextsOf(now) }, '', address);
}

function stateOfAddress() {
  return { ...readAddress(location.hash), ...history.state?.longTexts };
}

// ---- what changes the state ---------------------------------------------------------------------

let pointing = 0;
function hoverPlace(next) {
  if (!shown.picture || JSON.stringify(next) === JSON.stringify(hovered)) return;
  hovered = next && { ...next };
  cancelAnimationFrame(pointing);
  pointing = requestAnimationFrame(() => {
    if (state.get().mode !== 'lookup') renderPicture();
  });
}

/** A view's choice: any of { row, column, part, head }. */
function selectPlace(chosen) {
  if (shown.picture) change(tokensAt(shown.picture, chosen));
}

/** A row, and what it looks at most. */
const read = (row) => selectPlace({ row, column: null });

function startExample({ mode, first, second, read: word }) {
  player.stop();
  wanted = { first, word };
  const names = fieldsOf({ source: state.get().source, mode });
  const texts = [first, second].slice(0, names.length).map((text, at) => [names[at], text]);
  change({ mode, ...Object.fromEntries(texts), row: null, column: null });
  if (shown.picture && !link.isComputing()) startReading();
}

// In a new picture the selection is of the same words, as far as they are there.
function keepSelection(before) {
  const { row, column } = state.get();
  if (before.picture && !isPlaced) change(follow(before, shown, { row, column }));
  if (link.isComputing()) return;
  isPlaced = false;
  startReading();
  inspect();
}

// Once the picture of an example is there: the word to start with, and what it looks at.
function startReading() {
  const { picture, facts } = shown;
  if (wanted?.first !== facts.asked[0] || facts.unfinished) return;
  const row = picture.rows.findIndex((label) => label.text === wanted.word);
  wanted = null;
  if (row >= 0) read(row);
}

// ---- what the colours depend on -----------------------------------------------------------------

function recolor() {
  palette = readPalette();
  render();
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolor);
// Paper is light whatever the screen is.
for (const [event, printing] of Object.entries({ beforeprint: true, afterprint: false })) {
  addEventListener(event, () => {
    document.documentElement.classList.toggle('printing', printing);
    recolor();
  });
}

// ---- start --------------------------------------------------------------------------------------

for (const event of ['hashchange', 'popstate']) {
  addEventListener(event, () => {
    clearTimeout(keeping);
    isGoing = false;
    change(stateOfAddress());
    isGoing = true;
  });
}
link.show(state.get());
render();
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  navigator.serviceWorker.register(new URL('service_worker.js', document.baseURI)).catch(() => {});
}
