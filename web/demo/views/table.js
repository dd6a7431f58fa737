// The same numbers as a plain table, for reading with other means than eyes, and for copying.

import { element } from '../element.js';
import { formatScore, formatWeight } from '../numbers.js';

const mostCells = 2500;

const titles = {
  raw: 'Scores q·k',
  scaled: 'Scaled scores',
  masked: 'Scores with what is hidden at −∞',
  weights: 'Weights',
  difference: 'Weights less those of softmax',
};

/** All of a small picture; of a large one the row being read, at every stage. */
export function createTable(room) {
  let drawn = [];
  return {
    show(picture, { head, row }, { stage }) {
      const whole = picture.rows.length * picture.columns.length <= mostCells;
      const next = [picture, head, stage, whole ? null : row];
      if (next.every((value, at) => value === drawn[at])) return;
      drawn = next;
      room.replaceChildren(whole ? wholeTable(picture, head, stage) : rowTable(picture, head, row));
    },
  };
}

const valuesOf = (picture, stage) =>
  stage === 'difference' ? (picture.difference ?? picture.stages.weights) : picture.stages[stage];
const formatOf = (stage) => (stage === 'weights' ? formatWeight : formatScore);

function wholeTable(picture, head, stage) {
  const { rows, columns } = picture;
  const values = valuesOf(picture, stage);
  const format = formatOf(stage);
  const first = head * rows.length * columns.length;
  return element(
    'table',
    {},
    element('caption', {}, `${titles[stage]}: rows read, columns are looked at`),
    element('thead', {}, element('tr', {}, element('td'), columns.map(header('col')))),
    element(
      'tbody',
      {},
      rows.map((label, row) =>
        element(
          'tr',
          {},
          header('row')(label),
          columns.map((_, column) =>
            element('td', {}, format(values[first + row * columns.length + column])),
          ),
        ),
      ),
    ),
  );
}

function rowTable({ rows, columns, stages }, head, row) {
  const at = (head * rows.length + row) * columns.length;
  const shown = ['weights', 'masked', 'scaled', 'raw'];
  return element(
    'table',
    {},
    element('caption', {}, `What “${rows[row].text}” (${row + 1}) looks at`),
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        ['word', 'weight', 'masked', 'scaled', 'score'].map((text) => header('col')({ text })),
      ),
    ),
    element(
      'tbody',
      {},
      columns.map((label, column) =>
        element(
          'tr',
          {},
          header('row')(label),
          shown.map((stage) => element('td', {}, formatOf(stage)(stages[stage][at + column]))),
        ),
      ),
    ),
  );
}

const header = (scope) => (label) => element('th', { scope }, element('bdi', {}, label.text));
