// Read-out below the embedded picture: the hovered or selected cell in words and numbers.

import { element, write } from '../element.js';
import { formatScore, formatWeight, verbOf } from '../number_formats.js';

/** Fills `root` with the read-out. */
export function createReadout(root) {
  const [query, key] = [element('bdi'), element('bdi')];
  const between = element('span', { class: 'verb' });
  const numbers = {
    ...{ weight: 'weight', score: 'score', 'moved-length': 'moved' },
    ...{ sum: 'row sum', marks: 'marks' },
  };
  const fields = Object.keys(numbers).map((name) => element('dd', { class: name }));
  const [weight, score, moved, sum, marks] = fields;
  root.append(
    element(
      'p',
      { class: 'pair' },
      element('span', { class: 'query' }, '“', query, '”'),
      ' ',
      between,
      ' ',
      element('span', { class: 'key' }, '“', key, '”'),
    ),
    element(
      'dl',
      {},
      Object.values(numbers).map((name, at) =>
        element('div', {}, element('dt', {}, name), fields[at]),
      ),
    ),
  );
  for (const { parentElement } of [moved, marks]) parentElement.hidden = true;
  return {
    /** `cell`: result of cellOf(), or null for none. */
    show(cell) {
      root.classList.toggle('empty', !cell);
      const [hasMarks, hasMoved] = [cell?.marks, cell?.moved].map((one) => one !== undefined);
      marks.parentElement.hidden = !hasMarks;
      moved.parentElement.hidden = !hasMoved;
      root.classList.toggle('crowded', hasMarks || hasMoved);
      if (!cell) return;
      write(query, cell.query);
      write(between, verbOf(cell));
      write(key, cell.key);
      write(weight, formatWeight(cell.weight));
      write(score, cell.score === undefined ? '–' : formatScore(cell.score));
      write(moved, hasMoved ? formatScore(cell.moved) : '');
      write(sum, formatWeight(cell.sum));
      write(marks, hasMarks ? formatWeight(cell.marks) : '');
    },
  };
}
