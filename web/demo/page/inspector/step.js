// Building blocks of the inspector's steps: formulas, spelled-out sums, vectors as strips.

import { element, formula, write } from '../element.js';
import { formatScore, formatTerm } from '../number_formats.js';
import { createStrip } from './strip.js';

const shownTerms = 3;

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

/** The largest products of a sum, the count of the others, an addend, and the library's result. */
export function sumOf(terms, total, more = null) {
  const order = terms
    .map(([a, b], at) => [Math.abs(a * b), at])
    .sort(([a], [b]) => b - a)
    .slice(0, shownTerms)
    .map(([, at]) => terms[at]);
  const written = order.map(([a, b]) => `${formatTerm(a)} × ${formatTerm(b)}`).join(' + ');
  const rest = terms.length - order.length;
  const others = `${rest > 0 ? ` + … ${rest} more` : ''}${more === null ? '' : ` + ${formatTerm(more)}`}`;
  return `${written}${others} = ${formatScore(total)}`;
}

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
