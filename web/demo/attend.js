// From texts to attention: words, their vectors, and what attention() says about them.

import { wordVectors, words } from 'attention-wasm/text';

export const dim = 64;
export const mostWords = 512;

/**
 * Returns a function from the state to what the page shows: `queries` and `keys` are words, and if
 * there are any, `weights` and `scores` are queries × keys, row by row, `sums` has one number per
 * row, `topWeight` is the weight of the strongest colour, and `spread` is to how many
 * words a row goes on average, as exp(entropy).
 */
export function createAttend(attention) {
  const readings = new Map();
  const read = (text) => remembered(readings, text, () => readText(text));

  return function attend({ mode, reading, context, causal, positions, scale }) {
    const query = read(reading);
    const key = mode === 'cross' ? read(context) : query;
    const shown = { queries: query.words, keys: key.words, cut: query.cut || key.cut };
    if (query.words.length === 0 || key.words.length === 0) return shown;

    const options = { scale, weights: true, scores: 'biased' };
    // Two texts share no "before": looking backwards is for one text only.
    if (mode === 'self') options.causal = causal;
    const keys = key.vectors(positions);
    const { weights, scores } = attention(query.vectors(positions), keys, keys, options);
    return { ...shown, weights: weights.data, scores: scores.data, ...summarise(weights) };
  };
}

function readText(text) {
  const all = words(text);
  const list = all.slice(0, mostWords);
  const vectors = new Map();
  return {
    words: list,
    cut: all.length > list.length,
    vectors: (positions) =>
      remembered(vectors, positions, () => wordVectors(list, { dim, positions })),
  };
}

// The last few only: every letter typed makes a new text.
function remembered(map, key, make) {
  if (!map.has(key)) {
    if (map.size === 4) map.delete(map.keys().next().value);
    map.set(key, make());
  }
  return map.get(key);
}

function summarise({ data, dims: [length, width] }) {
  const rows = Array.from({ length }, (_, row) => data.subarray(row * width, (row + 1) * width));
  const total = (list, value) => list.reduce((sum, item) => sum + value(item), 0);
  const entropy = (row) => -total(row, (weight) => (weight > 0 ? weight * Math.log(weight) : 0));
  return {
    // The largest weight, unless all are near the average, 1 / width: then the picture is pale, as
    // it should be where nothing stands out.
    topWeight: Math.min(
      1,
      data.reduce((most, weight) => Math.max(most, weight), 4 / width),
    ),
    sums: rows.map((row) => total(row, (weight) => weight)),
    spread: total(rows, (row) => Math.exp(entropy(row))) / length,
  };
}
