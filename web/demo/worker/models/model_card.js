// Summary of a model from its config and the headers of its files.

import { openSafetensors } from 'attention-wasm/safetensors';
import { bytesAs } from '../../byte_count.js';
import { sizeOf } from '../../tensors.js';

const english = (number) => number.toLocaleString('en');

/**
 * A count with 3 significant digits: 124 million.
 * @param {number} count
 */
function roughly(count) {
  const { unit, name } = [
    { unit: 1e9, name: ' billion' },
    { unit: 1e6, name: ' million' },
  ].find((one) => count >= one.unit) ?? { unit: 1, name: '' };
  return unit === 1 ? english(count) : `${Number((count / unit).toPrecision(3))}${name}`;
}

/** Number and types of the parameters in the files. */
async function numbersIn(files) {
  const counts = new Map();
  for (const [path, source] of files) {
    if (!path.endsWith('.safetensors')) continue;
    const { names, describe } = await openSafetensors(source);
    for (const name of names) {
      const { type, dims } = describe(name);
      counts.set(type, (counts.get(type) ?? 0) + sizeOf(dims));
    }
  }
  const types = [...counts].sort(([, a], [, b]) => b - a).map(([type]) => type);
  return { count: [...counts.values()].reduce((sum, one) => sum + one, 0), types };
}

const beside = (values) => [...new Set(values)].join(' + ');

/** [name, text] of each line of the card. */
export async function cardOf({ model, folder, weights }) {
  const { count, types } = await numbersIn(await folder.found());
  const { warnings, description } = model;
  const { self, encoder, decoder } = description;
  const stacks = self ? [self] : [encoder, decoder];
  const precision = weights === 'int8' ? ', kept as int8' : '';
  return [
    ['Type', model.type],
    ['Layers', stacks.map(({ layers }) => layers.length).join(' + ')],
    ['Heads', beside(stacks.map(({ heads }) => heads))],
    ['Parameters', roughly(count)],
    ['Numbers', `${types.join(', ')}${precision}`],
    ['Memory', bytesAs(model.memoryBytes)],
    ...warnings.map((warning) => ['Warning', warning]),
  ];
}
