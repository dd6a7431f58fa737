// Parts of a step's figure: its state before and after the operation, and choices.

import { element, formula } from '../../element.js';

/** A figure with its caption; `when`: 'before' or 'after' the operation. */
export function figure(when, caption, ...children) {
  const says = element('figcaption', {}, element('span', { class: 'when' }, when), ' ', caption);
  return element('figure', { class: when }, says, ...children);
}

/** The operation between the two figures. */
export const operation = (text) => element('p', { class: 'operation' }, formula(text));

/** A choice among a few words or heads. `pick(index)` is called with the chosen one. */
export function createChoice(label, names, pick, kind = 'read') {
  const buttons = names.map((name, at) =>
    element('button', { type: 'button', click: () => pick(at) }, element('bdi', {}, name)),
  );
  const root = element(
    'div',
    { class: `choice is-of-${kind}`, role: 'group', 'aria-label': label },
    element('span', { class: 'label', 'aria-hidden': 'true' }, label),
    buttons,
  );
  return {
    element: root,
    show(chosen) {
      buttons.forEach((button, at) => button.setAttribute('aria-pressed', String(at === chosen)));
    },
  };
}
