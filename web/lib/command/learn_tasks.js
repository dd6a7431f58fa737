// Tasks of `attention-wasm learn` and of the page: model sizes, random rows, and the attention to show.

const digits = (count, base, random) =>
  Array.from({ length: count }, () => Math.floor(random() * base));

// A decoder with an encoder starts with this token.
const start = '<s>';
const tenDigits = Array.from({ length: 10 }, (_, digit) => String(digit));

export const tasks = {
  __proto__: null,

  reverse: {
    title: '8 digits, the last one first',
    tokens: [start, ...tenDigits],
    sizes: { kind: 'encoder-decoder', width: 32, layers: 1, heads: 1, context: 8 },
    learningRate: 3e-3,
    row(random) {
      const ids = digits(8, 10, random).map((digit) => digit + 1);
      const targets = [...ids].reverse();
      return { ids, targets, decoderIds: [0, ...targets.slice(0, -1)] };
    },
    attention: ({ cross }) => ({ title: 'Cross-attention', layers: cross, causal: false }),
    labels: ({ ids, targets }) => ({ rows: targets, columns: ids }),
  },

  sort: {
    title: '6 digits from 0 to 2 in order',
    tokens: ['0', '1', '2'],
    sizes: { kind: 'decoder', width: 32, layers: 2, heads: 2, context: 11 },
    learningRate: 2e-3,
    row(random) {
      const input = digits(6, 3, random);
      const all = [...input, ...[...input].sort()];
      const targets = all.slice(1).map((id, at) => (at < input.length - 1 ? -1 : id));
      return { ids: all.slice(0, -1), targets };
    },
    attention: ({ self }) => ({ title: 'Self-attention', layers: self, causal: true }),
    labels: ({ ids }) => ({ rows: ids, columns: ids }),
  },
};
