// The task of minGPT's demo: six digits from 0 to 2, then the same in order; its model has 85 thousand parameters.

export const sizes = {
  kind: 'decoder',
  vocabulary: 3,
  width: 48,
  layers: 3,
  heads: 3,
  context: 11,
  tied: false,
};
export const batchSize = 64;
export const optimizer = { learningRate: 5e-4, betas: [0.9, 0.95], weightDecay: 0.1, clip: 1 };

const digits = 6;

/** Batches of a seed: { ids, targets }; targets of the digits to sort are -1. */
export function* batches(seed) {
  let state = seed;
  const digit = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sizes.vocabulary);
  };
  for (;;) {
    const rows = Array.from({ length: batchSize }, () => {
      const input = Array.from({ length: digits }, digit);
      return [...input, ...input.toSorted()];
    });
    yield {
      ids: rows.map((row) => row.slice(0, -1)),
      targets: rows.map((row) => row.slice(1).map((id, at) => (at < digits - 1 ? -1 : id))),
    };
  }
}
