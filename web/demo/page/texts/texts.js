// Text view: the selected word in red, the words it looks at in shades of blue. One text for self-attention, two for
// cross-attention.

import { isMarks, stageRow } from '../../positions.js';
import { afterWriting, createAfterPaint } from '../scheduling.js';
import { topWeight } from '../views/head_of_picture.js';
import { keptRows } from '../what_if/kept_rows.js';
import { createSentence } from './sentence.js';
import { fitWords } from './text_size.js';

const maxNumbers = 48; // max words with weights below them
const isSmall = (change) => Math.abs(change) < 12; // max characters

/**
 * `select` and `hover` are called with { row } or { column }. In one text hovering marks a column and a click selects a
 * row; of two texts the first has the rows, the second the columns.
 */
export function createText(root, { select, hover }) {
  let oneText = true;
  let fitted = [];
  let drawn = [];
  let size = 0; // index in `sizes` of text_size.js, and the text length it was found for
  let letters = 0;
  let shown = null;
  let written = []; // texts of the fields
  // In one text the words are the rows; columns may be sorted.
  const columnOf = (row) =>
    shown.columnTokens.findIndex((tokens) => tokens[0] === shown.rowTokens[row][0]);
  const first = createSentence(root.querySelector('#first-words'), {
    onHover: (at) => hover(at === null ? null : oneText ? { column: columnOf(at) } : { row: at }),
    onSelect: (row) => select({ row }),
  });
  const second = createSentence(root.querySelector('#second-words'), {
    onHover: (at) => hover(at === null ? null : { column: at }),
    onSelect: (column) => select({ column }),
  });

  const lines = () => (oneText ? [first] : [first, second]);
  const lettersNow = () =>
    lines().reduce((sum, { element }) => sum + element.textContent.length, 0);

  const fitAfterPaint = createAfterPaint(fit);
  // A slightly shorter text still fits; a larger font can wait for the picture.
  const fitLater = afterWriting(() => {
    const change = lettersNow() - letters;
    if (change < 0 && isSmall(change)) fitAfterPaint.ask();
    else fit();
  });
  new ResizeObserver(() => {
    letters = Infinity;
    fit();
  }).observe(root);

  return {
    /** The texts of the fields: a typed one is shown before its picture has come. */
    write(texts, { isTyped }) {
      texts.forEach((now, at) => {
        if (isTyped && now !== written[at]) [first, second][at].type(written[at], now);
      });
      written = texts;
    },
    /**
     * `texts`: the texts that the labels' positions refer to; `requested`: those of the fields, which may be longer;
     * `formerRows`: as in Facts.
     */
    show(picture, selection, settings) {
      const { palette, mode, texts, requested, formerRows } = settings;
      const inputs = [picture, palette, JSON.stringify(selection), mode];
      if (inputs.every((value, at) => value === drawn[at])) return;
      drawn = inputs;
      shown = picture;
      oneText = picture?.oneSequence ?? mode !== 'cross';
      root.classList.toggle('two', !oneText);
      root.querySelector('.second-line').hidden = oneText;
      if (!picture) {
        for (const line of [first, second]) line.clear();
        fitted = [];
        fitLater();
        return;
      }
      const { rows, columns } = picture;
      const cell = { ...selection, ...selection.hovered };
      const weights = stageRow(picture, 'weights', cell.head, cell.row);
      const top = topWeight(weights, weights.length);
      const shades = Array.from(weights, (weight, column) =>
        picture.hidden?.[cell.row * columns.length + column] ? null : weight,
      );
      const color = (weight) => palette.shadeOf(weight / top);
      first.show({
        title: oneText
          ? 'Words of the text: choose one to see what it looks at'
          : 'Words that look',
        ...wholeOf(texts[0], requested[0]),
        labels: rows,
        kept: keptRows(rows, formerRows),
        shades: oneText ? inOrderOf(picture, shades) : undefined,
        color,
        read: cell.row,
        looked: oneText ? placeOfColumn(picture, cell.column) : -1,
        selected: selection.row,
      });
      if (!oneText) {
        second.show({
          title: 'Words that they look at',
          ...wholeOf(texts[1], requested[1]),
          labels: wordsOf(columns),
          kept: null,
          shades,
          color,
          read: -1,
          looked: cell.column,
          selected: selection.column,
        });
      }
      const next = [rows, columns, oneText];
      if (next.some((value, at) => value !== fitted[at])) {
        fitted = next;
        fitLater();
      }
    },
  };

  // A slightly longer text is first tried with its current size, a slightly shorter one with the next larger size.
  function fit() {
    const [rows = [], columns = []] = fitted;
    root.classList.toggle('numbered', Math.max(rows.length, columns.length) <= maxNumbers);
    const now = lettersNow();
    const isNear = isSmall(now - letters);
    const grown = isNear && now >= letters;
    letters = now;
    // A text that was already too long and has not become shorter stays too long.
    if (grown && root.classList.contains('long')) return;
    if (!grown) size = isNear ? Math.max(0, size - 1) : 0;
    const elements = lines().map(({ element }) => element);
    size = fitWords(root, elements, size);
  }
}

/** The text of the field, if it begins with what was read, and how much was. */
const wholeOf = (read, requested) => ({
  text: requested.startsWith(read) ? requested : read,
  readTo: read.length,
});

const wordsAmong = new WeakMap(); // labels of columns → labels without the column of marks

/** Columns without the column of marks, cached so that equal input gives the same array. */
function wordsOf(columns) {
  if (!wordsAmong.has(columns)) {
    wordsAmong.set(columns, isMarks(columns.at(-1)) ? columns.slice(0, -1) : columns);
  }
  return wordsAmong.get(columns);
}

// The words of one text are its rows, as columns may be sorted or merged into marks.
function inOrderOf({ rowTokens, columnTokens }, shades) {
  const at = new Map(columnTokens.map((tokens, column) => [tokens[0], column]));
  return rowTokens.map((tokens) => shades[at.get(tokens[0])]);
}

function placeOfColumn({ rowTokens, columnTokens }, column) {
  const token = columnTokens[column]?.[0];
  return rowTokens.findIndex((tokens) => tokens[0] === token);
}
