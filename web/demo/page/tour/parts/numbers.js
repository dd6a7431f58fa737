// Rows and columns of the lesson's tensors, and what is said of many numbers at once.

/** One row of a matrix, or of a head's. */
export function rowOf({ data, dims }, row, head = 0) {
  const [rows, width] = dims.slice(-2);
  const first = (head * rows + row) * width;
  return data.subarray(first, first + width);
}

/** All rows of one head. */
export function headOf({ data, dims: [, rows, width] }, head) {
  return data.subarray(head * rows * width, (head + 1) * rows * width);
}

/** The columns of a matrix from one to another, as a matrix. */
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

/** The mean square of what lies between the numbers and their mean. */
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
