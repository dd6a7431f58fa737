// Arranges the tokens of a picture: special ones are left out, pieces of a word put together, columns sorted. A row or column of the result stands for one or more tokens.

import { eachStage } from './picture.js';

/**
 * Attention to a word is the sum over its pieces, attention from it their mean (Clark et al. 2019,
 * "What Does BERT Look At?", section 4.1); scores do not add up, and are averaged over both.
 * @returns {import('../../types').Picture}
 */
export function arrange(picture, { hideSpecial, merge, sort, row }) {
  const [rows, columns] = groupTokens(picture, { hideSpecial, merge });
  let arranged = { ...picture, rowTokens: rows, columnTokens: columns };
  const isWhole = rows.length === picture.rows.length && columns.length === picture.columns.length;
  if (!isWhole) arranged = regroup(arranged, picture);
  return sort === 'text' ? arranged : sortColumns(arranged, sort, row);
}

/** For rows and for columns, which tokens each of them stands for: arrays of indices. */
export function groupTokens({ rows, columns }, settings) {
  const groups = groupsOf(rows, settings);
  return [groups, rows === columns ? groups : groupsOf(columns, settings)];
}

function groupsOf(labels, { hideSpecial, merge }) {
  const groups = [];
  let last = null;
  labels.forEach((label, token) => {
    if (merge && last && last.word === label.word && !last.special && !label.special) {
      last.tokens.push(token);
      return;
    }
    last = null;
    if (hideSpecial && label.special) return;
    last = { word: label.word, special: label.special, tokens: [token] };
    groups.push(last);
  });
  return groups.map(({ tokens }) => tokens);
}

const one = () => 1;
const mean = (tokens) => 1 / tokens.length;
const shares = { raw: mean, scaled: mean, masked: mean, weights: one, difference: one };

function regroup(arranged, picture) {
  const { rowTokens: rows, columnTokens: columns } = arranged;
  const [height, width] = [picture.rows.length, picture.columns.length];
  const shape = { rows, columns, height, width, heads: picture.heads };
  return {
    ...arranged,
    rows: rows.map((tokens) => labelOf(tokens, picture.rows)),
    columns: columns.map((tokens) => labelOf(tokens, picture.columns)),
    stages: eachStage(picture.stages, (values, stage) => gather(values, shape, shares[stage])),
    hidden: picture.hidden && regroupHidden(picture.hidden, shape),
  };
}

// Hidden is what no piece of the row may see in any piece of the column.
function regroupHidden(hidden, { rows, columns, width }) {
  const isHidden = (some, others) =>
    some.every((i) => others.every((j) => hidden[i * width + j] === 1));
  return Uint8Array.from(
    rows.flatMap((some) => columns.map((others) => Number(isHidden(some, others)))),
  );
}

// `share` is what each of a column's pieces counts.
function gather(values, { rows, columns, height, width, heads }, share) {
  const result = new Float32Array(heads * rows.length * columns.length);
  let at = 0;
  for (let head = 0; head < heads; ++head) {
    for (const some of rows) {
      for (const others of columns) {
        let sum = 0;
        for (const i of some) {
          for (const j of others) sum += values[(head * height + i) * width + j] * share(others);
        }
        result[at++] = sum / some.length;
      }
    }
  }
  return result;
}

/** Weights of all heads of a part with these labels, in the rows and columns of `groups`. */
export function arrangeWeights(weights, labels, [rows, columns]) {
  const [height, width] = [labels.rows.length, labels.columns.length];
  const heads = weights.length / (height * width);
  return gather(weights, { rows, columns, height, width, heads }, one);
}

function labelOf(tokens, labels) {
  const [first, last] = [labels[tokens[0]], labels[tokens.at(-1)]];
  if (tokens.length === 1) return first;
  // The bytes of one character stand in one place, and have all its text.
  const isNew = (token, at) => at === 0 || !isSamePlace(labels[token], labels[tokens[at - 1]]);
  const text = tokens.filter(isNew).map((token) => labels[token].text);
  return { ...first, text: text.join(''), end: last.end };
}

const isSamePlace = (one, other) => one.start !== null && one.start === other.start;

// By what the row being read attends to, or by what all rows do.
function sortColumns(arranged, sort, token) {
  const { stages, hidden, columns, columnTokens } = arranged;
  const width = columns.length;
  const totals = totalsOf(arranged, sort === 'read' ? token : null);
  const order = totals.map((_, column) => column).sort((a, b) => totals[b] - totals[a] || a - b);
  const permute = (values) => values.map((_, at) => values[at - (at % width) + order[at % width]]);
  return {
    ...arranged,
    columns: order.map((column) => columns[column]),
    columnTokens: order.map((column) => columnTokens[column]),
    stages: eachStage(stages, permute),
    hidden: hidden && permute(hidden),
  };
}

// How much every column has of one row, or of all of them, over all heads.
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
