// Text view: the selected word in red, the words it looks at in shades of blue. One text for self-attention, two for
// cross-attention. Where each text has one line, rays lead from every word to the words that it looks at.

import { isMarks, stageRow } from '../../positions.js';
import { mountComponent } from '../component.jsx';
import { formatShare } from '../number_formats.js';
import { shadesOn } from '../palette.js';
import { afterWriting, createAfterPaint } from '../scheduling.js';
import { topWeight, unseenOf, valuesOf } from '../views/head_of_picture.js';
import { keptRows } from '../what_if/kept_rows.js';
import { drawnRays, nearestRay, placesOf, raysOf } from './rays.js';
import { Rays } from './rays.jsx';
import { createSentence } from './sentence.js';
import { fitWords, wrapped } from './text_size.js';
import { textsPicture } from './texts_picture.js';

const maxNumbers = 48; // max words with weights below them
const maxRayLetters = 200; // max characters of one line
const isSmall = (change) => Math.abs(change) < 12; // max characters

/**
 * `select` and `hover` are called with { row } or { column }, of a ray with both. In one text hovering marks a column and a
 * click selects a row; of two texts the first has the rows, the second the columns. `press` is called with { row, column }
 * of the ray that was clicked.
 */
export function createText(root, { select, hover, press }) {
  let oneText = true;
  let fitted = [];
  let drawn = [];
  let layout = 0; // index of text_size.js, and the text length it was found for
  let letters = 0;
  let shown = null;
  let cell = null; // the place that is shown, selected or hovered
  let isImage = false; // the words are patches
  let playing = null; // as in the store
  let isPercent = true; // how the weight on a ray is written
  let written = []; // texts of the fields
  let places = null; // of the words, read from the page; null after a change of the layout
  let rays = [];
  let top = 1; // weight of the strongest color
  let looks = []; // of the words of each line, from top to bottom
  const room = mountComponent(Rays, root.querySelector('.rays-room'));
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
  // Words have other places, and rays follow in the same frame.
  const followWords = afterWriting(() => {
    places = null;
    drawRays();
  });
  // A slightly shorter text still fits; a larger font can wait for the picture.
  const fitLater = afterWriting(() => {
    const change = lettersNow() - letters;
    if (change < 0 && isSmall(change)) {
      fitAfterPaint.ask();
      followWords();
    } else fit();
  });
  new ResizeObserver(() => {
    // Paper has the layout of the screen.
    if (matchMedia('print').matches) return;
    letters = Infinity;
    fit();
  }).observe(root);

  // ---- rays under the pointer ----

  let pointed = null;
  const notRays = '.sheet, label, button';

  function rayAt({ target, clientX, clientY }) {
    if (rays.length === 0 || target.closest(notRays)) return null;
    const { left, top } = root.getBoundingClientRect();
    const ray = nearestRay(rays, { x: clientX - left, y: clientY - top });
    return ray && { row: ray.row, column: ray.column };
  }

  /** Returns whether it is another ray than before. */
  function mark(place) {
    const isSame = place?.row === pointed?.row && place?.column === pointed?.column;
    pointed = place;
    root.classList.toggle('on-ray', place !== null);
    return !isSame;
  }

  function point(place) {
    if (mark(place)) hover(place);
  }

  root.addEventListener('pointermove', (event) => {
    if (event.pointerType === 'touch') return;
    // Words tell of the pointer themselves.
    if (event.target.closest('.sheet')) mark(null);
    else point(rayAt(event));
  });
  root.addEventListener('pointerleave', () => point(null));
  root.addEventListener('click', (event) => {
    const place = rayAt(event);
    if (place) press(place);
  });

  return {
    /** The texts of the fields: a typed one is shown before its picture has come. */
    write(texts, { isTyped }) {
      texts.forEach((now, at) => {
        if (!isTyped || now === written[at]) return;
        [first, second][at].type(written[at], now);
        followWords();
      });
      written = texts;
    },
    /**
     * `texts`: the texts that the labels' positions refer to; `requested`: those of the fields, which may be longer;
     * `formerRows`: as in Facts; `playing`: as in the store.
     */
    show(picture, selection, settings) {
      const { palette, mode, texts, requested, grid, formerRows, read } = settings;
      const inputs = [
        picture,
        palette,
        JSON.stringify([selection, settings.playing]),
        mode,
        settings.isPercent,
      ];
      if (inputs.every((value, at) => value === drawn[at])) return;
      drawn = inputs;
      playing = settings.playing;
      shown = picture;
      isImage = Boolean(grid);
      ({ isPercent } = settings);
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
      cell = { ...selection, ...selection.hovered };
      const weights = stageRow(picture, 'weights', cell.head, cell.row);
      const shades = Array.from(weights, (weight, column) =>
        picture.hidden?.[cell.row * columns.length + column] ? null : weight,
      );
      const color = (weight) => palette.shadeOf(weight / top);
      top = topWeight(weights, weights.length);
      const look = {
        shades: oneText ? inOrderOf(picture, shades) : undefined,
        read: cell.row,
        looked: oneText ? placeOfColumn(picture, cell.column) : -1,
      };
      looks = oneText ? [look] : [{ shades, read: -1, looked: cell.column }, look];
      first.show({
        ...look,
        title: oneText
          ? 'Words of the text: choose one to see what it looks at'
          : 'Words that look',
        ...wholeOf(texts[0], requested[0], oneText ? read : undefined),
        labels: rows,
        kept: keptRows(rows, formerRows),
        written: playing?.written,
        ...{ color, isPercent },
        selected: selection.row,
      });
      if (!oneText) {
        second.show({
          ...looks[0],
          title: 'Words that they look at',
          ...wholeOf(texts[1], requested[1], read),
          labels: wordsOf(columns),
          kept: null,
          ...{ color, isPercent },
          selected: selection.column,
        });
      }
      const next = [rows, columns, oneText];
      if (next.some((value, at) => value !== fitted[at])) {
        fitted = next;
        fitLater();
      } else drawRays();
    },
    /** Texts and rays for a picture file in these colors; null where no rays are drawn. */
    toPicture(colors) {
      if (rays.length === 0) return null;
      const shadeOf = shadesOn(colors.surface);
      const elements = (oneText ? [first] : [second, first]).map(({ element }) => element);
      return textsPicture({
        ...{ frame: root, rays, colors, color: (weight) => shadeOf(weight / top) },
        lines: elements.map((element, at) => ({ element, ...looks[at] })),
      });
    },
  };

  // A slightly longer text is first tried with its current layout, a slightly shorter one with the next larger size.
  function fit() {
    const [rows = [], columns = []] = fitted;
    const isNumbered = Math.max(rows.length, columns.length) <= maxNumbers;
    const now = lettersNow();
    const isNear = isSmall(now - letters);
    const grown = isNear && now >= letters;
    letters = now;
    // A text that was already too long and has not become shorter stays too long.
    if (grown && root.classList.contains('long')) return;
    // Below the largest layout without rays the text may fit in one line of the smallest font.
    if (!grown) layout = isNear ? Math.max(0, Math.min(layout, wrapped) - 1) : 0;
    const elements = lines().map(({ element }) => element);
    const longest = Math.max(...elements.map(({ textContent }) => textContent.length));
    if (isImage || longest > maxRayLetters) layout = Math.max(layout, wrapped);
    layout = fitWords(root, elements, layout, isNumbered);
    places = null;
    drawRays();
  }

  function hasRays() {
    return root.classList.contains('rays');
  }

  function drawRays() {
    rays = [];
    if (shown && hasRays()) {
      const [from, to] = [first.words(), oneText ? null : second.words()];
      if (!places) {
        places = placesOf({ first: from, second: to, frame: root });
        root.style.setProperty('--texts-width', String(places.width));
      }
      rays = drawnRays(raysOf(linksNow()), places);
    }
    room.show({ rays });
  }

  /** Arguments of raysOf(). */
  function linksNow() {
    return {
      weights: valuesOf(shown, 'weights', cell.head),
      // While the text is played, those of the words so far, and of the one that comes.
      rows: playing ? playing.written + Number(playing.isAiming) : shown.rows.length,
      to: oneText
        ? placesInText(shown)
        : shown.columns.map((one, at) => (isMarks(one) ? null : at)),
      unseen: unseenOf(shown, cell.head),
      ...{ shown: cell.row, isOneText: oneText },
      says: (weight) => formatShare(weight, isPercent),
    };
  }
}

/** The text of the field, if it begins with what was read, how much was, and whether what stands before it was not. */
const wholeOf = (read, requested, window) => ({
  text: requested.startsWith(read) ? requested : read,
  readTo: read.length,
  isLater: window !== undefined && window.from > 0,
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

/** For each column the index of its word in the text: null for marks, −1 for none. */
function placesInText({ rowTokens, columnTokens, columns }) {
  const at = new Map(rowTokens.map((tokens, row) => [tokens[0], row]));
  return columnTokens.map(([token], column) =>
    isMarks(columns[column]) ? null : (at.get(token) ?? -1),
  );
}

function placeOfColumn({ rowTokens, columnTokens }, column) {
  const token = columnTokens[column]?.[0];
  return rowTokens.findIndex((tokens) => tokens[0] === token);
}
