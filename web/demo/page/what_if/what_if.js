// What if: blocks links, words and heads of a model, and shows what it then writes. Parts: a button in the read-out with
// a menu (also by long press or right click), keys, and a line with the effect below the likeliest words; a button for the
// map of what each head or word changes (sweep/).

import { tokensOf } from '../../positions.js';
import { element, write } from '../element.js';
import { createChanges } from './changes.js';
import { actionsFor, linkAction, headAction } from './actions.js';
import { createMenu } from './menu.js';
import './what_if.css';

const longPress = 550; // ms
const still = 8; // CSS pixels that a finger may move during a long press

/**
 * `now()` returns { state, picture, facts, place }; `change` as in actions.js; `effect()` resolves to an Effect;
 * `map.show()` shows the map of sweep/.
 */
export function createWhatIf({ now, change, effect, map }) {
  const menu = createMenu();
  const changes = createChanges({ setBlock, effect });
  document.querySelector('.drawn-stage').after(changes.element);

  const verb = element('span');
  const main = element(
    'button',
    { type: 'button', class: 'quiet', click: () => act(linkAction) },
    verb,
    element('span', { class: 'long' }, ' this link'),
  );
  const more = element(
    'button',
    {
      ...{ type: 'button', class: 'quiet more', 'aria-label': 'More to block' },
      ...{ 'aria-haspopup': 'menu', 'aria-expanded': 'false' },
      click: () => openMenu(placeNow(), more),
    },
    '▾',
  );
  const buttons = element('div', { class: 'block-link', role: 'group', 'aria-label': 'What if' });
  buttons.append(main, more);
  document.querySelector('.block-it').append(buttons);
  const whichHead = createWhich('which-head', 'Which head matters?');
  document.querySelector('[data-view="heads"]').prepend(whichHead);
  let hasMap = false; // it was opened
  let isAsked = false; // the reader opened it, so that it takes the focus
  let shownMap = '';

  function createWhich(name, says) {
    const [title, click] = ['Takes each away in turn, and measures (key W)', () => find('heads')];
    return element('button', { type: 'button', class: `quiet ${name}`, title, click }, says);
  }

  /** Opens the map of effects, or closes it. */
  function find(what) {
    if (!canBlock()) return;
    isAsked = true;
    change({ sweep: now().state.sweep === what ? '' : what });
  }

  function takeFocus() {
    const was = isAsked;
    isAsked = false;
    return was;
  }

  const canBlock = () => {
    const { picture, facts, state } = now();
    return Boolean(picture) && isModel(state) && !facts.isPrerendered;
  };
  const placeNow = () => {
    const { place } = now();
    return { row: place.row, column: place.column, head: place.head };
  };
  const whereNow = (place) => ({ ...now(), ...place });

  /** The selection stays where it is, even if other words are written there. */
  function setBlock(block) {
    const { picture, place } = now();
    change({ block, ...(picture && tokensOf(picture, place)) });
  }

  function act(actionOf, place = placeNow()) {
    if (!canBlock()) return;
    const action = actionOf(whereNow(place));
    if (action) setBlock(action.block);
  }

  function openMenu(place, anchor) {
    if (!canBlock()) return;
    const items = actionsFor(whereNow(place)).map(({ says, hint, key, block }) => ({
      ...{ says, hint, key },
      act: () => setBlock(block),
    }));
    const unit = now().facts.grid ? 'patch' : 'word';
    items.push(
      { says: 'Which head matters here?', hint: '', key: 'W', act: () => find('heads') },
      { says: `Which ${unit} matters here?`, hint: '', key: '', act: () => find('words') },
    );
    if (items.length > 0) menu.open(items, anchor);
  }

  // ---- keys ----------------------------------------------------------------------------------------

  const keys = {
    x: (place) => act(linkAction, place),
    X: (place) => act((where) => linkAction(where, { everywhere: true }), place),
    h: (place) => act((where) => actionsFor(where).find(({ key }) => key === 'H'), place),
    u: () => setBlock(''),
    w: () => find('heads'),
  };
  // Elsewhere letters are typed, also on the words of a text.
  const rooms = '.picture, .what-if, .next-words, .sweep';
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || event.defaultPrevented || !Object.hasOwn(keys, key)) return;
    if (!target.closest(rooms) || target.closest('input, select, textarea, [role="menu"]')) return;
    const tile = tileOf(target);
    if (tile && key === 'x') act(headAction, tile);
    else keys[key](placeNow());
    event.preventDefault();
  });

  // ---- right click and long press ----------------------------------------------------------------------

  const tileOf = (target) => {
    const { part, head } = target.closest('[data-part][data-head]')?.dataset ?? {};
    return part === undefined ? null : { part, head: Number(head) };
  };

  /** The place in the picture under a pointer: { row?, column?, … }, or null. */
  function placeAt(event) {
    const { picture, place } = now();
    const target = event.composedPath()[0];
    const map = event.target.closest('attention-map');
    if (map) {
      const cell = map.cellAt(event);
      if (!cell) return null;
      return {
        head: place.head,
        ...(cell.row === undefined ? {} : { row: cell.row }),
        ...columnIn(cell),
      };
    }
    const tile = tileOf(event.target);
    if (tile) return tile;
    const option = target.closest?.('[role="option"][data-index]');
    if (!option) return null;
    const index = Number(option.dataset.index);
    if (option.closest('#second-words, .side.column')) return { column: index, head: place.head };
    if (!picture.oneSequence) return null;
    const token = picture.rowTokens[index][0];
    const column = picture.columnTokens.findIndex((tokens) => tokens.includes(token));
    return { column, head: place.head };
  }
  const columnIn = ({ column }) => (column === undefined ? {} : { column });

  let pressed = 0;
  let openedAt = 0;
  function openAt(event) {
    if (!canBlock()) return false;
    const place = placeAt(event);
    if (!place || (place.row !== undefined && place.column === undefined)) return false;
    openedAt = event.timeStamp;
    openMenu(place, { x: event.clientX, y: event.clientY });
    return true;
  }
  for (const room of document.querySelectorAll('.stage, .sentences')) {
    room.addEventListener('contextmenu', (event) => {
      if (menu.isOpen() || openAt(event)) event.preventDefault();
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
        if (!menu.isOpen() || event.timeStamp - openedAt > 3000) return;
        event.stopPropagation();
        event.preventDefault();
      },
      { capture: true },
    );
  }

  return {
    /** `isReady`: no picture is being computed. */
    show({ isReady }) {
      const isOn = canBlock();
      buttons.hidden = !isOn;
      const { sweep: what } = now().state;
      // The open panel stands in the place of the button.
      whichHead.hidden = !isOn || what !== '';
      hasMap ||= what !== '';
      if (hasMap) map.show({ ...now(), isReady, isAsked: takeFocus });
      const isClosed = shownMap !== '' && what === '';
      // The focus was in the map, or is already lost with it.
      const isLost = document.activeElement?.matches('body, .sweep *, .sweep');
      if (isClosed && isLost) more.focus({ preventScroll: true });
      shownMap = what;
      if (isOn) {
        const action = linkAction(whereNow(placeNow()));
        write(verb, action?.isUndo ? 'Allow' : 'Block');
        main.disabled = !action;
        main.title = action ? `${action.says} (key X)` : '';
      }
      changes.show({ ...now(), isReady });
    },
  };
}

const isModel = ({ source }) => source === 'model' || source === 'own';
