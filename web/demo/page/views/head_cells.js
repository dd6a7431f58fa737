// The grid of all heads, which may have thousands of cells, drawn within the view: an ARIA grid with a single tab stop. A
// hovered cell is marked in all heads of its layer.

import { colorScale } from 'attention-wasm/heatmap';
import { element, write } from '../element.js';
import { formatShare } from '../number_formats.js';
import { createHeadTile } from './head_tile.js';

/**
 * `latest()` returns { name, grid, pair, picture, selection, placeIn, palette, hands, enlarge }: the cells in lines, the
 * weights of the selected pair of words in a grid of squares, the marked place in a cell; enlarge() is called with the
 * cell that is pointed at, focused or selected.
 */
export function createHeadCells(latest) {
  const root = element('div', {
    role: 'grid',
    'aria-label': 'All heads, a row for each layer',
    'aria-describedby': `${latest().name}-keys`,
  });
  let tiles = []; // rows of tiles
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

  // Usually only the pictures change, not their number.
  function fill(grid) {
    const key = JSON.stringify(grid.lines.map(({ part, heads }) => [part, heads.length]));
    if (root.dataset.key !== key) rebuild(grid, key);
    grid.lines.forEach(({ title, heads }, row) => {
      write(root.children[row + 1].firstChild, title);
      heads.forEach((one, at) => tiles[row][at].show(one));
    });
  }

  function rebuild({ lines, heads, isLarge }, key) {
    const hadFocus = root.contains(document.activeElement);
    root.dataset.key = key;
    pointed = null;
    root.style.setProperty('--heads', heads);
    tiles = lines.map((line) =>
      line.heads.map(({ part, head }) => createHeadTile({ part, head }, isLarge, on)),
    );
    const row = (...cells) => element('div', { role: 'row' }, ...cells);
    const numbers = Array.from({ length: heads }, (_, at) =>
      element('div', { role: 'columnheader', 'aria-label': `Head ${at + 1}` }, String(at + 1)),
    );
    root.replaceChildren(
      row(element('div', { role: 'columnheader' }, 'layer ↓ head →'), ...numbers),
      ...tiles.map((line) =>
        row(element('div', { role: 'rowheader' }), ...line.map(({ cell }) => cell)),
      ),
    );
    if (hadFocus) queueMicrotask(() => root.querySelector('[tabindex="0"]')?.focus());
  }

  function mark() {
    const { pair, selection, placeIn, enlarge } = latest();
    const all = tiles.flat();
    const current = all.find(
      ({ part, head }) => part === selection.part && head === selection.head,
    );
    const focused = all.find(({ cell }) => cell === document.activeElement);
    const stop = focused ?? current ?? all[0];
    for (const tile of all) {
      tile.cell.setAttribute('aria-selected', String(tile === current));
      tile.cell.tabIndex = tile === stop ? 0 : -1;
      tile.picture?.point(placeIn(tile));
    }
    if (pair) paint(all, pair);
    all.forEach((tile, at) => tile.say(labelOf(tile, latest(), at)));
    enlarge(pointed ?? stop ?? null);
  }

  /** Colors the squares by their weight of the selected pair. */
  function paint(all, { weights, largest }) {
    const { grid, palette } = latest();
    const scale = colorScale({ surface: palette?.surface ?? '#ffffff', colors: grid.colors });
    all.forEach((tile, at) => {
      const weight = weights[at] ?? null;
      const share = Math.abs(weight ?? 0) / (largest || 1);
      tile.paint(weight === null ? null : scale.colorOf(share).fill);
    });
  }

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
      if (grid !== drawn) fill(grid);
      drawn = grid;
      mark();
    },
  };
}

const arrows = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** `pair`: weights of the selected pair of words, or null. */
function labelOf({ head, shown: { title, words, does, off } }, { pair, isPercent }, at) {
  const weight = pair?.weights[at] ?? null;
  return [
    `${title}, head ${head + 1}${off ? ', switched off' : ''}`,
    ...(weight === null ? [] : [`weight of ${pair.says} ${formatShare(weight, isPercent)}`]),
    `looks at about ${words}`,
    ...does,
  ].join(', ');
}
