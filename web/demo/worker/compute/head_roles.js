// Role of a head from its weights alone: the target (such as the previous word) with the largest mean share of a row's
// weight. Grammar is not known here.

import { isMarks } from '../../positions.js';

const minShare = 0.4; // of a row's weight, averaged

/**
 * Roles of all heads of a picture. Distances count the drawn units, tokens or words.
 * @param {Pick<import('../../types').Picture, 'rows' | 'columns' | 'rowTokens' | 'columnTokens'>} picture
 * @param {Float32Array} weights heads × rows × columns
 * @param {number | null} shift offset of a token from its row to its column in one sequence; null for two texts
 * @param {import('../../types').HeadShares[]} [general] reference shares of the same heads, which determine the role
 * @returns {(import('../../types').HeadRole | null)[]} null if weights are negative
 */
export function rolesOf(picture, weights, shift, general) {
  const unit = picture.rows.some(isPiece) ? 'token' : 'word';
  return eachHead(picture, weights, shift, (own, places, head) => {
    if (own.some((weight) => weight < 0)) return null; // negative weights are not shares
    const measured = measureHead(own, picture.rows.length, picture.columns.length, places);
    const shares = sharesIn(own, picture, places);
    const role = general
      ? roleInGeneral(shares, general[head], unit)
      : roleHere(own, picture, shares, unit);
    return { ...role, ...measured, unit };
  });
}

/** Shares of every head in one picture. */
export const sharesOf = (picture, weights, shift) =>
  eachHead(picture, weights, shift, (own, places) => sharesIn(own, picture, places));

function eachHead(picture, weights, shift, tell) {
  const size = picture.rows.length * picture.columns.length;
  const places = shift === null ? null : placesIn(picture, shift);
  const heads = size > 0 ? weights.length / size : 0;
  return Array.from({ length: heads }, (_, head) =>
    tell(weights.subarray(head * size, (head + 1) * size), places, head),
  );
}

/** Row with the same token for each column; -1 for the start token, undefined for none. */
export function placesIn({ rowTokens, columnTokens }, shift) {
  const rowOf = new Map();
  rowTokens.forEach((tokens, row) => tokens.forEach((token) => rowOf.set(token, row)));
  return columnTokens.map(([first]) => (first < shift ? -1 : rowOf.get(first - shift)));
}

const isPiece = ({ word, special }, at, labels) =>
  at > 0 && !special && labels[at - 1].word === word;

const distances = { itself: 0, previous: 1, next: -1 };
const names = {
  itself: () => 'itself',
  previous: (unit) => `previous ${unit}`,
  next: (unit) => `next ${unit}`,
  marks: () => 'mostly marks',
  sharpest: (unit) => `mostly one ${unit} per row`,
};

/** The largest share, or the concentration of the rows: a name of `names`, or 'spread'. */
function targetOf(shares) {
  const all = Object.keys(names).filter((name) => name !== 'sharpest' && shares[name] >= minShare);
  if (all.length > 0) return all.reduce((a, b) => (shares[b] > shares[a] ? b : a));
  return shares.sharpest >= minShare ? 'sharpest' : 'spread';
}

function roleInGeneral(here, general, unit) {
  const target = targetOf(general);
  if (target === 'spread') {
    return { says: 'spread out', of: 'largest', share: here.sharpest, general: general.sharpest };
  }
  return { says: names[target](unit), share: here[target] ?? null, general: general[target] };
}

function roleHere(weights, { columns }, shares, unit) {
  const target = targetOf(shares);
  const most = mostLooked(weights, columns);
  const share = shares[target] ?? 0;
  const isShare = target !== 'sharpest' && share >= most.share;
  if (!isShare && most.share >= minShare) return most;
  if (target === 'spread') return { says: 'spread out', of: 'largest', share: shares.sharpest };
  return { says: names[target](unit), share };
}

/** Mean share of each target over the rows that can have it; `sharpest`: of each row's largest weight. */
function sharesIn(weights, { rows, columns }, places) {
  const shares = { sharpest: sharpness(weights, rows.length, columns.length) };
  const last = columns.length - 1;
  if (isMarks(columns[last])) shares.marks = meanOfColumn(weights, last, columns.length);
  if (!places) return shares;
  const width = places.length;
  for (const [name, distance] of Object.entries(distances)) {
    let [sum, count] = [0, 0];
    for (let row = 0; row * width < weights.length; ++row) {
      const column = places.indexOf(row - distance);
      if (column < 0) continue;
      sum += weights[row * width + column];
      ++count;
    }
    if (count > 1) shares[name] = sum / count;
  }
  return shares;
}

function meanOfColumn(weights, column, width) {
  let sum = 0;
  for (let at = column; at < weights.length; at += width) sum += weights[at];
  return (sum * width) / weights.length;
}

/** The column with the largest mean weight; undefined for a single row. */
function mostLooked(weights, columns) {
  const width = columns.length;
  let most = { says: '', share: 0 };
  if (weights.length === width) return most;
  columns.forEach((label, column) => {
    const share = meanOfColumn(weights, column, width);
    if (share > most.share && !isMarks(label)) most = { says: `mostly “${label.text}”`, share };
  });
  return most;
}

/** Mean of the largest weight of each row. */
function sharpness(weights, height, width) {
  let sum = 0;
  for (let row = 0; row < height; ++row) {
    let top = 0;
    for (let at = row * width; at < (row + 1) * width; ++at) top = Math.max(top, weights[at]);
    sum += top / height;
  }
  return sum;
}

/**
 * { entropy } in bits and { spread }, the effective number of columns 2^entropy, averaged over the rows; { distance },
 * averaged over the weights, null without an order.
 */
export function measureHead(weights, height, width, places) {
  let [entropy, spread, distance, counted] = [0, 0, 0, 0];
  for (let row = 0; row < height; ++row) {
    let total = 0;
    for (let at = row * width; at < (row + 1) * width; ++at) total += weights[at];
    let bits = 0;
    for (let column = 0; column < width; ++column) {
      const weight = weights[row * width + column];
      // Weights on the visible columns, normalized to 1.
      const share = total > 0 ? weight / total : 0;
      if (share > 0) bits -= share * Math.log2(share);
      if (places?.[column] === undefined) continue;
      distance += weight * Math.abs(row - places[column]);
      counted += weight;
    }
    entropy += bits / height;
    spread += 2 ** bits / height;
  }
  return { entropy, spread, distance: places && counted > 0 ? distance / counted : null };
}
