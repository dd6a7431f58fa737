// Edits and captures of rows at a hook point, in a worker that computes layers with others.
const operations = {
  set: (number, value) => value,
  add: (number, value) => number + value,
  scale: (number, value, factor) => number * factor,
};

/** An edit of rows: [batch ×] n × width. indices: of the n rows, none for all; values: 1 × 1 or n × 1 or width. */
function editRows({ operation, factor, indices, values }, { data, dims }) {
  const [count, width] = dims.slice(-2);
  const change = operations[operation];
  const rounded = Math.fround(factor);
  const [, rows = 1, columns = 1] = values?.dims ?? [];
  for (let first = 0; first < data.length; first += count * width) {
    const edited = indices.length > 0 ? indices : Array.from({ length: count }, (_, row) => row);
    edited.forEach((row, n) => {
      for (let column = 0; column < width; column++) {
        const at = first + row * width + column;
        const value = values?.data[(n % rows) * columns + (column % columns)];
        data[at] = change(data[at], value, rounded);
      }
    });
  }
}

/** Rows at a hook point, after its edits. rows: edits of all hook points; captured: by names of captured hook points. */
export function intervene({ rows: edits = [], captured = {} }, name, rows) {
  const own = edits.filter((edit) => edit.name === name);
  const edited = own.length > 0 ? { ...rows, data: rows.data.slice() } : rows;
  for (const edit of own) editRows(edit, edited);
  if (name in captured) captured[name] = edited;
  return edited;
}
