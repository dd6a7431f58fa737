// A menu at a button or at the pointer, with arrow keys; Escape and a click elsewhere close it.

import { element } from '../element.js';

const gap = 6; // CSS pixels

export function createMenu() {
  const root = element('div', {
    class: 'what-if-menu',
    role: 'menu',
    'aria-label': 'Block',
    hidden: true,
  });
  document.querySelector('main')?.append(root);
  let opener = null;

  function close({ focus = true } = {}) {
    if (root.hidden) return;
    root.hidden = true;
    if (opener.button) opener.button.setAttribute('aria-expanded', 'false');
    if (focus) opener.active?.focus?.({ preventScroll: true });
  }

  root.addEventListener('keydown', (event) => {
    const items = Array.from(root.children);
    const at = items.indexOf(document.activeElement);
    const places = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 };
    if (event.key === 'Escape' || event.key === 'Tab') close();
    else if (Object.hasOwn(places, event.key)) items.at(places[event.key] % items.length).focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  document.addEventListener('pointerdown', ({ target }) => {
    if (!root.contains(target) && !opener?.button?.contains(target)) close({ focus: false });
  });
  addEventListener('resize', () => close({ focus: false }));
  addEventListener('scroll', () => close({ focus: false }), { passive: true });

  /** A fixed position inside the window. */
  function place({ x, y, above = y }) {
    const { offsetWidth: width, offsetHeight: height } = root;
    const left = Math.max(gap, Math.min(x, innerWidth - width - gap));
    const top = y + height + gap > innerHeight ? Math.max(gap, above - height) : y;
    root.style.setProperty('left', `${left}px`);
    root.style.setProperty('top', `${top}px`);
  }

  return {
    isOpen: () => !root.hidden,
    /** `items`: [{ says, hint, key, act }]; `anchor`: a button, or { x, y } of the pointer. */
    open(items, anchor) {
      const button = anchor instanceof Element ? anchor : null;
      if (button && !root.hidden) {
        close();
        return;
      }
      opener = { button, active: button ?? document.activeElement };
      root.replaceChildren(
        ...items.map(({ says, hint, key, act }) =>
          element(
            'button',
            {
              ...{ type: 'button', role: 'menuitem', tabindex: -1 },
              click: () => {
                close();
                act();
              },
            },
            element('span', { class: 'says' }, says),
            hint && element('small', {}, hint),
            key && element('kbd', { 'aria-hidden': 'true' }, key),
          ),
        ),
      );
      root.hidden = false;
      button?.setAttribute('aria-expanded', 'true');
      if (button) {
        const { left, top, bottom } = button.getBoundingClientRect();
        place({ x: left, y: bottom + gap, above: top - gap });
      } else place(anchor);
      root.firstChild.focus({ preventScroll: true });
    },
  };
}
