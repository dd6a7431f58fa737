// Comparison: the same rows and columns with another text, scale, kind, layer or head.

import { isMarks } from '../../positions.js';
import { textsOf } from '../../texts.js';
import { withRollouts } from '../sources/rollout_parts.js';
import { alignWords } from '../../align_words.js';
import { arrange } from './arrange.js';
import { withMoved } from './moved.js';
import { rollOut } from './rolled_out.js';
import { canMove, eachStage, pictureOf } from './picture.js';
import { computeStages } from './stages.js';

/** @import { AttentionApi } from 'attention-wasm' */
/** @import { Beside, DrawnReading, Label, ModelReading, Part, Picture, Stages } from '../../types' */
/** @import { State } from '../../state/types' */
/** @import { Computed } from '../types' */

/**
 * Rows and columns of the alternative in the order of the picture; of another text with the words that it has there.
 * @typedef {object} Aligned
 * @property {Stages} stages
 * @property {number} heads
 * @property {Uint8Array | null} hidden
 * @property {Uint8Array} [blocked]
 * @property {(Label | null)[]} rows
 * @property {(Label | null)[]} columns
 * @property {number[][]} rowTokens
 */

/**
 * @param {AttentionApi} api
 * @param {{ part: Part, reading: DrawnReading, computed: Computed }} shown source of the picture
 * @param {Picture} picture arranged
 * @param {[what: Beside['what'], value: string]} beside changed setting and its value, as in page/views/compare_choices.js
 * @param {State} state
 * @param {{ otherReading?: DrawnReading }} more of another text, if that is what changes
 * @returns {Promise<Beside>}
 */
export async function besideOf(api, shown, picture, [what, value], state, more) {
  const { part, reading, computed } = shown;
  const { otherReading = reading } = more;
  // "was": the same text, with nothing blocked.
  const from =
    what === 'was' && reading.kind === 'model' && reading.unedited
      ? await (reading.before ??= rolledOut(reading.unedited()))
      : otherReading;
  const alike = from.parts.find(({ id }) => id === part.id) ?? from.parts[0];
  const other = (what === 'part' && from.parts.find(({ id }) => id === value)) || alike;
  const settings = what === 'scale' || what === 'kind' ? { ...state, [what]: value } : state;
  await rollOut(api, other, from);
  const isSame = other === part && settings === state;
  const made = isSame ? computed : computeStages(api, other, from, settings);
  const average = state.average && what !== 'head';
  const all =
    state.stage === 'moved' && canMove(other) ? await withMoved(other, made) : made.stages;
  const whole = pictureOf(other, from, all, { average, kind: settings.kind });
  const arranged = arrange(whole, { ...state, sort: 'text' });
  const isText = otherReading !== reading;
  /** @type {Aligned} */
  const aligned = isText ? inPlacesOf(picture, arranged) : inOrderOf(picture, arranged);
  const { stages, heads, hidden, blocked } = aligned;
  const requestedHead = what === 'head' ? Number(value) : picture.average ? 0 : state.head;
  return {
    ...{ what, value, heads, hidden, blocked, options: made.options },
    parts: likeParts(reading, part),
    ...(what === 'text' && besideText(isText ? aligned : picture, other, otherReading, state)),
    head: Math.min(Math.max(0, requestedHead), heads - 1),
    stages: eachStage(stages, (values) =>
      Object.values(all).includes(values) ? values.slice() : values,
    ),
  };
}

/** @param {ModelReading | Promise<ModelReading>} reading */
const rolledOut = async (reading) => withRollouts(await reading);

/**
 * @param {Pick<Aligned, 'rows' | 'columns' | 'rowTokens'>} words
 * @param {Part} part
 * @param {DrawnReading} reading
 * @param {State} state
 * @returns {Partial<Beside>}
 */
function besideText({ rows, columns, rowTokens }, part, reading, state) {
  const typed = textsOf({ ...state, text: state.otherText });
  const [first, second = first] = part.texts ?? reading.texts ?? typed;
  return {
    rows,
    columns,
    rowTokens,
    texts: [first, second],
    ...(reading.kind === 'model' && { translation: reading.translation }),
  };
}

/**
 * Parts with the same rows and columns.
 * @param {DrawnReading} reading
 * @param {Part} part
 */
function likeParts({ parts }, part) {
  /** @param {Part} other */
  const isLike = (other) => other.rows === part.rows && other.columns === part.columns;
  return parts.filter(isLike).map(({ id }) => id);
}

/**
 * Reorders columns as in the picture, which may be sorted.
 * @param {Picture} picture
 * @param {Picture} arranged
 * @returns {Picture}
 */
function inOrderOf({ columnTokens }, arranged) {
  const placeOf = new Map(arranged.columnTokens.map((tokens, column) => [tokens[0], column]));
  const order = columnTokens.map((tokens) => /** @type {number} */ (placeOf.get(tokens[0])));
  const width = order.length;
  if (order.every((from, to) => from === to)) return arranged;
  /** @type {<Numbers extends Float32Array | Uint8Array>(values: Numbers) => Numbers} */
  const permute = (values) =>
    /** @type {typeof values} */ (
      values.map((_, at) => values[at - (at % width) + order[at % width]])
    );
  const { stages, hidden, blocked } = arranged;
  return {
    ...arranged,
    stages: eachStage(stages, permute),
    hidden: hidden && permute(hidden),
    blocked: blocked && permute(blocked),
  };
}

/**
 * Columns may be sorted; they are aligned in the order of the text.
 * @param {Picture} picture
 * @param {Picture} other
 */
function columnsIn({ columns, columnTokens }, other) {
  const positionOf = (at) => (isMarks(columns[at]) ? Infinity : columnTokens[at][0]);
  const order = Array.from(columns.keys()).sort((a, b) => positionOf(a) - positionOf(b));
  const aligned = alignWords(
    order.map((at) => columns[at]),
    other.columns,
  );
  /** @type {number[]} */
  const places = [];
  order.forEach((at, n) => (places[at] = aligned[n]));
  return places;
}

/**
 * The picture of another text, with the rows and columns of `picture`; cells of words that it lacks are −∞ and hidden.
 * @param {Picture} picture
 * @param {Picture} other
 */
export function inPlacesOf(picture, other) {
  const rowAt = alignWords(picture.rows, other.rows);
  const columnAt = columnsIn(picture, other);
  const [height, width] = [other.rows.length, other.columns.length];
  const size = rowAt.length * columnAt.length;
  /** @type {(values: Float32Array | Uint8Array, missing: number, heads: number) => number[]} */
  const gather = (values, missing, heads) =>
    Array.from({ length: heads * size }, (_, at) => {
      const [head, row] = [Math.floor(at / size), rowAt[Math.floor((at % size) / columnAt.length)]];
      const column = columnAt[at % columnAt.length];
      return row < 0 || column < 0 ? missing : values[(head * height + row) * width + column];
    });
  const isWhole = [...rowAt, ...columnAt].every((at) => at >= 0);
  const hidden = other.hidden ?? (isWhole ? null : new Uint8Array(height * width));
  return {
    heads: other.heads,
    stages: eachStage(other.stages, (values) =>
      Float32Array.from(gather(values, -Infinity, other.heads)),
    ),
    hidden: hidden && Uint8Array.from(gather(hidden, 1, 1)),
    rows: rowAt.map((at) => other.rows[at] ?? null),
    columns: columnAt.map((at) => other.columns[at] ?? null),
    rowTokens: rowAt.map((at) => other.rowTokens[at] ?? []),
  };
}
