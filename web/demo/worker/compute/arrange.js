// Arranges the tokens of a picture: hides special ones, merges pieces of words, sorts columns. A row or column then
// stands for one or more tokens. Columns of hidden tokens become one column, "marks", so that rows still sum to 1.

import { isMarks } from '../../positions.js';
import { labelOf } from '../sources/token_groups.js';
import { eachStage } from './picture.js';

/** @import { Label, Picture, Stage } from '../../types' */
/** @import { Arrangement, Labels, Tokens, Unarranged } from '../types' */

/**
 * Attention to a word is the sum over its pieces, attention from it their mean (Clark et al. 2019, "What Does BERT Look
 * At?", section 4.1). Scores are averaged over all visible pairs.
 * @template {Unarranged} P
 * @param {P} picture
 * @param {Arrangement} settings
 * @returns {P & Tokens}
 */
export function arrange(picture, { hideSpecial, merge, pair, sort, row }) {
  const settings = { hideSpecial, merge, pair };
  const [rows, columns] = groupTokens(picture, settings);
  let arranged = { ...picture, rowTokens: rows, columnTokens: columns };
  /** @type {(groups: number[][], labels: Label[]) => boolean} */
  const isEach = (groups, labels) =>
    groups.length === labels.length && groups.every(([token], at) => token === at);
  const [, isDrawn] = drawnIn(picture, settings);
  const hasHidden = columns.length > 0 && !isDrawn(columns[columns.length - 1][0]);
  const isWhole = isEach(rows, picture.rows) && isEach(columns, picture.columns) && !hasHidden;
  if (!isWhole) arranged = regroup(arranged, picture, hasHidden);
  return sort === 'text' ? arranged : sortColumns(arranged, sort, row);
}

/**
 * Token indices of each row and of each column. The last column has all hidden tokens.
 * @param {Pick<Unarranged, 'rows' | 'columns' | 'segments'>} picture
 * @param {Pick<Arrangement, 'hideSpecial' | 'merge' | 'pair'>} settings
 * @returns {[number[][], number[][]]}
 */
export function groupTokens(picture, { hideSpecial, merge, pair }) {
  const { rows, columns } = picture;
  const [isRow, isColumn] = drawnIn(picture, { hideSpecial, pair });
  return [groupsOf(rows, merge, isRow), withHidden(groupsOf(columns, merge, isColumn), columns)];
}

/**
 * Texts of the rows and of the columns for a pair such as 'A→B'.
 * @type {{ [pair in Arrangement['pair']]?: [number, number] }}
 */
const pairs = { aa: [0, 0], ab: [0, 1], ba: [1, 0], bb: [1, 1] };

/**
 * Predicates: whether a token is drawn as a row, and as a column.
 * @param {Pick<Unarranged, 'rows' | 'columns' | 'segments'>} picture
 * @param {Pick<Arrangement, 'hideSpecial' | 'pair'>} settings
 * @returns {((token: number) => boolean)[]}
 */
function drawnIn({ rows, columns, segments }, { hideSpecial, pair }) {
  const segmentsShown = segments && pairs[pair];
  return [rows, columns].map((labels, side) => (token) => {
    if (hideSpecial && labels[token].special) return false;
    return !segmentsShown || segments[token] === segmentsShown[side];
  });
}

/** @type {(groups: number[][], labels: Label[]) => number[][]} */
function withHidden(groups, labels) {
  const shown = new Set(groups.flat());
  const hidden = Array.from(labels.keys()).filter((token) => !shown.has(token));
  return groups.length > 0 && hidden.length > 0 ? [...groups, hidden] : groups;
}

/** @type {(labels: Label[], merge: boolean, isDrawn: (token: number) => boolean) => number[][]} */
function groupsOf(labels, merge, isDrawn) {
  /** @type {{ word: number | null, special: boolean, tokens: number[] }[]} */
  const groups = [];
  /** @type {typeof groups[0] | null} */
  let last = null;
  labels.forEach((label, token) => {
    const isMore = merge && last?.word === label.word && !last.special && !label.special;
    if (last && isMore && isDrawn(token)) {
      last.tokens.push(token);
      return;
    }
    last = null;
    if (!isDrawn(token)) return;
    last = { word: label.word, special: label.special, tokens: [token] };
    groups.push(last);
  });
  const found = groups.map(({ tokens }) => tokens);
  return merge && leavesLittle(groups, labels) ? found.flatMap(apart) : found;
}

/** @param {number[]} tokens */
const apart = (tokens) => tokens.map((token) => [token]);

/**
 * True if words would leave one or two rows or columns of a text that its model reads character by character.
 * @param {{ special: boolean, tokens: number[] }[]} groups
 * @param {Label[]} labels
 */
function leavesLittle(groups, labels) {
  const words = groups.filter(({ special }) => !special).map(({ tokens }) => tokens);
  const pieces = words.flat();
  const characters = pieces.filter((token) => [...labels[token].text].length === 1);
  return (
    words.length <= 2 && pieces.length > 2 * words.length && 2 * characters.length > pieces.length
  );
}

/** @param {Stage} stage */
const isAdded = (stage) => ['weights', 'difference', 'moved'].includes(stage);

/**
 * @template {Unarranged} P
 * @param {P & Tokens} arranged
 * @param {Unarranged} picture
 * @param {boolean} hasHidden
 * @returns {P & Tokens}
 */
function regroup(arranged, picture, hasHidden) {
  const { rowTokens: rows, columnTokens: columns } = arranged;
  const [height, width] = [picture.rows.length, picture.columns.length];
  const shape = { rows, columns, height, width, heads: picture.heads };
  return {
    ...arranged,
    rows: rows.map((tokens) => labelOf(tokens, picture.rows)),
    columns: columns.map((tokens, at) =>
      hasHidden && at === columns.length - 1
        ? hiddenLabel(tokens, picture.columns)
        : labelOf(tokens, picture.columns),
    ),
    stages: eachStage(picture.stages, (values, stage) =>
      gather(values, shape, isAdded(stage) ? sumOver : meanOver),
    ),
    hidden: picture.hidden && regroupHidden(picture.hidden, shape),
    ...(picture.blocked && { blocked: regroupBlocked(picture.blocked, shape) }),
  };
}

// A cell is hidden if all its pairs of tokens are.
function regroupHidden(hidden, { rows, columns, width }) {
  const isHidden = (some, others) =>
    some.every((i) => others.every((j) => hidden[i * width + j] === 1));
  return Uint8Array.from(
    rows.flatMap((some) => columns.map((others) => Number(isHidden(some, others)))),
  );
}

/** The same for each head. */
function regroupBlocked(blocked, shape) {
  const size = shape.height * shape.width;
  const heads = Array.from({ length: shape.heads }, (_, head) =>
    regroupHidden(blocked.subarray(head * size, (head + 1) * size), shape),
  );
  return Uint8Array.from(heads.flatMap((one) => Array.from(one)));
}

/** Weight of a cell: the sum over its columns, the mean over its rows. */
export function sumOver(valueAt, some, others) {
  let sum = 0;
  for (const i of some) for (const j of others) sum += valueAt(i, j);
  return sum / some.length;
}

/** Score of a cell: the mean over its visible pairs, −∞ without any. */
export function meanOver(valueAt, some, others) {
  let [sum, count] = [0, 0];
  for (const i of some) {
    for (const j of others) {
      const value = valueAt(i, j);
      if (value === -Infinity) continue;
      sum += value;
      ++count;
    }
  }
  return count > 0 ? sum / count : -Infinity;
}

function gather(values, { rows, columns, height, width, heads }, together) {
  const result = new Float32Array(heads * rows.length * columns.length);
  let at = 0;
  for (let head = 0; head < heads; ++head) {
    const valueAt = (i, j) => values[(head * height + i) * width + j];
    for (const some of rows) {
      const start = (head * height + some[0]) * width;
      for (const others of columns) {
        // Most cells of a long text are one pair.
        const isPair = some.length === 1 && others.length === 1;
        result[at++] = isPair ? values[start + others[0]] : together(valueAt, some, others);
      }
    }
  }
  return result;
}

/**
 * Weights of all heads of a part, arranged by groups of rows and of columns.
 * @param {Float32Array} weights
 * @param {Labels} labels
 * @param {[number[][], number[][]]} groups
 */
export function arrangeWeights(weights, labels, [rows, columns]) {
  const [height, width] = [labels.rows.length, labels.columns.length];
  const heads = weights.length / (height * width);
  return gather(weights, { rows, columns, height, width, heads }, sumOver);
}

/** Label of the column of hidden tokens: "marks", or "the rest" if words are among them. */
const hiddenLabel = (tokens, labels) => ({
  text: tokens.every((token) => labels[token].special) ? 'marks' : 'the rest',
  ...{ word: null, special: true, start: null, end: null },
});

// Sorts columns by the weight of the selected row or of all rows; marks stay last.
function sortColumns(arranged, sort, token) {
  const { stages, hidden, blocked, columns, columnTokens } = arranged;
  const width = columns.length;
  const totals = totalsOf(arranged, sort === 'read' ? token : null);
  const isLast = (column) => Number(isMarks(columns[column]));
  const order = totals
    .map((_, column) => column)
    .sort((a, b) => isLast(a) - isLast(b) || totals[b] - totals[a] || a - b);
  const permute = (values) => values.map((_, at) => values[at - (at % width) + order[at % width]]);
  return {
    ...arranged,
    columns: order.map((column) => columns[column]),
    columnTokens: order.map((column) => columnTokens[column]),
    stages: eachStage(stages, permute),
    hidden: hidden && permute(hidden),
    ...(blocked && { blocked: permute(blocked) }),
  };
}

// Total weight of every column in one row or all rows, over all heads.
function totalsOf({ heads, stages, rowTokens, columnTokens }, token) {
  const [height, width] = [rowTokens.length, columnTokens.length];
  const read = Math.max(
    0,
    rowTokens.findIndex((tokens) => tokens.includes(token)),
  );
  return columnTokens.map((_, column) => {
    let sum = 0;
    for (let head = 0; head < heads; ++head) {
      for (let row = 0; row < height; ++row) {
        if (token !== null && row !== read) continue;
        sum += stages.weights[(head * height + row) * width + column];
      }
    }
    return sum;
  });
}
