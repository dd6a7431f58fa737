// Rows while something is blocked: words that the model no longer writes keep their rows, so that nothing moves.

import { alignWords } from '../../align_words.js';

/** @import { Label, Picture } from '../../types' */

/**
 * A row of the picture, or null for a word that is no longer written. `was`: the word that was written in its place;
 * `isNew`: the word of the row stands in the place of another one, or after one that is gone.
 * @typedef {{ row: number | null, was: Label | null, isNew: boolean }} KeptRow
 */

/** @type {WeakMap<Label[], { former: Label[], kept: KeptRow[] | null }>} */
const known = new WeakMap();

/**
 * The rows of a text and of the one that was written before, in order; null if the words are the same.
 * @param {Label[]} rows
 * @param {Label[]} [former]
 */
export function keptRows(rows, former) {
  if (!former) return null;
  const found = known.get(rows);
  if (found?.former === former) return found.kept;
  const all = together(rows, former);
  const kept = all.some(({ was }) => was) || all.length > former.length ? all : null;
  known.set(rows, { former, kept });
  return kept;
}

/** @type {(rows: Label[], former: Label[]) => KeptRow[]} */
function together(rows, former) {
  /** @type {KeptRow[]} */
  const all = [];
  let row = 0;
  /** @param {Label | null} was */
  const add = (was, isNew = was !== null) => {
    const isAfterGone = all.length > 0 && all[all.length - 1].row === null;
    all.push({ row: row++, was, isNew: isNew || isAfterGone });
  };
  alignWords(former, rows).forEach((at, index) => {
    const label = former[index];
    while (row < at) add(null, true);
    if (at < 0) all.push({ row: null, was: label, isNew: false });
    else add(rows[at].text === label.text ? null : label);
  });
  while (row < rows.length) add(null, true);
  return all;
}

/** A word struck through, for labels of a canvas. */
const struck = (/** @type {string} */ text) => Array.from(text, (one) => `${one}\u0336`).join('');

/**
 * The picture with a row for each word that is gone, whose cells are not seen; `toKept(row)` and `toOwn(row, current)` are
 * between its rows and those of the picture. Null if no row is gone.
 * @param {Picture} picture
 * @param {KeptRow[] | null} kept
 */
export function withKeptRows(picture, kept) {
  if (!kept?.some(({ row }) => row === null)) return null;
  const { rows, columns, stages, hidden, blocked, heads } = picture;
  const width = columns.length;
  const sizes = { own: rows.length * width, kept: kept.length * width };
  /**
   * @template {Float32Array | Uint8Array} A
   * @param {A} values
   * @param {number} nothing
   */
  const spread = (values, nothing, count = heads) => {
    const Kind = /** @type {new (length: number) => A} */ (values.constructor);
    const all = new Kind(count * sizes.kept);
    for (let head = 0; head < count; ++head) {
      kept.forEach(({ row }, at) => {
        const to = head * sizes.kept + at * width;
        const from = head * sizes.own + (row ?? 0) * width;
        if (row === null) all.fill(nothing, to, to + width);
        else all.set(values.subarray(from, from + width), to);
      });
    }
    return all;
  };
  const isScore = (/** @type {string} */ stage) => ['raw', 'scaled', 'masked'].includes(stage);
  const spreadStages = Object.entries(stages).map(([stage, values]) => [
    stage,
    spread(values, isScore(stage) ? -Infinity : 0),
  ]);
  /** @type {Picture} */
  const whole = {
    ...picture,
    rows: kept.map(({ row, was }) =>
      row === null ? { .../** @type {Label} */ (was), text: struck(was?.text ?? '') } : rows[row],
    ),
    stages: Object.fromEntries(spreadStages),
    hidden: spread(hidden ?? new Uint8Array(sizes.own), 1, 1),
    ...(blocked && { blocked: spread(blocked, 0) }),
  };
  const written = kept.flatMap(({ row }, at) => (row === null ? [] : [at]));
  return {
    picture: whole,
    toKept: (/** @type {number} */ row) => written[row],
    /** The row of a word that is gone leads to the next one, or from there to the one before. */
    toOwn(/** @type {number} */ at, /** @type {number} */ current) {
      const next = written.findIndex((one) => one >= at);
      const isPast = next < 0 || (written[next] !== at && next === current);
      return isPast ? Math.max(0, (next < 0 ? written.length : next) - 1) : next;
    },
  };
}
