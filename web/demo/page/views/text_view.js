// The text view: the word being read in red, what it attends to in shades of blue. One text that
// looks at itself, or a reading text above its context.

import { rowOf } from '../../places.js';
import { afterWriting } from '../after_writing.js';
import { createAfterPaint } from '../painted.js';
import { topWeight } from './head_of_picture.js';
import { createSentence } from './sentence.js';

// The largest letters with which every text fits into its room are taken.
const sizes = ['huge', 'large', 'medium', 'small', 'tiny'];
const maxNumbers = 48; // words, with their weights written below them
const isSmall = (change) => Math.abs(change) < 12; // letters

/**
 * `select` and `hover` are given places in the picture, { row } or { column }: in one text a word
 * pointed at is looked at and a word chosen is read; of two, one holds the rows, one the columns.
 */
export function createText(root, { select, hover }) {
  let oneText = true;
  let fitted = [];
  let drawn = [];
  let size = 0; // of `sizes`, and the letters that it was found for
  let letters = 0;
  let shown = null;
  // In one text the words are the rows; the column that stands for a word may be elsewhere.
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
  // What has become a little shorter fits as it is: that it may have larger letters can wait for the picture.
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
    /** What has been typed into the first field or the second. */
    type: (at, before, now) => [first, second][at].type(before, now),
    /** `texts`: as they were read, which the labels stand in. */
    show(picture, selection, settings) {
      const { palette, mode, texts } = settings;
      const asked = [picture, palette, JSON.stringify(selection), mode];
      if (asked.every((value, at) => value === drawn[at])) return;
      drawn = asked;
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
      const weights = rowOf(picture, 'weights', cell.head, cell.row);
      const top = topWeight(weights, weights.length);
      const shades = Array.from(weights, (weight, column) =>
        picture.hidden?.[cell.row * columns.length + column] ? null : weight,
      );
      const color = (weight) => palette.shadeOf(weight / top);
      first.show({
        title: oneText ? 'Words of the text: choose the one to read' : 'Words of the reading text',
        text: texts[0],
        labels: rows,
        shades: oneText ? inOrderOf(picture, shades) : undefined,
        color,
        read: cell.row,
        looked: oneText ? placeOfColumn(picture, cell.column) : -1,
        selected: selection.row,
      });
      if (!oneText) {
        second.show({
          title: 'Words of the context, which are looked at',
          text: texts[1],
          labels: columns,
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

  // Every trial is a layout, so a text that has only grown a little is first tried as it was, and one that has become
  // a little shorter with letters that are one size larger.
  function fit() {
    // Without words there is what is written.
    const roomOf = ({ element }) => (element.firstChild ? element : element.previousElementSibling);
    const fits = (line) => roomOf(line).scrollHeight <= roomOf(line).clientHeight;
    const [rows = [], columns = []] = fitted;
    root.classList.toggle('numbered', Math.max(rows.length, columns.length) <= maxNumbers);
    const now = lettersNow();
    const isNear = isSmall(now - letters);
    const grown = isNear && now >= letters;
    letters = now;
    // What was too long already has not become shorter.
    if (grown && root.classList.contains('long')) return;
    if (!grown) size = isNear ? Math.max(0, size - 1) : 0;
    for (; size < sizes.length; ++size) {
      if (root.dataset.size !== sizes[size]) root.dataset.size = sizes[size];
      root.classList.remove('long');
      if (lines().every(fits)) break;
    }
    root.classList.toggle('long', size === sizes.length);
    size = Math.min(size, sizes.length - 1);
  }
}

// Columns may be sorted or stand for hidden words; the words of the text are the rows.
function inOrderOf({ rowTokens, columnTokens }, shades) {
  const at = new Map(columnTokens.map((tokens, column) => [tokens[0], column]));
  return rowTokens.map((tokens) => shades[at.get(tokens[0])]);
}

function placeOfColumn({ rowTokens, columnTokens }, column) {
  const token = columnTokens[column]?.[0];
  return rowTokens.findIndex((tokens) => tokens[0] === token);
}
