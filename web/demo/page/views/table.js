// The same numbers as a plain table, for reading with other means than eyes, and for copying.

import { visibleText } from 'attention-wasm/heatmap';
import { rowOf } from '../../places.js';
import { element, write } from '../element.js';
import { plainPalette } from '../palette.js';
import { svgDocument, svgElement, writeSVG } from '../svg_element.js';
import { formatScore, formatWeight } from '../number_forms.js';
import { valuesOf } from './head_of_picture.js';

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
  let colors = null;
  let shown = null;

  return {
    show(picture, selection, { stage, palette }) {
      colors = palette;
      const whole = picture.rows.length * picture.columns.length <= maxCells;
      const next = [picture, selection.head, stage, whole ? null : selection.row];
      if (next.every((value, at) => value === drawn[at])) return;
      drawn = next;
      const table = whole ? wholeTable(picture, selection, stage) : rowTable(picture, selection);
      shown = table;
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
    toSVG: ({ dark } = {}) =>
      tableToSVG(shown, dark === undefined ? colors : plainPalette(dark), getComputedStyle(room)),
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
  const all = { weights: 'weight', masked: 'masked', scaled: 'scaled', raw: 'score' };
  const shown = Object.keys(all).filter((stage) => picture.stages[stage]);
  const lines = shown.map((stage) => [formatOf(stage), rowOf(picture, stage, head, row)]);
  return {
    title: `What “${rows[row].text}” (${row + 1}) looks at`,
    corner: 'col',
    head: ['word', ...shown.map((stage) => all[stage])],
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

/** The same as a picture: columns as wide as their longest text. */
function tableToSVG({ title, head, rows }, { ink, muted, surface }, { fontFamily: family }) {
  const lines = [head, ...rows.map(({ label, numbers }) => [label, ...numbers])];
  const size = 13;
  const height = 22;
  const widths = head.map((_, column) => {
    const letters = Math.max(...lines.map((cells) => [...cells[column]].length));
    return Math.min(240, 0.62 * size * letters + 18);
  });
  let right = 12;
  const ends = widths.map((width) => (right += width));
  const cellOf = (text, row, column) =>
    svgElement(
      'text',
      {
        x: ends[column],
        y: height * (row + 2) + 8,
        'text-anchor': 'end',
        'font-size': size,
        'font-weight': row === 0 || column === 0 ? 600 : 400,
        fill: ink,
      },
      visibleText(text).replace('∅', ''),
    );
  const says = svgElement('text', { x: 12, y: height, 'font-size': size, fill: muted }, title);
  const cells = lines.flatMap((texts, row) =>
    texts.map((text, column) => cellOf(text, row, column)),
  );
  const paper = { width: Math.ceil(right + 16), height: height * (lines.length + 2), title };
  return writeSVG(svgDocument({ ...paper, family, surface }, says, cells));
}
