// Everything behind one weight: the vectors of a pair, the scores at each stage, the row and what it
// adds up to. Rows of the tensors that the library was given and gave back.

const rowOf = ({ data, dims }, row, head = 0) => {
  const [rows, width] = dims.slice(-2);
  const first = (head * rows + row) * width;
  return data.slice(first, first + width);
};

/** `computed` is what computePart() returned for the part. */
export function inspect(part, reading, computed, { head, row, column, kind }) {
  const rows = part.rows ?? reading.rows;
  const columns = part.columns ?? reading.columns;
  const width = columns.length;
  const at = (head * rows.length + row) * width;
  const { stages, options, output } = computed;
  const valueDim = part.value.dims.at(-1);
  const values = part.value.data.slice(head * width * valueDim, (head + 1) * width * valueDim);
  const stageRow = (stage) => stages[stage].slice(at, at + width);
  const first = (head * rows.length + row) * valueDim;
  return {
    part: part.id,
    head,
    row,
    column,
    kind,
    options,
    keyDim: part.query.dims.at(-1),
    valueDim,
    rowLabel: rows[row],
    columnLabels: columns,
    x: { row: rowOf(part.x.rows, row), column: rowOf(part.x.columns, column) },
    query: rowOf(part.query, row, head),
    key: rowOf(part.key, column, head),
    keys: part.key.data
      .slice(head * width * part.key.dims.at(-1))
      .subarray(0, width * part.key.dims.at(-1)),
    values,
    raw: stageRow('raw'),
    scaled: stageRow('scaled'),
    masked: stageRow('masked'),
    weights: stageRow('weights'),
    output: output.slice(first, first + valueDim),
  };
}
