// Card of the open model, and the list of models kept for the next visit.

import { element } from '../element.js';

/**
 * Replaces the children of `root`; if the focused button disappears, focus moves to another, or to the element that
 * `focus()` returns.
 */
function fill(root, focus, children) {
  const hadFocus = root.contains(document.activeElement);
  root.replaceChildren(...children);
  if (hadFocus) (root.querySelector('button') ?? focus()).focus();
}

/** `model`: { name, card: [name, text][], isKept } or null. */
export function showCard(root, model, { close, keep, focus }) {
  root.hidden = !model;
  if (!model) {
    fill(root, focus, []);
    return;
  }
  const { name, card, isKept } = model;
  const lines = card.map(([line, text]) =>
    element('div', {}, element('dt', {}, line), element('dd', {}, text)),
  );
  const buttons = [
    !isKept && element('button', { type: 'button', click: keep }, 'Keep for my next visit'),
    element('button', { type: 'button', 'aria-label': `Close ${name}`, click: close }, 'Close'),
  ];
  fill(root, focus, [
    element('h3', {}, name),
    element('dl', {}, lines),
    element('div', { class: 'buttons' }, buttons),
  ]);
}

/** `kept`: { name, size }[]. */
export function showKept(root, kept, { open, remove, focus }) {
  root.hidden = kept.length === 0;
  fill(
    root,
    focus,
    kept.map(({ name, size }) =>
      element(
        'li',
        {},
        element('span', {}, element('strong', {}, name), ` kept, ${size}`),
        element(
          'span',
          { class: 'buttons' },
          button(`Open ${name}`, 'Open', () => open(name)),
          button(`Remove ${name}`, 'Remove', () => remove(name)),
        ),
      ),
    ),
  );
}

const button = (label, text, click) =>
  element('button', { type: 'button', 'aria-label': label, click }, text);
