// The page: one state, one worker that makes a picture of it, and one way from both to the screen.

import { tokensOf } from '../places.js';
import { drawing, selecting } from '../state_fields.js';
import { textsOf } from '../texts.js';
import { createChoosing } from './choosing.js';
import { createTakeAway } from './exports/take_away.js';
import { createInputs } from './inputs.js';
import { createLater } from './later.js';
import { announce, showMessage, showNote, showProgress, whyEmpty } from './notices.js';
import { readPalette } from './palette.js';
import { createOwnFiles } from './own_files.js';
import { createAfterPaint } from './painted.js';
import { createPlayer } from './player.js';
import { readyMade } from './ready_made.js';
import { cellOf, createReadout, describe } from './readout.js';
import { createSettings } from './settings_line.js';
import { createSilence } from './silence.js';
import { createState } from './state.js';
import { settingsOf } from './view_settings.js';
import { createText } from './views/text_view.js';
import { createViews } from './views/view_switch.js';
import { createWayBack, stateOfAddress } from './way_back.js';
import { connectWorker } from './worker_link.js';

const find = (selector) => document.querySelector(selector);

let sources = [];
let palette = readPalette();
let problem = '';
/** @type {{ picture: import('../types').Picture, facts: import('../types').Facts, inspection: import('../types').Inspection }} */
let shown = {
  picture: null,
  facts: null,
  inspection: null,
  lookup: null,
  ...readyMade(stateOfAddress()),
};
let tour = null; // fetched when somebody wants it
let fetching = 0; // parts of the page that are on their way

const state = createState(stateOfAddress(), (now, changed, before) => {
  choosing.pointAtNothing();
  const only = (names) => changed.every((name) => names.includes(name));
  if (only(selecting) && canInspect(now)) inspect();
  else if (!only(drawing)) link.show(now);
  render();
  wayBack.follow(now, changed, before);
});
const textsIn = (now) => JSON.stringify([now.source, now.mode, now.begin, textsOf(now)]);
// Of the picture that came with the page: it is whole, and is not written anew before the reader's eyes.
let readyTexts = shown.picture && textsIn(state.get());
const wayBack = createWayBack(change);
function change(given) {
  // How a translation begins goes with its texts.
  const isOther = ('text' in given || 'french' in given) && !('begin' in given);
  const part = isOther ? { ...given, begin: '' } : given;
  const { kind, stage } = { ...state.get(), ...part };
  choosing.expect(part);
  // Softmax does not differ from itself.
  if (kind === 'softmax' && stage === 'difference') state.change({ ...part, stage: 'weights' });
  else state.change(part);
}
const choosing = createChoosing({
  now: () => ({ state: state.get(), ...shown, isComputing: link.isComputing() }),
  change,
  draw: () => state.get().mode !== 'lookup' && renderPicture(),
});
const { place, read } = choosing;
const source = () => sources.find(({ id }) => id === state.get().source) ?? sources[0];

// A selection changes no picture, unless its columns are sorted by the row that is read.
const canInspect = (now) => shown.picture && !link.isComputing() && now.sort !== 'read';

// ---- from the state to the screen ---------------------------------------------------------------

const settingsLine = createSettings(find('.controls'), { change, render, wait });
const inputs = createInputs({
  change,
  typed: (...what) => text.type(...what),
  startExample(example) {
    player.stop();
    choosing.startExample(example);
  },
});
const ownFiles = createOwnFiles({
  getState: () => state.get(),
  change,
  open: (file) => link.open('files', file),
  close: (id) => link.close('files', id),
  takeModel(dropped) {
    droppedModel = dropped;
    showOwnModel();
  },
});
let droppedModel = null;
let modelRoom = null; // there when the worker answers it
const ownModel = createLater(async () => {
  const { createOwnModel } = await import('./own_model/own_model.js');
  modelRoom = createOwnModel(find('.own-model'), {
    getState: () => state.get(),
    change,
    read,
    link: {
      open: (from) => link.open('own', from),
      close: () => link.close('own'),
      keep: (what) => link.keep('own', what),
      cancel: () => link.cancel('own'),
    },
  });
  return modelRoom;
}, wait);
function showOwnModel() {
  const { source: from } = state.get();
  if (from !== 'own' && !droppedModel && !modelRoom) return;
  const { picture, facts } = shown;
  const drawnNow = { picture, facts, place: picture && place(), palette };
  ownModel.show({ source: from, dropped: droppedModel, ...drawnNow });
}
const text = createText(find('.sentences'), {
  hover: choosing.hover,
  select: (chosen) => (chosen.column === undefined ? read(chosen.row) : choosing.select(chosen)),
});
const views = createViews(find('.stage'), {
  select: choosing.select,
  hover: choosing.hover,
  change,
  wait,
});
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
  return createFollows(find('.follows'), { change, ask: link.nextWords });
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
  silence: createSilence(find('.silence'), { stop: restart, wait: () => link.keepWaiting() }),
  sources({ sources: list }) {
    sources = list;
    inputs.showSources(list);
    render();
  },
  shown({ type: _type, id: _id, isWhole, ...answer }) {
    if (!isWhole && readyTexts === textsIn(state.get())) return;
    readyTexts = null;
    problem = '';
    const before = shown;
    shown = { ...shown, ...answer };
    if (answer.picture) {
      choosing.keep(before);
      if (!link.isComputing()) inspect();
    }
    render();
  },
  inspected({ inspection }) {
    shown = { ...shown, inspection };
    render();
  },
  progress: (far) => (far.source === 'own' ? modelRoom.progress(far) : showProgress(far)),
  opened(answer) {
    if (answer.source === 'own') modelRoom.answer(answer);
    else ownFiles.show(answer);
    link.show(state.get());
  },
  // A file that cannot be read changes nothing else.
  refused(answer) {
    if (answer.source === 'own') modelRoom.refuse(answer);
    else ownFiles.refuse(`${answer.message}.`);
    render();
  },
  problem({ message }) {
    problem = `Nothing can be computed here: ${message}.`;
    render();
  },
});

/** Another worker makes the picture of the same state; what was open in this one is closed. */
function restart() {
  link.restart();
  modelRoom?.stop();
  ownFiles.stop();
  link.show(state.get());
  render();
}

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

// What a letter changes first: the text and the picture. All else is written once those are painted.
function render() {
  const now = state.get();
  const { picture, facts } = shown;
  showMode(now.mode);
  inputs.show(now, source());
  showProgress(link.isWaiting() && null);
  if (now.mode === 'lookup') lookup.show(now, shown.lookup);
  else renderPicture();
  const why = now.mode === 'lookup' || picture || !facts ? '' : whyEmpty(now.mode, facts);
  showMessage(problem || why, { problem: problem !== '' });
  showTour();
  afterPaint.ask();
  showWaiting();
}

// What is for one mode only: the style. The picture watches it: to write what is there would have it look again.
function showMode(mode) {
  if (document.body.dataset.mode !== mode) document.body.dataset.mode = mode;
}

function showWaiting() {
  const isWaiting = fetching > 0 || link.isWaiting() || afterPaint.isDue();
  find('main').dataset.waiting = String(isWaiting);
}

function renderPicture() {
  const { picture, facts } = shown;
  const at = picture && place();
  const drawn = settings();
  views.show(picture, at, drawn, { state: state.get(), facts });
  text.show(picture, at, { ...drawn, texts: facts?.texts });
  inputs.alignSheets();
  readout.show(picture && cellOf(picture, { ...at, ...at.hovered }));
}

const afterPaint = createAfterPaint(() => {
  const now = state.get();
  const { picture, facts } = shown;
  inputs.showAround(now, source(), facts, picture);
  showOwnModel();
  settingsLine.show({ state: now, facts, picture, source: source() });
  if (now.mode !== 'lookup') renderBehind(now);
  showWaiting();
});

/** What is behind the picture. */
function renderBehind(now) {
  const { picture, facts, inspection } = shown;
  const at = picture && place();
  find('.inspector').hidden = Boolean(facts?.fixed); // there is nothing behind them
  showFollows(at);
  // What stands below the picture is not said again.
  const note = now.source === 'ngrams' ? facts?.note : '';
  inspector.show(picture && inspection, { ...settings(), note });
  showNote(facts, now, picture);
  announce(picture ? describe(cellOf(picture, at)) : '');
}

/** What may be written next, where the model writes; once it is there. */
function showFollows(at) {
  const { mode, source: from } = state.get();
  const { picture, facts } = shown;
  const isOurs = from === 'model' && mode === 'cross';
  find('.follows').hidden = !isOurs && !(from === 'own' && facts?.hasNext);
  if (find('.follows').hidden || !facts || facts.isReadyMade) return;
  const isReady = picture && !facts.unfinished && !link.isComputing();
  follows.show({ state: state.get(), picture, facts, at: isReady ? at : null });
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
    afterPaint.now(); // what is printed is painted by nobody else
  });
}

// ---- start --------------------------------------------------------------------------------------

link.show(state.get());
render();
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  navigator.serviceWorker.register(new URL('service_worker.js', document.baseURI)).catch(() => {});
}
