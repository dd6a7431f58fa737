// Which weights of the model to show: of one layer or all, of one head, all, or their mean; between
// words, or the pieces the model reads.

import { UsageError } from './shell_options.js';

/**
 * request: { layer, head, pieces }; attention: { layers, rows, columns }, for each layer a Tensor of
 * heads × row tokens × column tokens, and the texts with these tokens.
 *
 * Gives { unit, rows, columns: labels, layers, heads: counts, matrices: [{ layer, head, data }] }, where
 * head is undefined of a mean.
 */
export function shownWeights({ layer, head, pieces }, attention, mergeWords) {
  const { layers, rows, columns } = attention;
  const [heads] = layers[0].dims;
  const chosenLayers = choose('layer', layer ?? layers.length, layers.length);
  const chosenHeads = head === undefined ? null : choose('head', head, heads);
  const labels = pieces ? pieceLabels : wordLabels;
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

/** Numbers from 1: all of them, or the one that was asked for. */
function choose(name, asked, count) {
  if (asked === 'all') return Array.from({ length: count }, (_, at) => at + 1);
  if (asked >= 1 && asked <= count) return [asked];
  throw new UsageError(
    `--${name} is "${asked}"; expected a whole number from 1 to ${count}, or "all"`,
  );
}

function meanOf(data, heads) {
  const size = data.length / heads;
  return Float32Array.from({ length: size }, (_, at) => {
    let sum = 0;
    for (let head = 0; head < heads; ++head) sum += data[head * size + at];
    return sum / heads;
  });
}

const pieceLabels = ({ tokens }) => tokens.map(({ text }) => text);

// As they stand in the text, whatever the pieces are; the end stands nowhere.
function wordLabels({ text, tokens }) {
  const places = [];
  for (const { word, special, start, end, text: name } of tokens) {
    places[word] ??= { special, start, name };
    places[word].end = end;
  }
  return places.map(({ special, start, end, name }) => (special ? name : text.slice(start, end)));
}
