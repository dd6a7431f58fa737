// The page: one state, and one way from it to the screen.

import { loadAttention } from 'attention-wasm';
import { lexicalScale } from 'attention-wasm/text';
import { createAttend, mostWords } from './attend.js';
import { readPalette } from './colors.js';
import { createControls } from './controls.js';
import { createExamples } from './examples.js';
import { createLegend } from './legend.js';
import { createMatrix } from './matrix.js';
import { createNumbersTable } from './numbers_table.js';
import { createReadout, describe } from './readout.js';
import { createSentences } from './sentences.js';

const find = (selector) => document.querySelector(selector);

const nothing = { queries: [], keys: [] };
const state = {
  mode: 'self',
  reading: find('#reading').value,
  context: find('#context').value,
  causal: false,
  positions: false,
  scale: lexicalScale,
  selected: { row: 0, column: 0 },
  hovered: null,
};

let attend = null; // once the module is there
let shown = nothing; // what attend() made of the state
let shownFor = '';
let problem = '';
let palette = readPalette();

// ---- from the state to the screen ---------------------------------------------------------------

const select = (selected) => change({ selected, hovered: null });
const hover = (hovered) => change({ hovered });

const controls = createControls(changeInput);
const examples = createExamples(find('.examples'), startExample);
const matrix = createMatrix(find('.scroller'), { onHover: hover, onSelect: select });
const readout = createReadout(find('.readout'));
const legend = createLegend(find('.legend'));
const table = createNumbersTable(find('.numbers'));
const sentences = createSentences(find('.sentences'), {
  onHover: (part) => hover(part && { ...state.selected, ...part }),
  onSelect: (part) => select({ ...state.selected, ...part }),
});

function compute() {
  const { mode, reading, context, causal, positions, scale } = state;
  const wanted = JSON.stringify([mode, reading, context, causal, positions, scale]);
  if (!attend || wanted === shownFor) return;
  shownFor = wanted;
  try {
    shown = attend(state);
    problem = '';
  } catch (error) {
    shown = nothing;
    problem = sentence(error);
  }
}

function sentence({ message }) {
  return `Nothing can be computed here: ${message}.`;
}

function render() {
  compute();
  const { queries, keys, weights, scores, sums, topWeight = 1, cut } = shown;
  const cells = weights ? { rows: queries.length, columns: keys.length } : null;
  const selected = within(cells, state.selected);
  const cell = within(cells, state.hovered ?? state.selected);
  const read = ({ row, column }) => ({
    query: queries[row],
    key: keys[column],
    weight: weights[row * keys.length + column],
    score: scores[row * keys.length + column],
    sum: sums[row],
  });

  controls.show(state, shown);
  readout.show(weights ? read(cell) : null);
  legend.show({ topWeight, hides: state.causal && state.mode === 'self', palette });
  const view = weights
    ? { ...shown, cell, selected, palette, description: describe(read(selected)) }
    : null;
  matrix.show(view);
  table.show(view && { ...view, numbersOf: shown });
  sentences.show({ ...shown, state, palette, cell, selected });
  showMessage(problem || emptyMessage({ queries, keys, weights }));
  find('.cut').hidden = !cut;
  announce(view?.description ?? '');
}

function within(cells, { row, column }) {
  if (!cells) return { row: -1, column: -1 };
  return { row: Math.min(row, cells.rows - 1), column: Math.min(column, cells.columns - 1) };
}

function emptyMessage({ queries, keys, weights }) {
  if (weights || !attend) return '';
  if (state.mode === 'self') return 'Write a text, or choose an example, to see its attention.';
  if (queries.length === 0 && keys.length === 0) return 'Write two texts, or choose an example.';
  return queries.length === 0
    ? 'Write a text that reads: its words become the rows.'
    : 'Write a context to look into: its words become the columns.';
}

function showMessage(text) {
  const element = find('.message');
  element.hidden = text === '';
  if (element.textContent !== text) element.textContent = text;
}

// For those who listen, once the hands are still. Where the focus is in the matrix or a text, the
// word or cell that has it speaks for itself.
let announcing = 0;
function announce(text) {
  const speaksItself = document.activeElement?.matches('[aria-activedescendant]');
  clearTimeout(announcing);
  if (speaksItself) return;
  announcing = setTimeout(() => {
    const element = find('#announcement');
    if (element.textContent !== text) element.textContent = text;
  }, 700);
}

let scheduled = false;
function change(part) {
  Object.assign(state, part);
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => {
    scheduled = false;
    render();
  });
}

// ---- what changes the state ---------------------------------------------------------------------

function changeInput(part) {
  const wasExample = examples[state.mode].some(({ reading }) => reading === state.reading);
  change({ ...part, hovered: null });
  // An example belongs to its mode; what somebody wrote stays.
  if (part.mode && wasExample) {
    startExample(examples[part.mode][0]);
    return;
  }
  compute();
  const { row, column } = state.selected;
  const gone = row >= shown.queries.length || column >= shown.keys.length;
  if (part.mode || gone) select(strongestIn(row));
}

function startExample({ reading, context = state.context, read }) {
  change({ reading, context, hovered: null });
  compute();
  select(strongestIn(Math.max(0, shown.queries.indexOf(read))));
}

/** The cell of a row worth looking at first: its largest weight, but not of the word on itself. */
function strongestIn(row) {
  const { queries, keys, weights } = shown;
  if (!weights) return state.selected;
  row = Math.min(row, queries.length - 1);
  let best = -1;
  let column = 0;
  keys.forEach((_, j) => {
    const weight = weights[row * keys.length + j];
    if (weight > best && !(state.mode === 'self' && j === row)) [best, column] = [weight, j];
  });
  return { row, column };
}

// ---- what the colours depend on -----------------------------------------------------------------

function recolor() {
  palette = readPalette();
  render();
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolor);
// Paper is light whatever the screen is, and cannot be scrolled.
for (const [event, printing] of Object.entries({ beforeprint: true, afterprint: false })) {
  addEventListener(event, () => {
    document.documentElement.classList.toggle('printing', printing);
    matrix.fitPaper(printing);
    recolor();
  });
}

// ---- start --------------------------------------------------------------------------------------

find('.cut').textContent = `Long text: only its first ${mostWords} words are shown.`;
render();
loadAttention().then(
  ({ attention }) => {
    attend = createAttend(attention);
    // Unless somebody was quicker to write than the module to start.
    if (state.reading === examples.self[0].reading) startExample(examples.self[0]);
    else changeInput({});
  },
  (error) => {
    problem = sentence(error);
    render();
  },
);
