// Read-out below the embedded picture: the hovered or selected cell as the page's sentence, and in numbers.

import { element, write } from '../element.js';
import { formatScore, formatWeight } from '../number_formats.js';
import { createSentenceLine } from '../sentence/sentence.js';

/** Fills `root` with the read-out. */
export function createReadout(root) {
  const says = element('p', { class: 'says' });
  const sentence = createSentenceLine(says);
  const numbers = {
    ...{ weight: 'weight', score: 'score', 'moved-length': 'moved' },
    ...{ sum: 'row sum', marks: 'marks' },
  };
  const fields = Object.keys(numbers).map((name) => element('dd', { class: name }));
  const [weight, score, moved, sum, marks] = fields;
  root.append(
    says,
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
    /** `cell`: result of cellOf(), or null for none; `now`: arguments of sentenceParts(). */
    show(cell, now) {
      root.classList.toggle('empty', !cell);
      const [hasMarks, hasMoved] = [cell?.marks, cell?.moved].map((one) => one !== undefined);
      marks.parentElement.hidden = !hasMarks;
      moved.parentElement.hidden = !hasMoved;
      root.classList.toggle('crowded', hasMarks || hasMoved);
      if (!cell) return;
      sentence.show(now);
      write(weight, formatWeight(cell.weight));
      write(score, cell.score === undefined ? '–' : formatScore(cell.score));
      write(moved, hasMoved ? formatScore(cell.moved) : '');
      write(sum, formatWeight(cell.sum));
      write(marks, hasMarks ? formatWeight(cell.marks) : '');
    },
  };
}
