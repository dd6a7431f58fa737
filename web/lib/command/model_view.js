// The view (see matrix_table.js) of a model's weights: one layer or all; one head, all, or their mean; between words or tokens.

import { capitalized } from './matrix_table.js';
import { UsageError } from './shell_options.js';

/**
 * The view of what `values`, those of --layer and --head, select. attention: { title, stack: name of the stack, layers: a
 * Tensor per layer, heads × row tokens × column tokens; rows, columns: the texts with their tokens; notes: sentences }. unit:
 * 'word', 'piece' or 'token'; mergeWords: for words.
 */
export function modelView({ layer, head }, attention, unit, mergeWords) {
  const { title, stack, layers, rows, columns, notes } = attention;
  const [heads] = layers[0].dims;
  const chosenLayers = selectNumbers('layer', layer ?? layers.length, layers.length);
  const chosenHeads = head === undefined ? [undefined] : selectNumbers('head', head, heads);
  const labels = unit === 'word' ? wordLabels : tokenLabels;
  const layerName = (number) => `${stack} layer ${number} of ${layers.length}`;
  const headName = (number) => {
    if (heads === 1) return 'its only head';
    return number ? `head ${number} of ${heads}` : `mean of ${heads} heads`;
  };
  // Layer and head are in the heading if all matrices share them, else in their titles.
  const names = (layerNumber, headNumber, differs) => [
    ...((layer === 'all') === differs ? [layerName(layerNumber)] : []),
    ...((head === 'all') === differs ? [headName(headNumber)] : []),
  ];
  const matrices = chosenLayers.flatMap((layerNumber) => {
    const weights = layers[layerNumber - 1];
    const { data } = unit === 'word' ? mergeWords(weights, rows.tokens, columns.tokens) : weights;
    const length = data.length / heads;
    return chosenHeads.map((number) => ({
      title: capitalized(names(layerNumber, number, true).join(', ')),
      keys: {
        ...(layer === 'all' && { layer: layerNumber }),
        ...(head === 'all' && { head: number }),
      },
      data: number ? data.subarray((number - 1) * length, number * length) : meanOf(data, heads),
    }));
  });
  const facts = [title, ...names(chosenLayers[0], chosenHeads[0], false)];
  return {
    heading: `${facts.join(', ')}: ${counts(rows, columns, unit)}`,
    unit,
    rows: labels(rows),
    columns: labels(columns),
    matrices,
    notes,
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

function counts(rows, columns, unit) {
  if (rows === columns) return countUnits(rows, unit);
  return `${countUnits(rows, unit)} attending to ${countUnits(columns, unit)}`;
}

// The end token does not count.
function countUnits({ tokens }, unit) {
  const own = tokens.filter(({ special }) => !special);
  const count = unit === 'word' ? new Set(own.map(({ word }) => word)).size : own.length;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
