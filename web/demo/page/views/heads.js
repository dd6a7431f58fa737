// The heads view: every head of every layer as a small picture, one of which is chosen. A grid of true rows,
// one for each layer, with one stop for the Tab key.

import { thumbnail } from 'attention-wasm/heatmap';
import { reachOf, roleText } from '../head_role.js';
import { headsToSVG } from './heads_drawing.js';
import { layersOf, optionsOfHead, spreadOf } from './head_of_picture.js';

/** Fills `element`, as tall as it takes; `select` is given { part, head } by click and Enter. */
export function createHeads(element, { select }) {
  element.classList.add('heads-view');
  const grid = element.appendChild(document.createElement('div'));
  grid.setAttribute('role', 'grid');
  grid.setAttribute('aria-label', 'All heads, a row for each layer');
  let tiles = []; // rows of { part, head, cell }
  let drawn = null;

  function show(picture, selection, settings = {}) {
    const thumbnails = picture?.thumbnails ?? [];
    grid.hidden = thumbnails.length === 0;
    const colors = settings.colors ?? 'blues';
    const scaling = settings.scaling ?? 'global';
    const wanted = { thumbnails, colors, scaling, palette: settings.palette };
    if (!drawn || Object.keys(wanted).some((key) => wanted[key] !== drawn[key])) {
      fill(picture, wanted);
      drawn = wanted;
    }
    mark(selection ?? {});
  }

  function fill(picture, { thumbnails, colors, scaling }) {
    const hadFocus = grid.contains(document.activeElement);
    tiles = [];
    const rows = Array.from(layersOf(thumbnails), ([part, heads]) => {
      const title = heads[0].name ?? (part === picture.part ? picture.name : undefined) ?? part;
      const row = document.createElement('div');
      row.setAttribute('role', 'row');
      const header = row.appendChild(document.createElement('div'));
      header.setAttribute('role', 'rowheader');
      header.textContent = title;
      const line = heads.map((one) => createTile(one, { picture, title, colors, scaling }));
      row.append(...line.map(({ cell }) => cell));
      tiles.push(line);
      return row;
    });
    grid.replaceChildren(...rows);
    if (hadFocus) queueMicrotask(() => grid.querySelector('[tabindex="0"]')?.focus());
  }

  function createTile({ part, head, weights, role, ...own }, { picture, title, colors, scaling }) {
    const rows = own.rows ?? picture.rows.length;
    const columns = own.columns ?? picture.columns.length;
    const spread = spreadOf(weights, rows, columns);
    const cell = document.createElement('div');
    cell.setAttribute('role', 'gridcell');
    cell.tabIndex = -1;
    const words = `${spread.toFixed(1)} words`;
    const does = role ? [roleText(role), ...reachOf(role)] : [];
    const name = [`${title}, head ${head + 1}, looks at about ${words}`, ...does];
    cell.setAttribute('aria-label', name.join(', '));
    const canvas = cell.appendChild(document.createElement('canvas'));
    canvas.setAttribute('aria-hidden', 'true');
    canvas.style.aspectRatio = `${columns} / ${rows}`;
    const caption = cell.appendChild(document.createElement('div'));
    const number = caption.appendChild(document.createElement('b'));
    number.textContent = `Head ${head + 1}`;
    const small = caption.appendChild(document.createElement('span'));
    small.dataset.spread = `≈ ${words}`; // written by the style: the cell's name says it in words
    for (const says of does) caption.appendChild(document.createElement('i')).dataset.says = says;
    // The theme is read off the canvas, which has to be in the page for that.
    queueMicrotask(() => {
      if (!cell.isConnected) return;
      thumbnail(canvas, { ...optionsOfHead({ weights, rows, columns }, scaling), colors });
    });
    cell.addEventListener('click', () => {
      cell.focus();
      select({ part, head });
    });
    return { part, head, cell };
  }

  function mark({ part, head }) {
    const all = tiles.flat();
    const current = all.find((tile) => tile.part === part && tile.head === head);
    const stop = all.find(({ cell }) => cell === document.activeElement) ?? current ?? all[0];
    for (const tile of all) {
      tile.cell.setAttribute('aria-selected', String(tile === current));
      tile.cell.tabIndex = tile === stop ? 0 : -1;
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

  return { show, toSVG: ({ dark } = {}) => headsToSVG(drawn, { dark }) };
}
