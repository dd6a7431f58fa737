// The chosen number spelled out: its terms, and links to the steps that made them.

import { element, formula, write, writeFormula } from '../../element.js';
import { formatTerm } from '../../number_formats.js';

const shownTerms = 3;

/** `go(step, place)` opens the step that computed a term. */
export function createLedger(go) {
  const lines = element('div', { class: 'spelled', role: 'status' });
  const list = element('ol', { class: 'terms', tabindex: '0', 'aria-label': 'All products' });
  const summary = element('summary');
  const all = element('details', { toggle: fill }, summary, list);
  const trail = element('p', { class: 'trail' });
  const root = element(
    'section',
    { class: 'ledger', 'aria-label': 'The chosen number' },
    element('h3', {}, 'The chosen number'),
    ...[lines, all, trail],
  );
  let terms = [];

  function fill() {
    if (!all.open) return;
    list.replaceChildren(
      ...terms.map(([a, b, of]) =>
        element(
          'li',
          {},
          `${formatTerm(a)} × ${formatTerm(b)} = ${formatTerm(a * b)}${of ? ` (${of})` : ''}`,
        ),
      ),
    );
  }

  return {
    element: root,
    /** @param {import('../steps.js').Spelling | null} spelling */
    show(spelling) {
      root.hidden = !spelling;
      if (!spelling) return;
      while (lines.children.length < spelling.lines.length) lines.append(element('p'));
      Array.from(lines.children).forEach((line, at) => {
        line.hidden = at >= spelling.lines.length;
        if (!line.hidden) writeFormula(line, spelling.lines[at]);
      });
      terms = spelling.terms ?? [];
      all.hidden = terms.length <= shownTerms;
      write(summary, spelling.termsTitle ?? `all ${terms.length} products`);
      fill();
      trail.replaceChildren(
        ...(spelling.trail ?? []).map(({ says, step, place }) =>
          element(
            'button',
            { type: 'button', class: 'quiet', click: () => go(step, place) },
            formula(says),
          ),
        ),
      );
    },
  };
}

/** A sum of products as text: the largest ones, the count of the others, an addend, and the total. */
export function sumOf(terms, total, more = null) {
  const order = terms
    .map(([a, b], at) => [Math.abs(a * b), at])
    .sort(([a], [b]) => b - a)
    .slice(0, shownTerms)
    .map(([, at]) => terms[at]);
  const written = order.map(([a, b]) => `${formatTerm(a)} × ${formatTerm(b)}`);
  const rest = terms.length - order.length;
  if (rest > 0) written.push(`… ${rest} more`);
  if (more !== null) written.push(formatTerm(more));
  return `${written.join(' + ')} = ${formatTerm(total)}`;
}
