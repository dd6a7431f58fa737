// Heads view: all heads in one grid, a row for each layer, with one head enlarged. Up to 64 heads have small pictures;
// in a larger grid each is a square with the color of its weight of the selected pair of words. An ARIA grid with a single
// tab stop. A hovered cell is marked in all heads of its layer.

import { colorScale } from 'attention-wasm/heatmap';
import { placeOfPart, toggleBlock } from '../../blocks.js';
import { element, write } from '../element.js';
import { screenColors } from '../palette.js';
import { formatTerm } from '../number_formats.js';
import { gridOf, pairWeights } from './head_grid.js';
import { createLargeHead } from './head_large.js';
import { pointedIn, reachOf, roleText, spreadOf } from './head_of_picture.js';
import { headsToSVG } from './heads_drawing.js';
import { createHeadScores, textOfScores } from './head_scores.js';
import { createHeadTile } from './head_tile.js';
import '../style/heads.css';

/** @import { Facts } from '../../types' */
/** @import { Position, Scores, State } from '../../state/types' */
/** @import { Handlers } from '../view_switch.js' */

/** @type {{ state?: State, facts?: Facts | null, scores?: Scores | null }} */
const noneAround = {};

/**
 * @typedef {object} HeadsHandlers
 * @property {Handlers['select']} select
 * @property {(place: Position | null) => void} hover
 * @property {Handlers['change']} [change] only where heads can be switched off
 * @property {Handlers['measureHeads']} [measureHeads]
 * @property {string} [name]
 * @property {boolean} [enlarges]
 */

/**
 * Fills `root` and takes the height that its rows need. `select({ part, head })` is called by click and Enter, with { row,
 * column } for a point in the displayed part; `hover({ row, column, head } | null)`. `name` is the beginning of ids;
 * `enlarges`: a head is enlarged beside the grid.
 * @param {HTMLElement} root
 * @param {HeadsHandlers} handlers
 */
export function create(root, handlers) {
  const { select, hover, change, measureHeads, name = 'heads', enlarges = true } = handlers;
  root.classList.add('heads-view');
  const grid = element('div', {
    role: 'grid',
    'aria-label': 'All heads, a row for each layer',
    'aria-describedby': `${name}-keys`,
  });
  const keys =
    'Arrows go from head to head, Enter shows one, Shift and an arrow take another pair of words, X switches a head of a model off.';
  const scoring = createHeadScores({ measure: measureHeads, select });
  const colored = element('p', { class: 'colored', hidden: true });
  let tiles = []; // rows of tiles
  let pointed = null; // tile under the pointer
  let isLarge = false; // the grid has more heads than fit as maps: each is drawn as one square
  let drawn = null;
  let shown = {}; // { picture, selection }

  function show(picture, selection, settings = {}, around = noneAround) {
    const { state, facts, scores: measured } = around;
    if (measureHeads) scoring.show(facts, measured);
    const thumbnails = picture?.thumbnails ?? [];
    shown = { picture, selection: selection ?? {}, block: state?.block };
    root.classList.toggle('empty', thumbnails.length === 0);
    const colors = settings.colors ?? 'blues';
    const scaling = settings.scaling ?? 'global';
    const unit = settings.unit ?? 'words';
    const scores = measured?.isRunning ? null : (measured?.found ?? null);
    const inputs = { thumbnails, colors, scaling, unit, scores, palette: settings.palette };
    if (!drawn || Object.keys(inputs).some((key) => inputs[key] !== drawn[key])) {
      fill(picture, inputs);
      drawn = inputs;
    }
    mark();
  }

  // Usually only the pictures change, not their number.
  function fill(picture, { thumbnails, colors, scaling, unit, scores }) {
    const made = gridOf(thumbnails);
    const key = JSON.stringify(made.lines.map(([part, heads]) => [part, heads.length]));
    if (grid.dataset.key !== key) rebuild(made, key);
    made.lines.forEach(([part, heads], row) => {
      const title = heads[0].name ?? (part === picture.part ? picture.name : undefined) ?? part;
      write(grid.children[row + 1].firstChild, title);
      heads.forEach((one, at) => {
        const rows = one.rows ?? picture.rows.length;
        const columns = one.columns ?? picture.columns.length;
        const spread = spreadOf(one.weights, rows, columns);
        const measured = textOfScores(scores, part, one.head);
        tiles[row][at].show({
          ...{ title, rows, columns, weights: one.weights, colors, scaling },
          words: `${spread.toFixed(spread < 100 ? 1 : 0)} ${unit}`,
          does: [
            ...(one.role ? [roleText(one.role), ...reachOf(one.role)] : []),
            ...(measured ? [measured] : []),
          ],
          off: change && one.off,
        });
      });
    });
  }

  function rebuild({ lines, heads, isLarge: hasSquares }, key) {
    const hadFocus = grid.contains(document.activeElement);
    grid.dataset.key = key;
    isLarge = hasSquares;
    pointed = null;
    root.classList.toggle('squares', isLarge);
    grid.style.setProperty('--heads', heads);
    tiles = lines.map(([part, list]) =>
      list.map(({ head }) => createHeadTile({ part, head }, isLarge, hands)),
    );
    const row = (...cells) => element('div', { role: 'row' }, ...cells);
    const numbers = Array.from({ length: heads }, (_, at) =>
      element('div', { role: 'columnheader', 'aria-label': `Head ${at + 1}` }, String(at + 1)),
    );
    grid.replaceChildren(
      row(element('div', { role: 'columnheader' }, 'layer ↓ head →'), ...numbers),
      ...tiles.map((line) =>
        row(element('div', { role: 'rowheader' }), ...line.map(({ cell }) => cell)),
      ),
    );
    if (hadFocus) queueMicrotask(() => grid.querySelector('[tabindex="0"]')?.focus());
  }

  // The words of a point are known only in the displayed part.
  const isShown = ({ part }) => part === shown.picture.part;
  const hands = {
    hover(tile, place) {
      if (!place || !isShown(tile)) hover(null);
      else hover(shown.picture.average ? place : { ...place, head: tile.head });
    },
    choose({ part, head }, place) {
      select({ part, head, ...(isShown({ part }) && place) });
    },
    enlarge(tile) {
      pointed = tile;
      mark();
    },
    turnOff({ part, head }) {
      change?.({ block: toggleBlock(shown.block, { ...placeOfPart(part), head }) });
    },
  };
  const large = createLargeHead(hands);
  root.append(
    scoring.element,
    element('div', { class: 'all' }, grid, enlarges && large.element),
    colored,
    element('p', { id: `${name}-keys`, class: 'keys' }, keys),
  );

  function mark() {
    const { picture, selection } = shown;
    const all = tiles.flat();
    const current = all.find(
      ({ part, head }) => part === selection.part && head === selection.head,
    );
    const focused = all.find(({ cell }) => cell === document.activeElement);
    const stop = focused ?? current ?? all[0];
    const placeIn = (tile) => (picture && isShown(tile) ? pointedIn(selection) : null);
    for (const tile of all) {
      tile.cell.setAttribute('aria-selected', String(tile === current));
      tile.cell.tabIndex = tile === stop ? 0 : -1;
      tile.picture?.point(placeIn(tile));
    }
    const pair = picture && all.length > 0 ? pairOfAll(picture, selection) : null;
    all.forEach((tile, at) => tile.say(labelOf(tile, pair?.weights[at])));
    if (!enlarges) return;
    const enlarged = pointed ?? stop ?? null;
    large.show(enlarged, enlarged && placeIn(enlarged));
  }

  /** Colors the squares by their weight of the selected pair; null where there are small pictures. */
  function pairOfAll(picture, selection) {
    colored.hidden = !isLarge;
    if (!isLarge) return null;
    const pair = pairWeights(picture.thumbnails, picture, pointedIn(selection));
    const { surface = '#ffffff' } = drawn.palette ?? {};
    const scale = colorScale({ surface, colors: drawn.colors });
    const isNone = (weight) => weight === null || weight === undefined;
    tiles.flat().forEach((tile, at) => {
      const weight = pair.weights[at];
      const share = Math.abs(weight ?? 0) / (pair.largest || 1);
      tile.paint(isNone(weight) ? null : scale.colorOf(share).fill);
    });
    const others = pair.weights.some(isNone) ? ' Hatched: layers of other words.' : '';
    write(colored, `Color: weight of ${pair.says}, at most ${formatTerm(pair.largest)}.${others}`);
    return pair;
  }

  function labelOf({ head, shown: { title, words, does, off } }, weight) {
    const { picture, selection } = shown;
    const isOff = off ? ', switched off' : '';
    const pair =
      weight === undefined || weight === null
        ? []
        : [
            `weight of ${pairWeights([], picture, pointedIn(selection)).says} ${formatTerm(weight)}`,
          ];
    return [`${title}, head ${head + 1}${isOff}`, ...pair, `looks at about ${words}`, ...does].join(
      ', ',
    );
  }

  grid.addEventListener('focusin', () => mark());

  grid.addEventListener('keydown', (event) => {
    if (event.altKey || event.metaKey) return;
    const row = tiles.findIndex((line) => line.some(({ cell }) => cell === event.target));
    if (row < 0) return;
    const column = tiles[row].findIndex(({ cell }) => cell === event.target);
    const { part, head } = tiles[row][column];
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      select({ part, head });
      return;
    }
    if (event.shiftKey) {
      movePair(event);
      return;
    }
    const last = tiles[row].length - 1;
    const places = {
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      Home: [event.ctrlKey ? 0 : row, 0],
      End: [event.ctrlKey ? tiles.length - 1 : row, last],
    };
    if (!Object.hasOwn(places, event.key)) return;
    event.preventDefault();
    const line = tiles[Math.max(0, Math.min(tiles.length - 1, places[event.key][0]))];
    const to = line[Math.max(0, Math.min(line.length - 1, places[event.key][1]))];
    for (const { cell } of tiles.flat()) cell.tabIndex = cell === to.cell ? 0 : -1;
    to.cell.focus();
  });

  /** Marks a pair of words in all heads of the layer. */
  function movePair(event) {
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    if (!Object.hasOwn(steps, event.key)) return;
    event.preventDefault();
    const { picture, selection } = shown;
    const [down, right] = steps[event.key];
    const within = (at, list) => Math.max(0, Math.min(list.length - 1, at));
    hover(null);
    select({
      row: within(selection.row + down, picture.rows),
      column: within(selection.column + right, picture.columns),
    });
  }

  return { show, toSVG: (paper = screenColors) => headsToSVG(drawn, paper) };
}
