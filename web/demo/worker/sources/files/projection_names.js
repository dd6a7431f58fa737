// Names and layouts of W_Q, W_K and W_V in model files. PyTorch's Linear is out × in; GPT-2's Conv1D and Flax's kernels
// are in × out, as in the papers. Some files have all three in one tensor.

/** Three tensors: { names, ending, transposed, bias }; `bias(name without ending)` returns the name of the bias. */
const separate = [
  { names: ['W_Q', 'W_K', 'W_V'], ending: '', transposed: false, biases: ['b_Q', 'b_K', 'b_V'] },
  ...[
    ['q_proj', 'k_proj', 'v_proj'],
    ['query', 'key', 'value'],
    ['query_proj', 'key_proj', 'value_proj'],
    ['q_lin', 'k_lin', 'v_lin'],
    ['to_q', 'to_k', 'to_v'],
    ['wq', 'wk', 'wv'],
    ['q', 'k', 'v'],
  ].flatMap((names) => [
    { names, ending: '.weight', transposed: true, biases: names.map((name) => `${name}.bias`) },
    { names, ending: '.kernel', transposed: false, biases: names.map((name) => `${name}.bias`) },
  ]),
  {
    names: ['q_proj', 'k_proj', 'v_proj'],
    ending: '_weight',
    transposed: true,
    fusedBias: 'in_proj_bias',
  },
  { names: ['q_proj', 'k_proj', 'v_proj'], ending: '', transposed: true, biases: [] },
];

/** One tensor with all three; `transposed(dims)`. */
const isTall = ([rows, columns]) => rows === 3 * columns || columns % 3 !== 0;
const fused = [
  { name: 'in_proj_weight', bias: 'in_proj_bias', transposed: () => true },
  { name: 'in_proj.weight', bias: 'in_proj.bias', transposed: () => true },
  { name: 'c_attn.weight', bias: 'c_attn.bias', transposed: isTall },
  { name: 'c_attn', bias: 'c_attn_bias', transposed: isTall },
  { name: 'qkv.weight', bias: 'qkv.bias', transposed: () => true },
  { name: 'qkv_proj.weight', bias: 'qkv_proj.bias', transposed: () => true },
  { name: 'Wqkv.weight', bias: 'Wqkv.bias', transposed: () => true },
];

/** One tensor in which each head has its q, k and v together, as in BLOOM and GPT-NeoX: out × in. */
const mixed = { name: 'query_key_value.weight', bias: 'query_key_value.bias' };

export const readNames =
  'W_Q, W_K, W_V; q_proj.weight …; query.weight …; in_proj_weight; c_attn.weight; query_key_value.weight';

/**
 * Layers of a file in its order. A slice is { name, transposed, share, mixed }: the whole tensor, or one of three equal
 * ranges of its outputs; if mixed, of each head's outputs.
 * @param {string[]} names of all tensors
 * @param {(name: string) => number[]} dimsOf
 * @returns {{ prefix: string, weights: Slice[], biases: (Slice | null)[] }[]} for query, key and value
 */
export function findLayers(names, dimsOf) {
  const known = new Set(names);
  const layers = new Map(); // prefix → layer
  const add = (prefix, layer) => {
    if (!layers.has(prefix)) layers.set(prefix, { prefix, ...layer });
  };
  const orNull = (slice) => (known.has(slice.name) ? slice : null);
  for (const name of names) {
    for (const { names: own, ending, transposed, biases, fusedBias } of separate) {
      const prefix = prefixOf(name, own[0] + ending);
      if (prefix === null) continue;
      const weights = own.map((one) => ({ name: `${prefix}${one}${ending}`, transposed }));
      if (!weights.every((slice) => known.has(slice.name))) continue;
      add(prefix, {
        weights,
        biases: own.map((_, share) => {
          if (fusedBias) return orNull({ name: prefix + fusedBias, share });
          return biases[share] ? orNull({ name: prefix + biases[share] }) : null;
        }),
      });
    }
    for (const { name: own, bias, transposed } of fused) {
      const prefix = prefixOf(name, own);
      const dims = dimsOf(name);
      if (prefix === null || dims.length !== 2 || dims[transposed(dims) ? 0 : 1] % 3 !== 0)
        continue;
      add(prefix, {
        weights: [0, 1, 2].map((share) => ({ name, transposed: transposed(dims), share })),
        biases: [0, 1, 2].map((share) => orNull({ name: prefix + bias, share })),
      });
    }
    const prefix = prefixOf(name, mixed.name);
    const dims = dimsOf(name);
    if (prefix === null || dims.length !== 2 || dims[0] !== 3 * dims[1]) continue;
    add(prefix, {
      weights: [0, 1, 2].map((share) => ({ name, transposed: true, share, mixed: true })),
      biases: [0, 1, 2].map((share) => orNull({ name: prefix + mixed.bias, share, mixed: true })),
    });
  }
  return [...layers.values()];
}

/** The prefix of a name that ends with `own` after a dot, a slash or nothing; null for other names. */
function prefixOf(name, own) {
  if (!name.endsWith(own)) return null;
  const prefix = name.slice(0, name.length - own.length);
  return prefix === '' || /[./]$/.test(prefix) ? prefix : null;
}

/** The part of a tensor that a slice names, as in × out; `heads` is needed if it is mixed. */
export function cut(
  { data, dims, type },
  { transposed = false, share = null, mixed = false },
  heads,
) {
  const outputs = dims.length === 1 || transposed ? dims[0] : dims[1];
  const inputs = data.length / outputs;
  const width = share === null ? outputs : outputs / 3;
  // Rows of q, k or v: one range of the tensor, or one range of each head.
  const group = mixed ? width / heads : width;
  const outputOf = (column) => {
    if (share === null) return column;
    return 3 * group * Math.floor(column / group) + share * group + (column % group);
  };
  const made = new data.constructor(inputs * width);
  for (let column = 0; column < width; ++column) {
    const output = outputOf(column);
    for (let row = 0; row < inputs; ++row) {
      made[row * width + column] = transposed
        ? data[output * inputs + row]
        : data[row * outputs + output];
    }
  }
  return { data: made, dims: dims.length === 1 ? [width] : [inputs, width], type };
}
