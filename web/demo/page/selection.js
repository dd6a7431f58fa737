// Selection and hover state as positions in the picture. In a new picture the same words stay selected where they still
// exist.

import { headIn, placeIn } from '../positions.js';
import { initialState } from '../state_fields.js';
import { fieldsOf } from '../texts.js';

// A hovered position may not exist in a new picture.
const isIn = ({ rows, columns, heads }, { row = 0, column = 0, head = 0 }) =>
  row < rows.length && column < columns.length && head < heads;

/**
 * `now()` returns { state, picture, facts, isComputing }; `change(part of the state)`; `draw()` is called when the
 * hovered position changes.
 */
export function createChoosing({ now, change, draw }) {
  let hovered = null; // hovered position
  let pointing = 0;
  let pendingExample = null; // text and initial word of an example whose picture is being computed
  let isPlaced = true; // whether the selection belongs to the picture being computed

  /** Handles a selection in a view: any of { row, column, part, head }. */
  function select(chosen) {
    const { picture } = now();
    if (picture) change(tokensAt(picture, chosen));
  }

  /** Selects a row and the column it attends to most. */
  const read = (row) => select({ row, column: null });

  // When the picture of an example is ready, selects its initial word and what that attends to.
  function startReading() {
    const { picture, facts } = now();
    if (pendingExample?.first !== facts.requestedTexts[0] || facts.unfinished) return;
    const row = picture.rows.findIndex((label) => label.text === pendingExample.word);
    pendingExample = null;
    if (row >= 0) read(row);
  }

  return {
    select,
    read,

    /** { row, column, part, head } of the picture, and the hovered position. */
    place() {
      const { state, picture } = now();
      return {
        ...placeIn(picture, state),
        part: picture.part,
        head: headIn(picture, state.head),
        hovered: hovered && isIn(picture, hovered) ? hovered : undefined,
      };
    },

    hover(next) {
      if (!now().picture || JSON.stringify(next) === JSON.stringify(hovered)) return;
      hovered = next && { ...next };
      cancelAnimationFrame(pointing);
      pointing = requestAnimationFrame(draw);
    },

    /**
     * Called before a change of state: nothing is hovered any more, and a position set together with the mode belongs
     * to the next picture.
     */
    expect(part) {
      const makers = ['mode', 'begin', 'block', 'part'];
      if ('row' in part && makers.some((name) => name in part)) isPlaced = true;
    },
    pointAtNothing() {
      hovered = null;
    },

    /** `other`: another text to compare with. */
    startExample({ mode, first, second, other, read: word }) {
      const { state } = now();
      pendingExample = { first, word };
      const names = fieldsOf({ source: state.source, mode });
      const texts = [first, second].slice(0, names.length).map((text, at) => [names[at], text]);
      // A comparison with the text of another example would compare texts that have nothing in common.
      const { view, beside } = initialState;
      const isCompared = state.view === 'compare' && state.beside === 'text';
      const compared = other
        ? { view: 'compare', beside: 'text', otherText: other }
        : { otherText: '', ...(isCompared && { view, beside }) };
      change({ mode, ...Object.fromEntries(texts), ...compared, row: null, column: null });
      const { picture, isComputing } = now();
      if (picture && !isComputing) startReading();
    },

    /** Called with the previous { picture, facts } when a new picture has come. */
    keep(before) {
      const { state, picture, facts, isComputing } = now();
      const { row, column } = state;
      if (before.picture && !isPlaced) change(follow(before, { picture, facts }, { row, column }));
      if (isComputing) return;
      isPlaced = false;
      startReading();
    },
  };
}

/** Change of state for a selection in the picture; a row without a column selects its strongest. */
export function tokensAt(picture, { row, column, part, head }) {
  const next = {};
  if (part !== undefined && part !== picture.part) Object.assign(next, { part, average: false });
  if (head !== undefined && !picture.average) next.head = head;
  if (row !== undefined) next.row = picture.rowTokens[row][0];
  if (column !== undefined) next.column = column === null ? null : picture.columnTokens[column][0];
  return next;
}

/** { row, column } in the new picture for those in the old one; null for a word that no longer exists. */
export function follow(before, after, { row, column }) {
  const sides = ['row', 'column'].map((side, at) => ({
    token: side === 'row' ? row : column,
    old: { labels: before.picture[`${side}s`], groups: before.picture[`${side}Tokens`] },
    next: { labels: after.picture[`${side}s`], groups: after.picture[`${side}Tokens`] },
    texts: [before.facts.texts[at], after.facts.texts[at]],
  }));
  const [nextRow, nextColumn] = sides.map(tokenAfter);
  return { row: nextRow, column: nextRow === null ? null : nextColumn };
}

function tokenAfter({ token, old, next, texts }) {
  if (token === null) return null;
  const index = old.groups.findIndex((tokens) => tokens.includes(token));
  const label = old.labels[index];
  if (!label) return null;
  if (next.labels[index]?.text === label.text && next.labels[index].start === label.start) {
    return next.groups[index][0];
  }
  const place = next.labels.findIndex((one) => isSame(label, one, texts));
  return place < 0 ? null : next.groups[place][0];
}

// A word being typed has the same beginning or end as before the key press.
function isSame(label, other, [before, after]) {
  if (label.start === null || other.start === null) {
    return label.start === other.start && label.text === other.text;
  }
  const start = placeAfter(label.start, before, after);
  if (start < other.start || start >= other.end) return false;
  const [short, long] = [label.text, other.text].sort((a, b) => a.length - b.length);
  return long.startsWith(short) || long.endsWith(short);
}

/** Position after an edit: the common prefix and suffix of both texts are unchanged. */
function placeAfter(place, before, after) {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) ++head;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) ++tail;
  if (place < head) return place;
  if (place >= before.length - tail) return place + after.length - before.length;
  return head;
}
