// The picture as CSV (one stage of one head) and as JSON (everything, to go on computing with).

const quote = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export function valuesShown(picture, { head }, stage) {
  const all =
    stage === 'difference' && picture.difference ? picture.difference : picture.stages[stage];
  const count = picture.rows.length * picture.columns.length;
  return (all ?? picture.stages.weights).subarray(head * count, (head + 1) * count);
}

/** RFC 4180: a line of column labels, then for each row its label and its numbers, in full. */
export function toCSV(picture, selection, stage) {
  const values = valuesShown(picture, selection, stage);
  const { rows, columns } = picture;
  const lines = [['', ...columns.map(({ text }) => quote(text))]];
  rows.forEach(({ text }, row) => {
    const numbers = values.subarray(row * columns.length, (row + 1) * columns.length);
    lines.push([quote(text), ...Array.from(numbers, String)]);
  });
  return `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`;
}

/** Numbers that are not finite become null, as JSON has none; `hidden` says where they were −∞. */
export function toJSON(picture, state, facts, tensors) {
  const shape = [picture.heads, picture.rows.length, picture.columns.length];
  const tensor = (values, dims = shape) => values && { dims, data: Array.from(values) };
  return JSON.stringify(
    {
      from: 'attention-wasm',
      texts: picture.texts,
      part: picture.name,
      average: picture.average,
      settings: settingsOf(state),
      options: tensors?.options,
      rows: picture.rows.map(({ text }) => text),
      columns: picture.columns.map(({ text }) => text),
      weights: tensor(picture.stages.weights),
      scores: {
        raw: tensor(picture.stages.raw),
        scaled: tensor(picture.stages.scaled),
        masked: tensor(picture.stages.masked),
      },
      difference: tensor(picture.difference),
      hidden: picture.hidden && { dims: shape.slice(1), data: Array.from(picture.hidden) },
      query: tensors && tensor(tensors.query.data, tensors.query.dims),
      key: tensors && tensor(tensors.key.data, tensors.key.dims),
      value: tensors && tensor(tensors.value.data, tensors.value.dims),
    },
    null,
    1,
  );
}

function settingsOf(state) {
  const { mode, source, kind, scale, ownScale, temperature, softcap, heads, positions } = state;
  const { causal, windowLeft, windowRight, hideSpecial, merge, sort } = state;
  return {
    ...{ mode, source, kind, scale, ownScale, temperature, softcap, heads, positions },
    ...{ causal, window: [windowLeft, windowRight], hideSpecial, merge, sort },
  };
}
