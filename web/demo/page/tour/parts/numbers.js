// Slices and statistics of the lesson's tensors.

/**
 * All rows of one head.
 * @param {{ data: Float32Array, dims: readonly number[] }} tensor heads × rows × width
 * @param {number} head
 */
export function headOf({ data, dims: [, rows, width] }, head) {
  return data.subarray(head * rows * width, (head + 1) * rows * width);
}

/** Columns `from` to `to` (exclusive) of a matrix, as a matrix. */
export function columnsOf({ data, dims: [rows, width] }, from, to) {
  const cut = new Float32Array(rows * (to - from));
  for (let row = 0; row < rows; ++row) {
    cut.set(data.subarray(row * width + from, row * width + to), row * (to - from));
  }
  return { data: cut, dims: [rows, to - from] };
}

export function largest(...lists) {
  let top = 0;
  for (const list of lists) {
    for (const number of list) if (Number.isFinite(number)) top = Math.max(top, Math.abs(number));
  }
  return top;
}

export const sum = (numbers) => Array.from(numbers).reduce((total, number) => total + number, 0);
export const mean = (numbers) => sum(numbers) / numbers.length;

/** Variance: the mean squared distance from the mean. */
export function variance(numbers) {
  const middle = mean(numbers);
  return mean(Array.from(numbers, (number) => (number - middle) ** 2));
}

/** The largest number of each row. */
export function topsOf(numbers, width) {
  return Array.from({ length: numbers.length / width }, (_, row) =>
    Math.max(...numbers.subarray(row * width, (row + 1) * width)),
  );
}

/** Fixed decimals for all numbers of a table or sentence; an exact 0 is written 0. */
export function fixed(number, decimals = 2) {
  if (number === 0) return '0';
  const written = Math.abs(number).toFixed(decimals);
  const isNothing = Number(written) === 0;
  return number < 0 && !isNothing ? `−${written}` : written;
}
