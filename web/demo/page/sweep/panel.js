// Elements of the panel “Which matters?”.

import { element } from '../element.js';

/** A segmented control: { set, inputs, texts }; `values`: [[value, text]]. */
function radios(name, legend, values, act) {
  const inputs = values.map(([value]) =>
    element('input', { type: 'radio', name, value, change: () => act(value) }),
  );
  const texts = values.map(([, text]) => element('span', {}, text));
  const labels = inputs.map((input, at) => element('label', {}, input, texts[at]));
  const title = element('legend', { class: 'unseen' }, legend);
  return { set: element('fieldset', { class: 'segments' }, title, labels), inputs, texts };
}

/** `on`: { over(value), of(value), close(), act() }, called by the controls. */
export function createPanel(on) {
  const over = radios(
    'sweep',
    'Measure each',
    [
      ['heads', 'Heads'],
      ['words', 'Words'],
    ],
    on.over,
  );
  const of = radios(
    'sweep-of',
    'Effect on',
    [
      ['word', ''],
      ['text', ''],
    ],
    on.of,
  );
  const title = element('h2', { id: 'sweep-title', tabindex: -1 }, 'Which matters?');
  const closing = { type: 'button', class: 'quiet', 'aria-label': 'Close “Which matters?”' };
  const close = element('button', { ...closing, click: on.close }, '×');
  const bar = element('progress', { 'aria-label': 'Measuring' });
  const count = element('span');
  const button = element('button', { type: 'button', class: 'quiet', click: on.act });
  const far = element('p', { class: 'far' }, bar, count, button);
  const map = element('attention-map');
  const cell = element('p', { class: 'cell' });
  const status = element('p', { class: 'largest', role: 'status' });
  const list = element('ol', { 'aria-label': 'Largest effects' });
  const number = element('p', { class: 'hint' });
  const means = element('p', { class: 'hint' });
  const root = element('section', { class: 'sweep', 'aria-labelledby': title.id, hidden: true });
  root.append(
    element('header', {}, title, close),
    element('div', { class: 'choices' }, over.set, of.set),
    ...[far, map, cell, status, list, number, means],
  );
  return { root, title, over, of, far, bar, count, button, map, cell, status, list, number, means };
}
