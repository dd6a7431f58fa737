// A toggle button for every head in its color; hovering one shows only its links.

import { element } from '../element.js';
import { colorOfHead } from './lines_drawing.js';

/** `changed()` is called when the set of drawn heads changes. */
export function createHeadChips(changed) {
  const root = element('div', {
    class: 'heads',
    role: 'group',
    'aria-label': 'Heads that are drawn',
  });
  let hidden = new Set();
  let solo = null;
  let count = 0;

  function chipOf(head) {
    const chip = element(
      'button',
      {
        type: 'button',
        title: `Head ${head + 1}; with Shift, only this one`,
        'aria-label': `Head ${head + 1}`,
        'aria-pressed': 'true',
        click(event) {
          if (event.shiftKey) keepOnly(head);
          else if (!hidden.delete(head)) hidden.add(head);
          mark();
          changed();
        },
        pointerenter({ pointerType }) {
          if (pointerType !== 'touch') point(head);
        },
        pointerleave: () => point(null),
      },
      String(head + 1),
    );
    chip.style.setProperty('--head', colorOfHead(head));
    return chip;
  }

  function keepOnly(head) {
    const others = Array.from({ length: count }, (_, at) => at).filter((at) => at !== head);
    const isAlone = others.every((one) => hidden.has(one)) && !hidden.has(head);
    hidden = new Set(isAlone ? [] : others);
  }

  function mark() {
    Array.from(root.children, (chip, head) =>
      chip.setAttribute('aria-pressed', String(!hidden.has(head))),
    );
  }

  function point(head) {
    solo = head;
    changed();
  }

  return {
    element: root,
    show(heads) {
      root.hidden = heads < 2;
      if (heads === count) return;
      count = heads;
      hidden = new Set();
      root.replaceChildren(...Array.from({ length: heads }, (_, head) => chipOf(head)));
    },
    isDrawn: (head) => (solo === null ? !hidden.has(head) : head === solo),
  };
}
