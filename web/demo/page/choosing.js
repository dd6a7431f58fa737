// What is chosen and what is pointed at, as places of the picture. In a new picture the same words are chosen, as far
// as they are there.

import { headIn, placeIn } from '../places.js';
import { fieldsOf } from '../texts.js';
import { follow, tokensAt } from './selection.js';

// What was pointed at in the picture of before may be no more.
const isIn = ({ rows, columns, heads }, { row = 0, column = 0, head = 0 }) =>
  row < rows.length && column < columns.length && head < heads;

/**
 * `now()` is { state, picture, facts, isComputing }; `change(part of the state)`; `draw()` is asked for when something
 * else is pointed at.
 */
export function createChoosing({ now, change, draw }) {
  let hovered = null; // a place in the picture
  let pointing = 0;
  let wanted = null; // the text and the word of an example whose picture is not there yet
  let isPlaced = true; // the selection is meant for the picture to come

  /** A view's choice: any of { row, column, part, head }. */
  function select(chosen) {
    const { picture } = now();
    if (picture) change(tokensAt(picture, chosen));
  }

  /** A row, and what it looks at most. */
  const read = (row) => select({ row, column: null });

  // Once the picture of an example is there: the word to start with, and what it looks at.
  function startReading() {
    const { picture, facts } = now();
    if (wanted?.first !== facts.asked[0] || facts.unfinished) return;
    const row = picture.rows.findIndex((label) => label.text === wanted.word);
    wanted = null;
    if (row >= 0) read(row);
  }

  return {
    select,
    read,

    /** { row, column, part, head } of the picture, and what is pointed at. */
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

    /** The state changes: nothing is pointed at, and a place that goes with a mode is for its picture. */
    expect(part) {
      if ('row' in part && ('mode' in part || 'begin' in part)) isPlaced = true;
    },
    pointAtNothing() {
      hovered = null;
    },

    startExample({ mode, first, second, read: word }) {
      const { state } = now();
      wanted = { first, word };
      const names = fieldsOf({ source: state.source, mode });
      const texts = [first, second].slice(0, names.length).map((text, at) => [names[at], text]);
      change({ mode, ...Object.fromEntries(texts), row: null, column: null });
      const { picture, isComputing } = now();
      if (picture && !isComputing) startReading();
    },

    /** A new picture has come instead of what was shown before, { picture, facts }. */
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
