// The page: one state, one worker that makes a picture of it, and one way from both to the screen.

import { readPalette } from './colors.js';
import { createControls } from './controls/controls.js';
import { createInputs } from './inputs.js';
import { createPlayer } from './player.js';
import { cellOf, createReadout, describe } from './readout.js';
import { readHash, writeHash } from './hash.js';
import { createState, drawingOnly } from './state.js';
import { createTakeAway } from './take_away.js';
import { createTour } from './tour/tour.js';
import { createViews } from './views/all.js';
import { createInspector } from './views/inspector.js';
import { createLookup } from './views/lookup.js';
import { createText, weightsOfRow } from './views/text.js';
import { connectWorker } from './worker_link.js';

const find = (selector) => document.querySelector(selector);

let sources = [];
let palette = readPalette();
let hovered = null; // a place in the picture
let problem = '';
let shown = { picture: null, facts: null, inspection: null, lookup: null };
let inspected = null;
let inspectedIn = null;
let wantsStrongest = false; // the column follows the row until somebody chooses one

const state = createState(readHash(location.hash), (now, changed) => {
  hovered = null;
  if (changed.some((name) => !drawingOnly.includes(name))) link.show(now);
  render();
  keepAddress();
});
const change = (part) => state.change(part);
const source = () => sources.find(({ id }) => id === state.get().source) ?? sources[0];

// ---- from the state to the screen ---------------------------------------------------------------

const handlers = { select: selectPlace, hover: hoverPlace };
const controls = createControls(find('.controls'), change);
const inputs = createInputs({
  change,
  startExample,
  open: (file) => link.open(source().id, file),
});
const text = createText(find('.sentences'), {
  hover: hoverPlace,
  select: (place) => selectPlace(place, place.column === undefined),
});
const views = createViews(find('.stage'), handlers);
const readout = createReadout(find('.readout'));
const inspector = createInspector(find('.inspector'), {
  select: ({ column }) => change({ column }),
});
const lookup = createLookup(find('.lookup-room'), (next) => change({ lookup: next }));
const player = createPlayer(find('#play'), () => {
  const { picture } = shown;
  if (!picture) return;
  const { row } = selectionIn(picture);
  selectPlace({ row: (row + 1) % picture.rows.length }, true);
});
createTour(find('.tour'), find('#tour-start'), { getState: state.get, change });
createTakeAway(find('.take-away'), () => ({
  state: state.get(),
  ...shown,
  selection: shown.picture && selectionIn(shown.picture),
  settings: drawingNow(),
  views,
  tensors: () => link.tensors(),
}));

const link = connectWorker({
  sources({ sources: list }) {
    sources = list;
    inputs.showSources(list);
    render();
  },
  shown({ picture, facts, inspection, lookup: answer }) {
    problem = '';
    if (answer) shown = { ...shown, lookup: answer };
    else {
      const { texts, asked, unfinished } = facts;
      const next =
        picture === undefined ? shown.picture : picture && { ...picture, texts, asked, unfinished };
      shown = { ...shown, picture: next, facts, inspection };
      followStrongest();
    }
    render();
  },
  progress: ({ text: says, fraction }) => showProgress({ says, fraction }),
  opened({ text: says }) {
    inputs.showFile(says);
    link.show(state.get());
  },
  // A file that cannot be read changes nothing else.
  refused: ({ message }) => {
    inputs.showFile(`${message}.`);
    showProgress(null);
  },
  problem({ message }) {
    problem = `Nothing can be computed here: ${message}.`;
    render();
  },
});

/** What the views of the picture go by. */
function drawingNow() {
  const { view, stage, colors, threshold, perRow, mode } = state.get();
  const known = stage !== 'difference' || shown.picture?.difference;
  return {
    view,
    stage: known ? stage : 'weights',
    colors,
    threshold,
    scaling: perRow ? 'row' : 'global',
    rowTitle: mode === 'cross' ? 'reading' : undefined,
    columnTitle: mode === 'cross' ? 'context' : undefined,
    dark: palette.dark,
  };
}

function settingsNow() {
  return {
    ...state.get(),
    palette,
    colorOf: palette.colorOf,
    cell: cellNow(),
    note: shown.facts?.note,
    parts: shown.facts?.parts,
  };
}

const placeOf = (groups, token) =>
  Math.max(
    0,
    groups.findIndex((tokens) => tokens.includes(token)),
  );

/** The selection as a place in the picture: tokens may be hidden, merged and sorted there. */
function selectionIn(picture) {
  const { row, column } = state.get();
  const within = (token, groups) =>
    Math.min(token, Math.max(...groups.map((tokens) => tokens.at(-1))));
  return {
    part: picture.part,
    head: picture.average ? 0 : shown.facts.head,
    hovered: hovered ?? undefined,
    row: placeOf(picture.rowTokens, within(row, picture.rowTokens)),
    column: placeOf(picture.columnTokens, within(column, picture.columnTokens)),
  };
}

function cellNow() {
  if (!shown.picture) return null;
  const selection = selectionIn(shown.picture);
  return { ...selection, ...hovered, hovered: undefined };
}

function render() {
  const now = state.get();
  document.body.dataset.mode = now.mode; // what is for one mode only: the style
  const { picture, facts, inspection } = shown;
  inputs.show(now, source(), facts);
  controls.show({ state: now, facts, picture, source: source() });
  showProgress(null);
  find('main').dataset.waiting = String(link?.isWaiting() ?? true);
  if (now.mode === 'lookup') {
    lookup.show(now, shown.lookup);
    showMessage(problem);
    return;
  }
  const settings = settingsNow();
  const selection = picture && selectionIn(picture);
  views.show(picture, selection, drawingNow());
  text.show(picture, selection, settings);
  // Redrawn where it can have changed: with the worker's answer.
  if (inspection !== inspected || settings.palette !== inspectedIn) {
    inspector.show(picture && inspection, settings);
    [inspected, inspectedIn] = [inspection, settings.palette];
  }
  const cell = picture && cellOf(picture, settings.cell);
  readout.show(cell);
  showMessage(problem || emptyMessage());
  find('.note').textContent = noteNow();
  announce(picture ? describe(cellOf(picture, selection)) : '');
}

function noteNow() {
  const { facts } = shown;
  if (!facts) return '';
  const notes = [];
  if (facts.cut) notes.push('Long text: only its beginning is shown.');
  if (state.get().source !== 'ngrams' && facts.note) notes.push(facts.note);
  return notes.join(' ');
}

function emptyMessage() {
  const { picture, facts } = shown;
  if (picture || !facts) return '';
  if (state.get().mode === 'self')
    return 'Write a text, or choose an example, to see its attention.';
  const [rows, columns] = facts.counts;
  if (rows === 0 && columns === 0) return 'Write two texts, or choose an example.';
  return rows === 0
    ? 'Write a text that reads: its words become the rows.'
    : 'Write a context to look into: its words become the columns.';
}

function showMessage(says) {
  const element = find('.message');
  element.hidden = says === '';
  if (element.textContent !== says) element.textContent = says;
  element.classList.toggle('problem', problem !== '');
}

// Only what takes long is worth a bar: the picture of before stays until the new one is there.
let progressTimer = 0;
function showProgress(progress) {
  const element = find('.progress');
  if (!link?.isWaiting() && !progress) {
    clearTimeout(progressTimer);
    progressTimer = 0;
    element.hidden = true;
    return;
  }
  const bar = element.firstElementChild;
  if (progress) {
    if (progress.fraction === undefined) bar.removeAttribute('value');
    else bar.value = progress.fraction;
    element.lastElementChild.textContent = progress.says ?? '';
  }
  progressTimer ||= setTimeout(() => {
    element.hidden = false;
  }, 150);
}

// For those who listen, once the hands are still. Where the focus is in a view or a text, the word
// or cell that has it speaks for itself.
let announcing = 0;
function announce(says) {
  const active = document.activeElement;
  clearTimeout(announcing);
  if (active?.matches('[aria-activedescendant]') || active?.closest('.view')) return;
  announcing = setTimeout(() => {
    const element = find('#announcement');
    if (element.textContent !== says) element.textContent = says;
  }, 700);
}

// Browsers allow an address to be changed only so often.
let keeping = 0;
function keepAddress() {
  clearTimeout(keeping);
  keeping = setTimeout(() => {
    const hash = writeHash(state.get());
    if (hash !== location.hash)
      history.replaceState(null, '', hash || location.pathname + location.search);
  }, 300);
}

// ---- what changes the state ---------------------------------------------------------------------

function hoverPlace(place) {
  const { picture } = shown;
  if (!picture) return;
  const next = place && { ...place };
  if (JSON.stringify(next) === JSON.stringify(hovered)) return;
  hovered = next;
  requestAnimationFrame(renderHover);
}

function renderHover() {
  const { picture } = shown;
  if (!picture || state.get().mode === 'lookup') return;
  const settings = settingsNow();
  views.show(picture, selectionIn(picture), drawingNow());
  text.show(picture, selectionIn(picture), settings);
  readout.show(cellOf(picture, settings.cell));
}

/** A view's choice, in places of the picture; `strongest`: the column is what the row looks at most. */
function selectPlace({ row, column, part, head }, strongest = false) {
  const { picture } = shown;
  if (!picture) return;
  const next = {};
  if (part !== undefined && part !== picture.part) next.part = part;
  if (head !== undefined && !picture.average) next.head = head;
  if (row !== undefined) next.row = picture.rowTokens[row][0];
  if (strongest) column = strongestIn(picture, row);
  if (column !== undefined) next.column = picture.columnTokens[column][0];
  if (next.part !== undefined) next.average = false;
  change(next);
}

/** What a row looks at most, but for the word itself. */
function strongestIn(picture, row) {
  const weights = weightsOfRow(picture, selectionIn(picture).head, row);
  const own = picture.oneSequence ? picture.rowTokens[row][0] : -1;
  let best = -1;
  weights.forEach((weight, column) => {
    if (picture.columnTokens[column][0] === own && weights.length > 1) return;
    if (best < 0 || weight > weights[best]) best = column;
  });
  return best;
}

function startExample({ mode, first, second, read }) {
  player.stop();
  wantsStrongest = { first, read };
  change({ mode, first, ...(second === undefined ? {} : { second }) });
}

// Once the picture of an example is there: the word to start with, and what it looks at.
function followStrongest() {
  const { picture } = shown;
  if (!wantsStrongest || !picture || picture.unfinished) return;
  if (picture.asked[0] !== wantsStrongest.first) return;
  const { read } = wantsStrongest;
  wantsStrongest = false;
  const row = Math.max(
    0,
    picture.rows.findIndex((label) => label.text === read),
  );
  selectPlace({ row }, true);
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

addEventListener('hashchange', () => change(readHash(location.hash)));
addEventListener('resize', () => {
  inspected = null;
  render();
});
link.show(state.get());
render();
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  navigator.serviceWorker.register(new URL('service_worker.js', document.baseURI)).catch(() => {});
}
