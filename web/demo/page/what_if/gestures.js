// Keys, right click and long press that block something.

import { elementOf, hasModifier, isEditing } from '../keys.js';
import { headAction, linkAction, wordAction } from './actions.js';

const longPress = 550; // ms
const still = 8; // CSS pixels that a finger may move during a long press

const tileOf = (target) => {
  const { part, head } = target.closest('[data-part][data-head]')?.dataset ?? {};
  return part === undefined ? null : { part, head: Number(head) };
};

/**
 * `now()` returns { picture, place, … } as actions need it; `act(actionOf, place?)`; `undo()`; `findHeads()`;
 * `openMenu(place, { x, y })`; `isMenuOpen()`; `cellAt(event)`: the cell of the matrix.
 */
export function watchGestures({ now, canBlock, act, undo, findHeads, ...menu }) {
  const { openMenu, isMenuOpen, cellAt } = menu;
  const keys = {
    x: () => act((where) => linkAction(where)),
    X: () => act((where) => linkAction(where, 'layer')),
    h: () => act(wordAction),
    u: undo,
    w: findHeads,
  };
  document.addEventListener('keydown', (event) => {
    const { key } = event;
    const target = elementOf(event);
    if (hasModifier(event) || event.defaultPrevented || !Object.hasOwn(keys, key)) return;
    if (isEditing(target) || !canBlock()) return;
    const tile = tileOf(target);
    if (tile && key === 'x') act(headAction, tile);
    else keys[key]();
    event.preventDefault();
  });

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pressed;
  let openedAt = 0;
  function openAt(event) {
    if (!canBlock()) return false;
    const place = placeAt(event, now(), cellAt);
    if (!place || (place.row !== undefined && place.column === undefined)) return false;
    openedAt = event.timeStamp;
    openMenu(place, { x: event.clientX, y: event.clientY });
    return true;
  }
  /** @type {NodeListOf<HTMLElement>} */
  const rooms = document.querySelectorAll('.stage, .sentences');
  for (const room of rooms) {
    room.addEventListener('contextmenu', (event) => {
      if (isMenuOpen() || openAt(event)) event.preventDefault();
    });
    // iOS has no event for a long press.
    room.addEventListener('pointerdown', (event) => {
      clearTimeout(pressed);
      if (event.pointerType !== 'touch' || !event.isPrimary) return;
      const { clientX, clientY } = event;
      pressed = setTimeout(() => openAt(event), longPress);
      room.addEventListener('pointermove', ({ clientX: x, clientY: y }) => {
        if (Math.hypot(x - clientX, y - clientY) > still) clearTimeout(pressed);
      });
    });
    for (const type of ['pointerup', 'pointercancel', 'scroll']) {
      room.addEventListener(type, () => clearTimeout(pressed), { capture: true });
    }
    // The click at the end of a long press selects nothing.
    room.addEventListener(
      'click',
      (event) => {
        if (!isMenuOpen() || event.timeStamp - openedAt > 3000) return;
        event.stopPropagation();
        event.preventDefault();
      },
      { capture: true },
    );
  }
}

/** The place in the picture under a pointer: { row?, column?, … }, or null. */
function placeAt(event, { picture, place: { head } }, cellAt) {
  const map = event.target.closest('attention-map');
  if (map) {
    const cell = map.closest('.matrix-view') ? cellAt(event) : map.cellAt(event);
    return cell && { head, ...cell };
  }
  const tile = tileOf(event.target);
  if (tile) return tile;
  const option = event.composedPath()[0].closest?.('[role="option"][data-index]');
  if (!option) return null;
  const index = Number(option.dataset.index);
  if (option.closest('#second-words, .side.column')) return { column: index, head };
  if (!picture.oneSequence) return null;
  const token = picture.rowTokens[index][0];
  return { column: picture.columnTokens.findIndex((tokens) => tokens.includes(token)), head };
}
