// The same numbers as a plain table, for reading with other means than eyes, and for copying.

import { element, write } from '../element.js';
import { formatScore, formatWeight } from '../number_forms.js';
import { valuesOf, rowOf } from './head_of_picture.js';

const maxCells = 2500;

const titles = {
  raw: 'Scores q·k',
  scaled: 'Scaled scores',
  masked: 'Scores with what is hidden at −∞',
  weights: 'Weights',
  difference: 'Weights less those of softmax',
};

const formatOf = (stage) => (stage === 'weights' ? formatWeight : formatScore);

/** All of a small picture; of a large one the row being read, at every stage. */
export function createTable(room) {
  const caption = element('caption');
  const head = element('tr');
  const body = element('tbody');
  room.append(element('table', {}, caption, element('thead', {}, head), body));
  let drawn = [];

  return {
    show(picture, selection, { stage }) {
      const whole = picture.rows.length * picture.columns.length <= maxCells;
      const next = [picture, selection.head, stage, whole ? null : selection.row];
      if (next.every((value, at) => value === drawn[at])) return;
      drawn = next;
      const table = whole ? wholeTable(picture, selection, stage) : rowTable(picture, selection);
      write(caption, table.title);
      // A letter more changes the numbers, and seldom how many there are.
      if ((head.firstChild?.scope ?? '') !== table.corner) head.replaceChildren();
      fit(head, table.head.length, (at) => cell(at === 0 ? table.corner : 'col'));
      table.head.forEach((text, at) => write(textOf(head.children[at]), text));
      fit(body, table.rows.length, () => element('tr'));
      table.rows.forEach(({ label, numbers }, row) => {
        const line = body.children[row];
        fit(line, 1 + numbers.length, (at) => cell(at === 0 ? 'row' : ''));
        write(textOf(line.firstChild), label);
        numbers.forEach((text, at) => write(line.children[at + 1], text));
      });
    },
  };
}

function wholeTable(picture, { head }, stage) {
  const { rows, columns } = picture;
  const values = valuesOf(picture, stage, head);
  const format = formatOf(stage);
  return {
    title: `${titles[stage]}: rows read, columns are looked at`,
    corner: '',
    head: ['', ...columns.map(({ text }) => text)],
    rows: rows.map(({ text }, row) => ({
      label: text,
      numbers: columns.map((_, column) => format(values[row * columns.length + column])),
    })),
  };
}

function rowTable(picture, { head, row }) {
  const { rows, columns } = picture;
  const shown = ['weights', 'masked', 'scaled', 'raw'];
  const lines = shown.map((stage) => [formatOf(stage), rowOf(picture, stage, head, row)]);
  return {
    title: `What “${rows[row].text}” (${row + 1}) looks at`,
    corner: 'col',
    head: ['word', 'weight', 'masked', 'scaled', 'score'],
    rows: columns.map(({ text }, column) => ({
      label: text,
      numbers: lines.map(([format, values]) => format(values[column])),
    })),
  };
}

// A header names its row or its column; the empty corner is none.
function cell(scope) {
  if (scope === '') return element('td');
  return element('th', { scope }, element('bdi'));
}

const textOf = (made) => made.querySelector('bdi') ?? made;

/** Gives `parent` so many children, making those that are missing. */
function fit(parent, count, make) {
  while (parent.children.length > count) parent.lastChild.remove();
  const added = [];
  for (let at = parent.children.length; at < count; at++) added.push(make(at));
  parent.append(...added);
}
