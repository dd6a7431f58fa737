// The chosen number spelled out: its terms, and links to the steps that made them.

import { element, formula, write, writeFormula } from '../../element.js';
import { formatTerm, shownTerms } from '../../number_formats.js';

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
