// Small things done to rows of vectors, { data, dims: [rows, width] }.

export const rowOf = ({ data, dims }, row) => {
  const width = dims.at(-1);
  return data.subarray(row * width, (row + 1) * width);
};

export const addTo = (row, other) => {
  for (let c = 0; c < row.length; c++) row[c] += other[c];
};

/** Some rows, copied. */
export function someRows(x, rows) {
  const width = x.dims.at(-1);
  const data = new Float32Array(rows.length * width);
  rows.forEach((row, at) => data.set(rowOf(x, row), at * width));
  return { data, dims: [rows.length, width] };
}

/** The mean of the rows from `first` to before `end`. */
export function meanRow(x, first = 0, end = x.dims[0]) {
  const sum = new Float64Array(x.dims.at(-1));
  for (let row = first; row < end; row++) addTo(sum, rowOf(x, row));
  return Float32Array.from(sum, (total) => total / (end - first));
}

/** Of length 1. */
export function normalised(row) {
  const length = Math.sqrt(row.reduce((sum, x) => sum + x * x, 0));
  return length > 0 ? row.map((x) => x / length) : row;
}
