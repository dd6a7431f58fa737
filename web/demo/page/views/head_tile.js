// Thumbnail of a head with the hovered row and column, and its role below.

import { thumbnail } from 'attention-wasm/heatmap';
import { element } from '../element.js';
import { optionsOfHead } from './head_of_picture.js';

/**
 * `hover(tile, place | null)` and `choose(tile, place | null)` are called by pointer and keys; a place is { row, column
 * }. `turnOff(tile)` switches a model's head off, or on again.
 */
export function createHeadTile(own, { hover, choose, turnOff }) {
  const canvas = element('canvas', { 'aria-hidden': 'true' });
  const lines = {
    row: element('span', { class: 'at-row' }),
    column: element('span', { class: 'at-column' }),
  };
  const small = element('div', { class: 'small' }, canvas, lines.row, lines.column);
  const spread = element('span'); // written by CSS, as the cell's accessible name already has it
  const offSwitch = element('button', { type: 'button', class: 'off-switch', tabindex: -1 });
  const caption = element(
    'div',
    { class: 'says' },
    element('b', {}, `Head ${own.head + 1}`),
    spread,
    offSwitch,
  );
  const cell = element(
    'div',
    { role: 'gridcell', tabindex: -1, 'data-part': own.part, 'data-head': own.head },
    small,
    caption,
  );
  const tile = { ...own, cell, show, point };
  let shape = { rows: 1, columns: 1 };

  function placeOf({ clientX, clientY }) {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const at = (share, count) => Math.max(0, Math.min(count - 1, Math.floor(share * count)));
    return {
      row: at((clientY - top) / height, shape.rows),
      column: at((clientX - left) / width, shape.columns),
    };
  }

  small.addEventListener('pointermove', (event) => {
    if (event.pointerType !== 'touch') hover(tile, placeOf(event));
  });
  small.addEventListener('pointerleave', () => hover(tile, null));
  cell.addEventListener('click', (event) => {
    if (event.target === offSwitch) {
      turnOff(tile);
      return;
    }
    cell.focus();
    choose(tile, small.contains(event.target) ? placeOf(event) : null);
  });

  function show({ rows, columns, weights, words, does, label, colors, scaling, off }) {
    shape = { rows, columns };
    // `off` is known for heads of a model only.
    cell.classList.toggle('off', off === true);
    offSwitch.hidden = off === undefined;
    // Its text is written by CSS too.
    offSwitch.dataset.says = off ? 'Switch on' : 'Switch off';
    offSwitch.setAttribute('aria-label', `${offSwitch.dataset.says}, head ${own.head + 1}`);
    if (cell.getAttribute('aria-label') !== label) cell.setAttribute('aria-label', label);
    if (spread.dataset.spread !== `≈ ${words}`) spread.dataset.spread = `≈ ${words}`;
    const said = Array.from(caption.querySelectorAll('i'));
    for (const one of said.slice(does.length)) one.remove();
    does.forEach((says, at) => {
      const line = said[at] ?? caption.appendChild(element('i'));
      if (line.dataset.says !== says) line.dataset.says = says;
    });
    const ratio = `${columns} / ${rows}`;
    if (canvas.style.aspectRatio !== ratio) canvas.style.aspectRatio = ratio;
    // The canvas must be in the document for its theme to be read.
    queueMicrotask(() => {
      if (!cell.isConnected) return;
      thumbnail(canvas, { ...optionsOfHead({ weights, rows, columns }, scaling), colors });
    });
  }

  /** Marks `place`, { row, column }, or nothing for null. */
  function point(place) {
    for (const [name, count] of [
      ['row', shape.rows],
      ['column', shape.columns],
    ]) {
      const line = lines[name];
      line.hidden = place === null;
      if (!place) continue;
      line.style.setProperty('--at', place[name] / count);
      line.style.setProperty('--size', 1 / count);
    }
  }

  return tile;
}
