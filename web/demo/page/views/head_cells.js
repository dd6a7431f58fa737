// The grid of all heads, which may have hundreds of pictures, drawn within the view: an ARIA grid with a single tab stop. A
// hovered cell is marked in all heads of its layer. A layer with more heads than fit beside each other takes several rows.

import { colorScale } from 'attention-wasm/heatmap';
import { element, write } from '../element.js';
import { wrapLines } from './head_grid.js';
import { createHeadTile } from './head_tile.js';

const tileWidth = 44; // px, with its gap
const headerWidth = 68; // px, of the names of layers

/**
 * `latest()` returns { name, grid, selection, placeIn, palette, hands, enlarge }: the cells in lines, with the share of a
 * score that each is framed with; the marked place in a cell; enlarge() is called with the cell that is pointed at, focused
 * or selected.
 */
export function createHeadCells(latest) {
  const root = element('div', {
    role: 'grid',
    'aria-label': 'All heads, a row for each layer',
    'aria-describedby': `${latest().name}-keys`,
  });
  let tiles = []; // rows of tiles
  let rowHeaders = [];
  let pointed = null; // tile under the pointer
  let drawn = null;

  const on = {
    hover: (tile, place) => latest().hands.hover(tile, place),
    choose: (tile, place) => latest().hands.choose(tile, place),
    enlarge(tile) {
      pointed = tile;
      mark();
    },
  };

  /** Heads that fit beside each other. */
  const roomNow = () => Math.max(1, Math.floor((root.clientWidth - headerWidth) / tileWidth));

  // Usually only the pictures change, not their number.
  function fill(grid) {
    const { lines, heads } = wrapLines(grid.lines, roomNow());
    const key = JSON.stringify(lines.map((line) => [line.part, line.first, line.heads.length]));
    if (root.dataset.key !== key) rebuild(lines, heads, key);
    lines.forEach(({ title, heads: list, first, isPart }, row) => {
      const range = isPart ? `heads ${first + 1}–${first + list.length}` : '';
      // Further rows of a layer have no room for its name; they are announced with it.
      write(rowHeaders[row], [first > 0 ? '' : title, range].filter(Boolean).join(', '));
      rowHeaders[row].setAttribute('aria-label', [title, range].filter(Boolean).join(', '));
      list.forEach((one, at) => tiles[row][at].show(one));
    });
  }

  function rebuild(lines, heads, key) {
    const hadFocus = root.contains(document.activeElement);
    root.dataset.key = key;
    pointed = null;
    root.style.setProperty('--heads', heads);
    tiles = lines.map((line) =>
      line.heads.map(({ part, head }) => createHeadTile({ part, head }, on)),
    );
    rowHeaders = lines.map(() => element('div', { role: 'rowheader' }));
    const row = (...cells) => element('div', { role: 'row' }, ...cells);
    const numbers = Array.from({ length: heads }, (_, at) =>
      element('div', { role: 'columnheader', 'aria-label': `Head ${at + 1}` }, String(at + 1)),
    );
    // The columns have numbers where each has one head of every layer.
    const isWrapped = lines.some(({ isPart }) => isPart);
    root.replaceChildren(
      ...(isWrapped
        ? []
        : [row(element('div', { role: 'columnheader' }, 'layer ↓ head →'), ...numbers)]),
      ...tiles.map((line, at) => row(rowHeaders[at], ...line.map(({ cell }) => cell))),
    );
    if (hadFocus) queueMicrotask(() => root.querySelector('[tabindex="0"]')?.focus());
  }

  function mark() {
    const { selection, placeIn, enlarge } = latest();
    const all = tiles.flat();
    const current = all.find(
      ({ part, head }) => part === selection.part && head === selection.head,
    );
    const focused = all.find(({ cell }) => cell === document.activeElement);
    const stop = focused ?? current ?? all[0];
    for (const tile of all) {
      tile.cell.setAttribute('aria-selected', String(tile === current));
      tile.cell.tabIndex = tile === stop ? 0 : -1;
      tile.picture.point(placeIn(tile));
      tile.say(labelOf(tile));
    }
    enlarge(pointed ?? stop ?? null);
  }

  /** Frames the pictures by their scores. */
  function paint() {
    const { grid, palette } = latest();
    const scale = colorScale({ surface: palette?.surface ?? '#ffffff', colors: grid.colors });
    for (const tile of tiles.flat()) {
      const { share } = tile.shown;
      tile.frame(share === null ? null : scale.colorOf(share).fill);
    }
  }

  new ResizeObserver(() => {
    if (!drawn) return;
    fill(drawn);
    paint();
    mark();
  }).observe(root);

  root.addEventListener('focusin', mark);

  root.addEventListener('keydown', (event) => {
    if (event.altKey || event.metaKey) return;
    const row = tiles.findIndex((line) => line.some(({ cell }) => cell === event.target));
    if (row < 0) return;
    const column = tiles[row].findIndex(({ cell }) => cell === event.target);
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      latest().hands.choose(tiles[row][column], null);
      return;
    }
    if (event.shiftKey) {
      if (!Object.hasOwn(arrows, event.key)) return;
      event.preventDefault();
      latest().hands.movePair(...arrows[event.key]);
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

  return {
    element: root,
    show({ grid }) {
      if (grid !== drawn) {
        drawn = grid;
        fill(grid);
        paint();
      }
      mark();
    },
  };
}

const arrows = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

function labelOf({ head, shown: { title, does, off } }) {
  return [`${title}, head ${head + 1}${off ? ', switched off' : ''}`, ...does].join(', ');
}
