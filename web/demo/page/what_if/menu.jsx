// The menu of what can be blocked, at the pointer, with arrow keys; Escape and a click elsewhere close it.

import { useLayoutEffect, useRef } from '../component.jsx';

const gap = 6; // CSS pixels

/**
 * A menu, in the room that has its role. `anchor`: { x, y } in the window; `close({ focus: false })` leaves the focus where
 * it is.
 * @typedef {object} Opened
 * @property {{ says: string, hint: string, key: string, act(): void }[]} items
 * @property {{ x: number, y: number }} anchor
 */

/** @param {{ opened: Opened | null, close(how?: { focus: boolean }): void }} shown */
export const Menu = ({ opened, close }) => opened && <Items {...opened} close={close} />;

/** @param {Opened & { close(how?: { focus: boolean }): void }} shown */
function Items({ items, anchor, close }) {
  const first = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useLayoutEffect(() => {
    const room = /** @type {HTMLElement} */ (first.current?.parentElement);
    place(room, anchor);
    first.current?.focus({ preventScroll: true });
    return whenLeft(room, () => close({ focus: false }));
  }, [items]);
  return items.map(({ says, hint, key, act }, at) => (
    <button
      key={says}
      ref={at === 0 ? first : undefined}
      type="button"
      role="menuitem"
      tabIndex={-1}
      onClick={() => {
        close();
        act();
      }}
      onKeyDown={(event) => press(event, at, close)}
    >
      <span class="says">{says}</span>
      {hint && <small>{hint}</small>}
      {key && <kbd aria-hidden="true">{key}</kbd>}
    </button>
  ));
}

/** A key pressed at the item `at`. */
function press(event, at, close) {
  const { children } = event.currentTarget.parentElement;
  const places = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: children.length - 1 };
  if (event.key === 'Escape' || event.key === 'Tab') close();
  else if (Object.hasOwn(places, event.key)) {
    Array.from(children)
      .at(places[event.key] % children.length)
      .focus();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Calls `leave()` for what closes a menu from outside; returns a function that ends it. */
function whenLeft(room, leave) {
  const isOutside = ({ target }) => !room.contains(target);
  const ended = new AbortController();
  const { signal } = ended;
  document.addEventListener('pointerdown', (event) => isOutside(event) && leave(), { signal });
  addEventListener('resize', leave, { signal });
  addEventListener('scroll', leave, { passive: true, signal });
  return () => ended.abort();
}

/** A fixed position inside the window. */
function place(room, { x, y }) {
  const { offsetWidth: width, offsetHeight: height } = room;
  const left = Math.max(gap, Math.min(x, innerWidth - width - gap));
  const top = y + height + gap > innerHeight ? Math.max(gap, y - height) : y;
  room.style.setProperty('left', `${left}px`);
  room.style.setProperty('top', `${top}px`);
}
