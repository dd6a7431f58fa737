// Table view: the numbers of the picture as an HTML table, for screen readers and copying.

import { visibleText } from 'attention-wasm/heatmap';
import { stageRow } from '../../positions.js';
import { element, write } from '../element.js';
import { plainPalette, screenColors } from '../palette.js';
import { svgDocument, svgElement, writeSVG } from '../svg_element.js';
import { formatCell } from '../number_formats.js';
import { painted } from '../scheduling.js';
import { pointedIn, valuesOf } from './head_of_picture.js';
import { listenToTable, revealCell, sightOf } from './table_input.js';
import '../style/table.css';

const maxCells = 2500;
const region = { role: 'region', 'aria-label': 'Numbers as a table', tabindex: '0' };

const titles = {
  raw: 'Scores q·k',
  scaled: 'Scaled scores',
  masked: 'Scores with what is hidden at −∞',
  weights: 'Weights',
  moved: 'Lengths of what moved, ‖α v W_O‖',
  difference: 'Weights minus those of softmax',
};

const formatOf = (stage) => (value) => formatCell(value, stage === 'weights' ? 5 : 4);

/**
 * The whole matrix, or for a large picture the selected row at every stage. `select` and `hover` are called with any of
 * { row, column }, hover also with null; `wait(promise)` while cells are still being written.
 */
export function create(room, { select, hover, wait }) {
  room.classList.add('table');
  for (const [name, value] of Object.entries(region)) room.setAttribute(name, value);
  const caption = element('caption');
  const head = element('tr');
  const body = element('tbody');
  room.append(element('table', {}, caption, element('thead', {}, head), body));
  let drawn = [];
  let colors = null;
  let shown = null;
  let revealed = ''; // key of the cell that was scrolled into view
  let marked = []; // selected and hovered cells
  let rest = null; // writes the cells outside the visible part
  let sight = null; // visible part; null if unknown
  const lookAgain = () => (sight = null);
  room.addEventListener('scroll', lookAgain);
  new ResizeObserver(lookAgain).observe(room);

  listenToTable(room, { select, hover, placeOf, selected: () => shown });

  /** { row, column } of the picture for a table cell, or null. */
  function placeOf(target) {
    const cell = target.closest('th, td');
    if (!cell) return null;
    const line = cell.parentElement === head ? null : cell.parentElement.sectionRowIndex;
    const place = {};
    if (!shown.isWhole && line !== null) place.column = line;
    if (shown.isWhole && line !== null) place.row = line;
    if (shown.isWhole && cell.cellIndex > 0) place.column = cell.cellIndex - 1;
    return Object.keys(place).length > 0 ? place : null;
  }

  function fill(table) {
    const { rows, columns } = (sight ??= sightOf(room, head, body));
    write(caption, table.title);
    // A key press usually changes the numbers, not the size of the table.
    if ((head.firstChild?.scope ?? '') !== table.corner) head.replaceChildren();
    fit(head, table.head.length, (at) => cell(at === 0 ? table.corner : 'col'));
    table.head.forEach((text, at) => write(textOf(head.children[at]), text));
    fit(body, table.rows.length, () => element('tr'));
    table.rows.forEach(({ label }, row) => {
      const line = body.children[row];
      fit(line, table.head.length, (at) => cell(at === 0 ? 'row' : ''));
      write(textOf(line.firstChild), label);
    });
    // Visible cells are written first: laying out a thousand numbers takes a while.
    const isInSight = (row, column) => rows(row) && columns(column);
    fillNumbers(table, isInSight);
    const isNew = rest === null;
    rest = () => fillNumbers(table, (row, column) => !isInSight(row, column));
    if (isNew) wait(painted().then(finish));
  }

  function finish() {
    // Measuring is cheap right after a paint.
    sight = sightOf(room, head, body);
    rest?.();
    rest = null;
  }

  function fillNumbers({ rows }, isWanted) {
    rows.forEach(({ numbers }, row) => {
      Array.from(body.children[row].children).forEach((one, at) => {
        if (at > 0 && isWanted(row, at - 1)) write(one, numbers(at - 1));
      });
    });
  }

  /** Marks the selected row, column and cell. */
  function mark({ row, column }, selected) {
    for (const one of marked) {
      one.classList.remove('read', 'looked', 'here', 'chosen');
      one.removeAttribute('aria-current');
    }
    const { isWhole } = shown;
    const numberAt = isWhole
      ? (at) => body.children[at.row].children[at.column + 1]
      : (at) => body.children[at.column].children[1];
    const looked = isWhole ? head.children[column + 1] : body.children[column].firstChild;
    const read = isWhole ? body.children[row].firstChild : caption;
    const [here, chosen] = [numberAt({ row, column }), numberAt(selected)];
    read.classList.add('read');
    looked.classList.add('looked');
    here.classList.add('here');
    chosen.classList.add('chosen');
    chosen.setAttribute('aria-current', 'true');
    marked = [read, looked, here, chosen];
    if (shown.isMoved) revealCell(room, chosen, { head, line: chosen.parentElement });
    shown.isMoved = false;
  }

  return {
    show(picture, selection, { stage, palette }) {
      colors = palette;
      const isWhole = picture.rows.length * picture.columns.length <= maxCells;
      const next = [picture, selection.head, stage, isWhole ? null : selection.row];
      const selected = { row: selection.row, column: selection.column };
      if (next.some((value, at) => value !== drawn[at])) {
        drawn = next;
        const table = isWhole
          ? wholeTable(picture, selection, stage)
          : rowTable(picture, selection);
        shown = { ...table, isWhole, counts: [picture.rows.length, picture.columns.length] };
        fill(shown);
      }
      // Scrolls to a cell that was selected elsewhere.
      const cell = JSON.stringify(selected);
      if (cell !== revealed) shown.isMoved = true;
      revealed = cell;
      Object.assign(shown, { selected });
      mark(pointedIn(selection), selected);
    },
    toSVG: ({ dark } = screenColors) =>
      tableToSVG(shown, dark === undefined ? colors : plainPalette(dark), getComputedStyle(room)),
  };
}

function wholeTable(picture, { head }, stage) {
  const { rows, columns } = picture;
  const values = valuesOf(picture, stage, head);
  const format = formatOf(stage);
  return {
    title: `${titles[stage]}: each row looks at the columns`,
    corner: '',
    head: ['', ...columns.map(({ text }) => text)],
    rows: rows.map(({ text }, row) => ({
      label: text,
      numbers: (column) => format(values[row * columns.length + column]),
    })),
  };
}

function rowTable(picture, { head, row }) {
  const { rows, columns } = picture;
  const all = { weights: 'weight', masked: 'masked', scaled: 'scaled', raw: 'score' };
  const names = /** @type {(keyof typeof all)[]} */ (Object.keys(all));
  const shown = names.filter((stage) => picture.stages[stage]);
  const lines = shown.map((stage) => {
    return { format: formatOf(stage), values: stageRow(picture, stage, head, row) };
  });
  return {
    title: `What “${rows[row].text}” (${row + 1}) looks at`,
    corner: 'col',
    head: ['word', ...shown.map((stage) => all[stage])],
    rows: columns.map(({ text }, column) => ({
      label: text,
      numbers(line) {
        const { format, values } = lines[line];
        return format(values[column]);
      },
    })),
  };
}

// Headers have a scope; the empty corner is a plain cell.
function cell(scope) {
  if (scope === '') return element('td');
  return element('th', { scope }, element('bdi'));
}

const textOf = (made) => made.querySelector('bdi') ?? made;

/** Adds or removes children until `parent` has this many. */
function fit(parent, count, make) {
  while (parent.children.length > count) parent.lastChild.remove();
  const added = [];
  for (let at = parent.children.length; at < count; at++) added.push(make(at));
  parent.append(...added);
}

/** SVG export: each column as wide as its longest text. */
function tableToSVG({ title, head, rows }, { ink, muted, surface }, { fontFamily: family }) {
  const lines = [
    head,
    ...rows.map(({ label, numbers }) => [label, ...head.slice(1).map((_, at) => numbers(at))]),
  ];
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
