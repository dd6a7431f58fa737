// Tasks of `attention-wasm learn`: model sizes, random rows, and the attention to show.

const digits = (count, base, random) =>
  Array.from({ length: count }, () => Math.floor(random() * base));

// A decoder starts with this id; digits follow it.
const start = 0;

export const tasks = {
  __proto__: null,

  reverse: {
    title: '8 digits, the last one first',
    sizes: { kind: 'encoder-decoder', vocabulary: 11, width: 32, layers: 1, heads: 1, context: 8 },
    batch: 32,
    learningRate: 3e-3,
    row(random) {
      const ids = digits(8, 10, random).map((digit) => digit + 1);
      const targets = [...ids].reverse();
      return { ids, targets, decoderIds: [start, ...targets.slice(0, -1)] };
    },
    label: (id) => String(id - 1),
    attention: ({ cross }) => ({ title: 'Cross-attention', layers: cross, causal: false }),
    labels: ({ ids, targets }) => ({ rows: targets, columns: ids }),
  },

  sort: {
    title: '6 digits from 0 to 2 in order',
    sizes: { kind: 'decoder', vocabulary: 3, width: 32, layers: 2, heads: 2, context: 11 },
    batch: 32,
    learningRate: 2e-3,
    row(random) {
      const input = digits(6, 3, random);
      const all = [...input, ...[...input].sort()];
      const targets = all.slice(1).map((id, at) => (at < input.length - 1 ? -1 : id));
      return { ids: all.slice(0, -1), targets };
    },
    label: String,
    attention: ({ self }) => ({ title: 'Self-attention', layers: self, causal: true }),
    labels: ({ ids }) => ({ rows: ids, columns: ids }),
  },
};
