// The parts of a step's picture: what was there before, what there is after it, and the words to choose from.

import { element, formula } from '../../element.js';

/** A picture with its name; `when` says whether it is there before what happens, or after. */
export function figure(when, caption, ...children) {
  const says = element('figcaption', {}, element('span', { class: 'when' }, when), ' ', caption);
  return element('figure', { class: when }, says, ...children);
}

/** What happens between before and after. */
export const operation = (text) => element('p', { class: 'operation' }, formula(text));

/** A choice of one of a few: words, heads. `pick(index)`. */
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
