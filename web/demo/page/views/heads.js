// The heads view: every head of every layer as a small picture, one of which is chosen. A grid of true rows,
// one for each layer, with one stop for the Tab key. What is pointed at in one picture is pointed at in all of its layer.

import { element, write } from '../element.js';
import { reachOf, roleText } from '../head_role.js';
import { headsToSVG } from './heads_drawing.js';
import { createHeadTile } from './head_tile.js';
import { layersOf, pointedIn, spreadOf } from './head_of_picture.js';
import '../style/heads.css';

/**
 * Fills `root`, as tall as it takes; `select` is given { part, head } by click and Enter, and of a point in a picture
 * of the part that is shown its { row, column } as well; `hover` { row, column, head } or null.
 */
export function createHeads(root, { select, hover }) {
  root.classList.add('heads-view');
  const grid = element('div', {
    role: 'grid',
    'aria-label': 'All heads, a row for each layer',
    'aria-describedby': 'heads-keys',
  });
  const keys =
    'Arrows go from head to head, Enter shows one, Shift and an arrow take another pair of words.';
  root.append(grid, element('p', { id: 'heads-keys' }, keys));
  let tiles = []; // rows of what createHeadTile() returns
  let drawn = null;
  let shown = {}; // { picture, selection }

  function show(picture, selection, settings = {}) {
    const thumbnails = picture?.thumbnails ?? [];
    shown = { picture, selection: selection ?? {} };
    grid.hidden = thumbnails.length === 0;
    const colors = settings.colors ?? 'blues';
    const scaling = settings.scaling ?? 'global';
    const wanted = { thumbnails, colors, scaling, palette: settings.palette };
    if (!drawn || Object.keys(wanted).some((key) => wanted[key] !== drawn[key])) {
      fill(picture, wanted);
      drawn = wanted;
    }
    mark();
  }

  // A letter more changes the pictures, and seldom how many there are.
  function fill(picture, { thumbnails, colors, scaling }) {
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
        const { head, weights, role } = one;
        const words = `${spreadOf(weights, rows, columns).toFixed(1)} words`;
        const does = role ? [roleText(role), ...reachOf(role)] : [];
        const label = [`${title}, head ${head + 1}, looks at about ${words}`, ...does].join(', ');
        tiles[row][at].show({ rows, columns, weights, words, does, label, colors, scaling });
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

  // Only of the part that is shown it is known which words a point is of.
  const isShown = ({ part }) => part === shown.picture.part;
  const hands = {
    hover(tile, place) {
      if (!place || !isShown(tile)) hover(null);
      else hover(shown.picture.average ? place : { ...place, head: tile.head });
    },
    choose({ part, head }, place) {
      select({ part, head, ...(isShown({ part }) && place) });
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

  /** The pair of words that all pictures of the layer have marked. */
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
