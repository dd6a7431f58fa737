// Tasks that the page trains models on: model sizes, random rows, and the attention to show.

const digits = (count, base, random) =>
  Array.from({ length: count }, () => Math.floor(random() * base));

// A decoder with an encoder starts with this token.
const start = '<s>';
const alphabet = [...'abcdefghijklmnop'];

/** `count` different ids below `base`, in random order. */
function differentIds(count, base, random) {
  const ids = Array.from({ length: base }, (_, id) => id);
  return Array.from({ length: count }, () => ids.splice(Math.floor(random() * ids.length), 1)[0]);
}

const tenDigits = Array.from({ length: 10 }, (_, digit) => String(digit));

export const tasks = {
  __proto__: null,

  reverse: {
    title: '8 digits, the last one first',
    tokens: [start, ...tenDigits],
    unit: 'Digit',
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
    unit: 'Digit',
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

  // The letter after an equal one tells the next: the pattern of an induction head, which needs a head of an earlier
  // layer that looks one letter back. Each repetition starts at a random letter, so that positions do not tell it.
  repeat: {
    title: '6 letters, twice more in the same order, each time from another one on',
    tokens: alphabet,
    unit: 'Letter',
    sizes: { kind: 'decoder', width: 48, layers: 2, heads: 1, context: 17 },
    learningRate: 3e-3,
    row(random) {
      const block = differentIds(6, alphabet.length, random);
      const repeated = () => {
        const start = Math.floor(random() * block.length);
        return [...block.slice(start), ...block.slice(0, start)];
      };
      const all = [...block, ...repeated(), ...repeated()];
      const ids = all.slice(0, -1);
      // Where a repetition ends, or goes on with the first letter, nothing tells the next one.
      const isKnown = (at) =>
        at >= block.length && all[at + 1] === block[block.indexOf(all[at]) + 1];
      return { ids, targets: ids.map((_, at) => (isKnown(at) ? all[at + 1] : -1)) };
    },
    attention: ({ self }) => ({ title: 'Self-attention', layers: self, causal: true }),
    labels: ({ ids }) => ({ rows: ids, columns: ids }),
  },
};
