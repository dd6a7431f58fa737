// Building blocks of the inspector's steps: formulas, spelled-out sums, vectors as strips.

import { element, formula, write } from '../element.js';
import { formatScore, formatTerm, sumOf as writeSum } from '../number_formats.js';
import { createStrip } from './strip.js';

/** A step with its title; `note` is a formula beside the title. */
export function step(title, note, children) {
  return element(
    'div',
    { class: 'step' },
    element('h3', {}, title, note && formula(note)),
    children,
  );
}

export const sumLine = () => element('p', { class: 'sum' });
export const formulaLine = () => element('p', { class: 'formula' });

/** A sum of products as text, its total as the inspector writes scores. */
export const sumOf = (terms, total, more) => writeSum(terms, total, more, formatScore);

/** A vector in one line: symbol, word and a strip of its numbers. */
export function stripLine(onPick) {
  const strip = createStrip(onPick);
  const symbol = element('span', { class: 'symbol' });
  const word = element('bdi', { class: 'word' });
  const line = element('div', { class: 'strip-line' }, symbol, word, strip.element);
  return {
    line,
    show(name, of, values, { side = '', ...options }) {
      write(symbol, name === 'qk' ? '' : name);
      write(word, of);
      word.className = `word ${side}`;
      strip.show(`${name} of ${of}`, Array.from(values), options);
    },
  };
}

/** All products of a sum, created while the list is expanded. */
export function allTerms() {
  const list = element('ol', { class: 'terms' });
  let terms = [];
  const fill = () => {
    if (!details.open) return;
    list.replaceChildren(
      ...terms.map(([a, b]) =>
        element('li', {}, `${formatTerm(a)} × ${formatTerm(b)} = ${formatTerm(a * b)}`),
      ),
    );
  };
  const details = element(
    'details',
    { toggle: fill },
    element('summary', {}, 'all products'),
    list,
  );
  return {
    details,
    show(next) {
      terms = next;
      fill();
    },
  };
}
