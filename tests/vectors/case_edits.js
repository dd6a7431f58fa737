// Named changes of cases.json to the random inputs of a case.
import { attentionTensors, seeded } from '../support/js/random_tensors.js';
import { fill, packHeads, reshape } from '../support/js/rearrange.js';

const mapped =
  (which, change) =>
  ({ [which]: { data } }) =>
    data.forEach((x, at) => (data[at] = change(x, at)));

export const edits = {
  'keys count from -20': mapped('key', (_, j) => j - 20),
  'keys + 24': mapped('key', (x) => x + 24),
  'keys + 60': mapped('key', (x) => x + 60),
  'positive queries': mapped('query', (x) => Math.abs(x) + 1),
  'queries above 1/8': mapped('query', (x) => Math.abs(x) + 0.125),
  'queries × 64 or / 64': mapped('query', (x, at) => x * (Math.floor(at / 4) % 2 ? 64 : 1 / 64)),
  'values × 2^20': mapped('value', (x) => x * 2 ** 20),
  'values × 2^-100': mapped('value', (x) => x * 2 ** -100),

  /** Replaces every key by the first key, and every value by the first value. */
  'equal keys and values'({ key, value }) {
    for (const { dims, data } of [key, value]) {
      data.forEach((_, at) => (data[at] = data[at % dims.at(-1)]));
    }
  },

  /** Three equal heads in each layout: packing must not change the results. */
  'same numbers'(inputs) {
    const sizes = { heads: 3, qLen: 5, kLen: 6, keyDim: 4, valueDim: 7 };
    const source = attentionTensors(seeded('layout-same-numbers'), sizes);
    for (const [which, tensor] of Object.entries(source)) {
      const { dims } = inputs[which];
      inputs[which] = dims.length === 4 ? tensor : reshape(packHeads(tensor), dims);
    }
  },

  /** Changes keys and values beyond the lengths 129 and 64 of the two batch entries. */
  'NaN in padding'({ key, value }) {
    for (const [b, length] of [129, 64].entries()) {
      for (let j = length; j < 131; j++) {
        fill(key, [b, 0, j], NaN);
        fill(value, [b, 0, j], NaN);
      }
    }
  },

  /** A state of two heads, 4 × 3, with positive sums of features. */
  'a state before'(inputs) {
    const before = seeded('state before');
    const drawn = (length, draw) => Float32Array.from({ length }, draw);
    inputs.S = { dims: [1, 2, 4, 3], data: drawn(24, () => before.normal()) };
    inputs.z = { dims: [1, 2, 4], data: drawn(8, () => 1 + before.uniform()) };
  },
};
