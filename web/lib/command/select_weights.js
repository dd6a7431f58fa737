// Selects the weights of a model to print: one layer or all; one head, all, or their mean; between words or tokens.

import { UsageError } from './shell_options.js';

/**
 * request: { layer, head, pieces }; attention: { layers: a Tensor per layer, heads × row tokens × column tokens; rows,
 * columns: the texts with their tokens }.
 *
 * Returns { unit, rows, columns: labels, layers, heads: counts, matrices: [{ layer, head, data }] }; head is undefined for
 * a mean.
 */
export function selectWeights({ layer, head, pieces }, attention, mergeWords) {
  const { layers, rows, columns } = attention;
  const [heads] = layers[0].dims;
  const chosenLayers = selectNumbers('layer', layer ?? layers.length, layers.length);
  const chosenHeads = head === undefined ? null : selectNumbers('head', head, heads);
  const labels = pieces ? tokenLabels : wordLabels;
  const matrices = chosenLayers.flatMap((number) => {
    const weights = layers[number - 1];
    const { data } = pieces ? weights : mergeWords(weights, rows.tokens, columns.tokens);
    const size = data.length / heads;
    if (!chosenHeads) return [{ layer: number, head: undefined, data: meanOf(data, heads) }];
    return chosenHeads.map((one) => ({
      layer: number,
      head: one,
      data: data.subarray((one - 1) * size, one * size),
    }));
  });
  return {
    unit: pieces ? 'piece' : 'word',
    rows: labels(rows),
    columns: labels(columns),
    layers: layers.length,
    heads,
    matrices,
  };
}

/** The selected layer or head numbers, from 1: all, or the requested one. */
function selectNumbers(name, requested, count) {
  if (requested === 'all') return Array.from({ length: count }, (_, index) => index + 1);
  if (requested >= 1 && requested <= count) return [requested];
  throw new UsageError(
    `--${name} is "${requested}"; expected an integer from 1 to ${count}, or "all"`,
  );
}

function meanOf(data, heads) {
  const size = data.length / heads;
  return Float32Array.from({ length: size }, (_, index) => {
    let sum = 0;
    for (let head = 0; head < heads; ++head) sum += data[head * size + index];
    return sum / heads;
  });
}

const tokenLabels = ({ tokens }) => tokens.map(({ text }) => text);

// Words are slices of the text; special tokens have no span and are labeled by their name.
function wordLabels({ text, tokens }) {
  const words = [];
  for (const { word, special, start, end, text: name } of tokens) {
    words[word] ??= { special, start, name };
    words[word].end = end;
  }
  return words.map(({ special, start, end, name }) => (special ? name : text.slice(start, end)));
}
