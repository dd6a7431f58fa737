// Heads view: a thumbnail for every head of every layer, one selected. An ARIA grid with one row per layer and a single
// tab stop. A hovered cell is marked in all heads of its layer.

import { placeOfPart, toggleBlock } from '../../blocks.js';
import { element, write } from '../element.js';
import { layersOf, pointedIn, reachOf, roleText, spreadOf } from './head_of_picture.js';
import { headsToSVG } from './heads_drawing.js';
import { createHeadScores } from './head_scores.js';
import { createHeadTile } from './head_tile.js';
import '../style/heads.css';

/**
 * Fills `root` and takes its natural height. `select({ part, head })` is called by click and Enter, with { row, column
 * } for a point in the displayed part; `hover({ row, column, head } | null)`. `name` is the beginning of ids.
 */
export function create(root, { select, hover, change, headScores, name = 'heads' }) {
  root.classList.add('heads-view');
  const grid = element('div', {
    role: 'grid',
    'aria-label': 'All heads, a row for each layer',
    'aria-describedby': `${name}-keys`,
  });
  const keys =
    'Arrows go from head to head, Enter shows one, Shift and an arrow take another pair of words, X switches a head of a model off.';
  let latest = []; // arguments of show()
  const scoring = createHeadScores({ ask: headScores, changed: () => show(...latest), select });
  root.append(scoring.element, grid, element('p', { id: `${name}-keys`, class: 'keys' }, keys));
  let tiles = []; // rows of tiles
  let drawn = null;
  let shown = {}; // { picture, selection }

  function show(picture, selection, settings = {}, { state, facts } = {}) {
    latest = [picture, selection, settings, { state, facts }];
    if (headScores) scoring.show(facts);
    const thumbnails = picture?.thumbnails ?? [];
    shown = { picture, selection: selection ?? {}, block: state?.block };
    grid.hidden = thumbnails.length === 0;
    const colors = settings.colors ?? 'blues';
    const scaling = settings.scaling ?? 'global';
    const unit = settings.unit ?? 'words';
    const scores = scoring.found();
    const inputs = { thumbnails, colors, scaling, unit, scores, palette: settings.palette };
    if (!drawn || Object.keys(inputs).some((key) => inputs[key] !== drawn[key])) {
      fill(picture, inputs);
      drawn = inputs;
    }
    mark();
  }

  // Usually only the pictures change, not their number.
  function fill(picture, { thumbnails, colors, scaling, unit, scores }) {
    const layers = layersOf(thumbnails);
    const key = JSON.stringify(Array.from(layers, ([part, heads]) => [part, heads.length]));
    if (grid.dataset.key !== key) rebuild(layers, key);
    Array.from(layers.values()).forEach((heads, row) => {
      const [{ part, name }] = heads;
      const title = name ?? (part === picture.part ? picture.name : undefined) ?? part;
      write(grid.children[row].firstChild, title);
      heads.forEach((one, at) => {
        const rows = one.rows ?? picture.rows.length;
        const columns = one.columns ?? picture.columns.length;
        const { head, weights, role, off } = one;
        const spread = spreadOf(weights, rows, columns);
        const words = `${spread.toFixed(spread < 100 ? 1 : 0)} ${unit}`;
        const measured = scoring.textOf(scores, part, head);
        const does = [
          ...(role ? [roleText(role), ...reachOf(role)] : []),
          ...(measured ? [measured] : []),
        ];
        const isOff = off ? ', switched off' : '';
        const label = [`${title}, head ${head + 1}${isOff}, looks at about ${words}`, ...does].join(
          ', ',
        );
        tiles[row][at].show({
          rows,
          columns,
          weights,
          words,
          does,
          label,
          colors,
          scaling,
          off: change && off,
        });
      });
    });
  }

  function rebuild(layers, key) {
    const hadFocus = grid.contains(document.activeElement);
    grid.dataset.key = key;
    tiles = Array.from(layers, ([part, heads]) =>
      heads.map(({ head }) => createHeadTile({ part, head }, hands)),
    );
    grid.replaceChildren(
      ...tiles.map((line) =>
        element(
          'div',
          { role: 'row' },
          element('div', { role: 'rowheader' }),
          line.map(({ cell }) => cell),
        ),
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
    turnOff({ part, head }) {
      change({ block: toggleBlock(shown.block, { ...placeOfPart(part), head }) });
    },
  };

  function mark() {
    const { picture, selection } = shown;
    const all = tiles.flat();
    const current = all.find(
      ({ part, head }) => part === selection.part && head === selection.head,
    );
    const stop = all.find(({ cell }) => cell === document.activeElement) ?? current ?? all[0];
    for (const tile of all) {
      tile.cell.setAttribute('aria-selected', String(tile === current));
      tile.cell.tabIndex = tile === stop ? 0 : -1;
      tile.point(picture && isShown(tile) ? pointedIn(selection) : null);
    }
  }

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

  return { show, toSVG: ({ dark } = {}) => headsToSVG(drawn, { dark }) };
}
