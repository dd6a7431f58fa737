// Entry point of the page: one state, one worker that computes its picture, and render(), which updates the screen from
// both.

import { tokensOf } from '../positions.js';
import { drawing, selecting } from '../state_fields.js';
import { isOfTexts, textsOf } from '../texts.js';
import { createChoosing } from './selection.js';
import { createExportPanel } from './exports/export_panel.js';
import { createInputs } from './inputs.js';
import { createLessonStart } from './lesson/start.js';
import { createAfterPaint, createLater } from './scheduling.js';
import { announce, showMessage, showNote, showProgress, whyEmpty } from './notices.js';
import { readPalette } from './palette.js';
import { createOwnFiles } from './own_files.js';
import { createPlayer } from './player.js';
import { prerendered } from './prerendered.js';
import { cellOf, createReadout, describe } from './readout.js';
import { createSettings } from './settings_line.js';
import { createState, settingsOf } from './state.js';
import { createText } from './views/text_view.js';
import { createViews } from './views/view_switch.js';
import { createAddressHistory, stateOfAddress } from './address.js';
import { connectWorker } from './worker_link.js';

const find = (selector) => document.querySelector(selector);

let sources = [];
let palette = readPalette();
let problem = '';
/**
 * Latest answer of the worker.
 * @type {{ picture: import('../types').Picture, facts: import('../types').Facts, inspection:
 * import('../types').Inspection }}
 */
const nothing = { picture: null, facts: null, inspection: null, lookup: null };
let shown = { ...nothing, ...prerendered(stateOfAddress()) };
let tour = null; // loaded with its first use
let fetching = 0; // count of modules being loaded
let hasModel = false; // a model was chosen: what it can block is hidden for other sources
let piece = null; // { row, column }: pair of tokens that the reader chose in the inspector

const state = createState(stateOfAddress(), (now, changed, before) => {
  choosing.pointAtNothing();
  piece = null;
  const only = (names) => changed.every((name) => names.includes(name));
  if (only(selecting) && canInspect(now)) inspect();
  else if (!only(drawing) || lacksStage(now)) compute(now);
  render();
  addressHistory.follow(now, changed, before);
});
/** The stage “Moved” is computed only when it is shown. */
const lacksStage = ({ stage }) =>
  stage === 'moved' && shown.facts?.canMove && !shown.picture?.stages.moved;
const textsIn = (now) => JSON.stringify([now.source, now.mode, now.begin, textsOf(now)]);
// Texts of the prerendered picture: partial results of the same texts do not replace it.
let readyTexts = shown.picture && textsIn(state.get());
const addressHistory = createAddressHistory(change);
function change(given) {
  // Another text resets the beginning of its translation.
  const isOther = 'text' in given || 'french' in given;
  // What is blocked belongs to a text of a model.
  const isElsewhere = isOther || 'source' in given;
  const part = { ...(isOther && { begin: '' }), ...(isElsewhere && { block: '' }), ...given };
  const { kind, stage } = { ...state.get(), ...part };
  choosing.expect(part);
  // The difference from softmax does not exist for softmax itself.
  if (kind === 'softmax' && stage === 'difference') state.change({ ...part, stage: 'weights' });
  else state.change(part);
}
const choosing = createChoosing({
  now: () => ({ state: state.get(), ...shown, isComputing: link.isComputing() }),
  change,
  draw: () => isOfTexts(state.get().mode) && renderPicture(),
});
const { place, read } = choosing;
const source = () => sources.find(({ id }) => id === state.get().source) ?? sources[0];

// A selection needs no new picture, unless columns are sorted by the selected row.
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
let modelRoom = null; // set once the worker has answered it
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
  nextWords: (...tokens) => link.nextWords(...tokens),
  headScores: (sequence) => link.headScores(sequence),
});
const readout = createReadout(find('.readout'));
// Parts that the first picture does not need.
const inspector = createLater(async () => {
  const { createInspector } = await import('./inspector/inspector.js');
  return createInspector(find('.inspector'), {
    select: ({ column }) => change({ column }),
    spellOut(tokens) {
      piece = tokens;
      inspect();
      render();
    },
  });
}, wait);
const lookup = createLater(async () => {
  const { createLookup } = await import('./views/lookup.js');
  return createLookup(find('.lookup-room'), (next) => change({ lookup: next }));
}, wait);
const learn = createLater(async () => {
  const { createLearn } = await import('./learn/learn.js');
  return createLearn(find('.learn-room'), {
    change,
    open(files, now) {
      change({ ...now, source: 'own', part: '', head: 0, row: null, column: null, french: '' });
      droppedModel = { entries: [], files };
      showOwnModel();
    },
  });
}, wait);
const follows = createLater(async () => {
  const { createNextWords } = await import('./next_words/next_words.js');
  return createNextWords(find('.next-words'), { change, ask: link.nextWords });
}, wait);
const insideRoom = find('.inside');
insideRoom.firstElementChild.addEventListener('click', (event) => {
  event.preventDefault(); // render() unfolds it
  change({ inside: !state.get().inside });
});
const inside = createLater(async () => {
  const { createInside } = await import('./inside/inside.js');
  return createInside(insideRoom, { ask: (row) => wait(link.inside(row)), change });
}, wait);
const whatIf = createLater(async () => {
  const { createWhatIf } = await import('./what_if/what_if.js');
  return createWhatIf({
    now() {
      // A rollout has no links of its own to block.
      const picture = shown.facts?.fixed ? null : shown.picture;
      return { state: state.get(), ...shown, picture, place: picture ? place() : {} };
    },
    change,
    effect: link.effect,
    sweep: link.sweep,
    wait,
  });
}, wait);
const player = createPlayer(find('#play'), () => {
  const { picture } = shown;
  if (picture) read((place().row + 1) % picture.rows.length);
});
find('#tour-start').addEventListener('click', () => change({ tour: 0 }));
const present = createLessonStart(find('#present'), {
  wait,
  step(by) {
    const { picture } = shown;
    if (!picture || state.get().tour !== null || !isOfTexts(state.get().mode)) return false;
    const { length } = picture.rows;
    read((place().row + by + length) % length);
    return true;
  },
});
async function showTour() {
  if (!tour && state.get().tour === null) return;
  tour ??= wait(import('./tour/tour.js')).then(({ createTour }) =>
    createTour(find('.tour'), find('#tour-start'), {
      ask: (question) => wait(link.tour(question)),
      go: (step) => change({ tour: step }),
      present,
    }),
  );
  (await tour).show(state.get().tour);
}
createExportPanel(find('.export-panel'), () => ({
  state: state.get(),
  ...shown,
  selection: shown.picture && place(),
  settings: settings(),
  views,
  tensors: () => link.tensors(),
}));

let showUnresponsive = null; // loaded with its first use
const link = connectWorker({
  async silence(isSilent) {
    const { createUnresponsiveDialog } = await import('./unresponsive_dialog.js');
    const choices = { stop: restart, wait: () => link.keepWaiting() };
    showUnresponsive ??= createUnresponsiveDialog(find('.unresponsive'), choices);
    showUnresponsive(isSilent);
  },
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
    compute(state.get());
  },
  // A file that cannot be read changes nothing else.
  refused(answer) {
    if (answer.source === 'own') modelRoom.refuse(answer);
    else ownFiles.refuse(`${answer.message}.`);
    render();
  },
  problem({ message, isOfPicture }) {
    problem = `Nothing can be computed here: ${message}.`;
    // The last answer belongs to another text or model; the prerendered one to the texts of this state.
    if (isOfPicture && readyTexts !== textsIn(state.get())) shown = nothing;
    render();
  },
});

/** Requests the picture of a state; the mode "Learn" has a worker of its own. */
function compute(now) {
  if (now.mode !== 'learn') link.show(now);
}

/** Replaces the worker by a new one with the same state; its open files and model are closed. */
function restart() {
  link.restart();
  modelRoom?.stop();
  ownFiles.stop();
  compute(state.get());
  render();
}

/** Marks the page as waiting until a module is loaded. */
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

/** Requests the inspection of the selection, unless it is present or a new picture is being computed. */
function inspect() {
  const { picture, facts, inspection } = shown;
  const { heads } = facts.parts.find(({ id }) => id === facts.part);
  const head = Math.min(state.get().head, heads - 1);
  const request = { head, ...(piece ?? tokensOf(picture, place())), isPiece: piece !== null };
  const isHere = Object.keys(request).every((name) => request[name] === inspection?.request[name]);
  if (!isHere || link.isWaiting()) link.inspect(request);
}

const settings = () => settingsOf(state.get(), shown.picture, palette);

// A key press updates text and picture at once, everything else after the next paint.
function render() {
  const now = state.get();
  const { picture, facts } = shown;
  showMode(now.mode);
  inputs.show(now, source());
  showProgress(link.isWaiting() && null);
  if (now.mode === 'lookup') lookup.show(now, shown.lookup);
  else if (now.mode === 'learn') learn.show(now);
  else renderPicture();
  const why = !isOfTexts(now.mode) || picture || !facts ? '' : whyEmpty(now.mode, facts);
  showMessage(problem || why, { problem: problem !== '' });
  showTour();
  afterPaint.ask();
  showWaiting();
}

// CSS shows the elements of one mode. An equal value is not written: that would restyle the page.
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
  readout.show(picture && cellOf(picture, { ...at, ...at.hovered }, state.get().stage));
}

const afterPaint = createAfterPaint(() => {
  const now = state.get();
  const { picture, facts } = shown;
  inputs.showAround(now, source(), facts, picture);
  showOwnModel();
  settingsLine.show({ state: now, facts, picture, source: source() });
  if (isOfTexts(now.mode)) renderBehind(now);
  showWaiting();
});

/** Updates what is outside the picture. */
function renderBehind(now) {
  const { picture, facts, inspection } = shown;
  const at = picture && place();
  find('.inspector').hidden = Boolean(facts?.fixed); // weights from a file have no computation to inspect
  showFollows(at);
  // The hint below the picture is not repeated in the inspector.
  const note = now.source === 'ngrams' ? facts?.note : '';
  inspector.show(picture && inspection, { ...settings(), note });
  showInside(now);
  showNote(facts, now, picture);
  announce(picture ? describe(cellOf(picture, at, now.stage)) : '');
}

/** The whole block, while it is unfolded. */
function showInside({ inside: isOpen }) {
  const { picture, facts, inspection } = shown;
  const isThere = Boolean(picture && facts.hasInside);
  insideRoom.hidden = !isThere;
  if (!isThere) return;
  insideRoom.open = isOpen;
  if (!isOpen || !inspection || facts.isPrerendered || facts.unfinished || link.isWaiting()) return;
  inside.show({ picture, row: inspection.place.row, palette });
}

/** Next words, where the model writes a text and its picture is complete. */
function showFollows(at) {
  const { mode, source: from } = state.get();
  const { picture, facts } = shown;
  const isOurs = from === 'model' && mode === 'cross';
  const room = find('.next-words');
  room.hidden = !isOurs && !(from === 'own' && facts?.hasNext);
  if (!picture) room.classList.add('empty');
  if (facts?.isPrerendered) return;
  const isReady = Boolean(picture) && !facts.unfinished && !link.isComputing();
  hasModel ||= from === 'model' || from === 'own';
  if (hasModel) whatIf.show({ isReady });
  if (room.hidden || !facts) return;
  follows.show({ state: state.get(), picture, facts, at: isReady ? at : null });
}

// ---- color scheme -------------------------------------------------------------------------------

function recolor() {
  palette = readPalette();
  render();
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolor);
// Print always uses the light colors.
for (const [event, printing] of Object.entries({ beforeprint: true, afterprint: false })) {
  addEventListener(event, () => {
    document.documentElement.classList.toggle('printing', printing);
    recolor();
    afterPaint.now(); // the browser does not paint before it prints
  });
}

// ---- start --------------------------------------------------------------------------------------

compute(state.get());
render();
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  navigator.serviceWorker.register(new URL('service_worker.js', document.baseURI)).catch(() => {});
}
