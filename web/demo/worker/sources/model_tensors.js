// Matrices of the translator for display: float32, in × out.

/** A matrix as float32; it may be int8 with a scale for each row. */
function widen({ data, dims, scales }) {
  const width = dims.at(-1);
  const share = scales ? (at) => scales[Math.floor(at / width)] : () => 1;
  return { data: Float32Array.from(data, (number, at) => number * share(at)), dims };
}

/** rows × columns → columns × rows. */
export function transpose({ data, dims: [rows, columns] }) {
  const turned = new Float32Array(data.length);
  for (let row = 0; row < rows; ++row) {
    for (let column = 0; column < columns; ++column) {
      turned[column * rows + row] = data[row * columns + column];
    }
  }
  return { data: turned, dims: [columns, rows] };
}

/** heads × rows × numbers → rows × heads·numbers (concatenation of the heads). */
export function concatenate({ data, dims: [heads, rows, width] }) {
  const joined = new Float32Array(data.length);
  for (let head = 0; head < heads; ++head) {
    for (let row = 0; row < rows; ++row) {
      const from = (head * rows + row) * width;
      joined.set(data.subarray(from, from + width), (row * heads + head) * width);
    }
  }
  return { data: joined, dims: [rows, heads * width] };
}

/** Projections of an attention as x · W: { query, key, value, output }, each { weight, bias }. */
export function projectionsOf(tensors, prefix) {
  const stacked = widen(tensors.get(`${prefix}in_proj_weight`));
  const stackedBias = tensors.get(`${prefix}in_proj_bias`).data;
  const width = stacked.dims[1];
  const rows = stacked.dims[0] / 3;
  const made = {};
  ['query', 'key', 'value'].forEach((name, at) => {
    const data = stacked.data.subarray(at * rows * width, (at + 1) * rows * width);
    made[name] = {
      weight: transpose({ data, dims: [rows, width] }),
      bias: stackedBias.slice(at * rows, (at + 1) * rows),
    };
  });
  return { ...made, output: outputOf(tensors, prefix) };
}

/** W_O and b_O. */
export const outputOf = (tensors, prefix) => ({
  weight: transpose(widen(tensors.get(`${prefix}out_proj.weight`))),
  bias: tensors.get(`${prefix}out_proj.bias`).data.slice(),
});

const prefixes = {
  encoder: (n) => `encoder.layers.${n}.self_attn.`,
  decoder: (n) => `decoder.layers.${n}.self_attn.`,
  cross: (n) => `decoder.layers.${n}.multihead_attn.`,
};

/** W_O and b_O of the translator's attentions, computed on first use and cached. */
export function createProjections(tensors) {
  const made = new Map();
  return (kind, n) => {
    const prefix = prefixes[kind](n);
    if (!made.has(prefix)) made.set(prefix, outputOf(tensors, prefix));
    return made.get(prefix);
  };
}
