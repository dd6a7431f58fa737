// What a head does, as far as its weights alone say it: where the mean of a row's weight lies. No grammar is known
// here, so nothing is said about verbs.

const enough = 0.4; // of a row's weight, on average, is a habit

/**
 * Of every matrix of a picture. Distances are counted in what is drawn, tokens or words, as the sequence has them.
 *
 * @param {Pick<import('../../types').Picture, 'rows' | 'columns' | 'rowTokens' | 'columnTokens'>} picture
 * @param {Float32Array} weights heads × rows × columns
 * @param {number | null} shift for one sequence by how many tokens a column is later in the columns than in the rows; null for two
 * @returns {(import('../../types').HeadRole | null)[]} null where weights are negative
 */
export function rolesOf(picture, weights, shift) {
  const size = picture.rows.length * picture.columns.length;
  const places = shift === null ? null : placesIn(picture, shift);
  const unit = picture.rows.some(isPiece) ? 'token' : 'word';
  const heads = size > 0 ? weights.length / size : 0;
  return Array.from({ length: heads }, (_, head) =>
    roleOf(weights.subarray(head * size, (head + 1) * size), picture, places, unit),
  );
}

// For each column the row that stands for the same, -1 for the start that stands before all; undefined for none.
function placesIn({ rowTokens, columnTokens }, shift) {
  const rowOf = new Map();
  rowTokens.forEach((tokens, row) => tokens.forEach((token) => rowOf.set(token, row)));
  return columnTokens.map(([first]) => (first < shift ? -1 : rowOf.get(first - shift)));
}

const isPiece = ({ word, special }, at, labels) =>
  at > 0 && !special && labels[at - 1].word === word;

function roleOf(weights, { rows, columns }, places, unit) {
  if (weights.some((weight) => weight < 0)) return null; // no share of anything
  const measured = measure(weights, rows.length, columns.length, places);
  const habits = [
    ...columnHabit(weights, columns),
    ...(places ? habitsOf(weights, places, unit) : []),
  ];
  const best = habits.reduce((a, b) => (b.share > a.share ? b : a));
  if (best.share >= enough) return { ...best, ...measured };
  const share = sharpness(weights, rows.length, columns.length);
  const says = share >= enough ? `one ${unit} each` : 'spread, largest';
  return { says, share, ...measured };
}

const names = new Map([
  [0, () => 'itself'],
  [1, (unit) => `previous ${unit}`],
  [-1, (unit) => `next ${unit}`],
]);

// The mean weight of what stands so far before a row, over the rows that have such a column.
function habitsOf(weights, places, unit) {
  const width = places.length;
  return Array.from(names, ([distance, says]) => {
    let [sum, count] = [0, 0];
    for (let row = 0; row * width < weights.length; ++row) {
      const column = places.indexOf(row - distance);
      if (column < 0) continue;
      sum += weights[row * width + column];
      ++count;
    }
    return { says: says(unit), share: count > 1 ? sum / count : 0 };
  });
}

// The column that has the largest weight on average.
function columnHabit(weights, columns) {
  const width = columns.length;
  const height = weights.length / width;
  return columns.map(({ text }, column) => {
    let sum = 0;
    for (let at = column; at < weights.length; at += width) sum += weights[at];
    return { says: `“${text}”`, share: height > 1 ? sum / height : 0 };
  });
}

/** The mean of the largest weight of each row. */
function sharpness(weights, height, width) {
  let sum = 0;
  for (let row = 0; row < height; ++row) {
    let top = 0;
    for (let at = row * width; at < (row + 1) * width; ++at) top = Math.max(top, weights[at]);
    sum += top / height;
  }
  return sum;
}

/** { entropy } in bits, the mean over the rows; { distance }, the mean over all weight: null where there is no order. */
function measure(weights, height, width, places) {
  let [entropy, distance, counted] = [0, 0, 0];
  for (let row = 0; row < height; ++row) {
    let total = 0;
    for (let at = row * width; at < (row + 1) * width; ++at) total += weights[at];
    for (let column = 0; column < width; ++column) {
      const weight = weights[row * width + column];
      // What is left of a row is the whole of it.
      const share = total > 0 ? weight / total : 0;
      if (share > 0) entropy -= (share * Math.log2(share)) / height;
      if (places?.[column] === undefined) continue;
      distance += weight * Math.abs(row - places[column]);
      counted += weight;
    }
  }
  return { entropy, distance: places && counted > 0 ? distance / counted : null };
}
