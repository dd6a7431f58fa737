// What a model is, in a few lines: read off its config and the headers of its files.

import { openSafetensors } from 'attention-wasm/safetensors';

const english = (number) => number.toLocaleString('en');

/** 3 figures and a word, as people say it: 124 million. */
export function roughly(count) {
  const [unit, name] = [
    [1e9, ' billion'],
    [1e6, ' million'],
  ].find(([least]) => count >= least) ?? [1, ''];
  return unit === 1 ? english(count) : `${Number((count / unit).toPrecision(3))}${name}`;
}

export function bytesAs(bytes) {
  const [unit, name] = [
    [2 ** 30, 'GB'],
    [2 ** 20, 'MB'],
    [2 ** 10, 'kB'],
  ].find(([least]) => bytes >= least) ?? [1, 'bytes'];
  return `${Number((bytes / unit).toPrecision(3))} ${name}`;
}

const product = (dims) => dims.reduce((size, dim) => size * dim, 1);

/** How many numbers the files have, and of which types. */
async function numbersIn(files) {
  const counts = new Map();
  for (const [path, source] of files) {
    if (!path.endsWith('.safetensors')) continue;
    const { names, describe } = await openSafetensors(source);
    for (const name of names) {
      const { type, dims } = describe(name);
      counts.set(type, (counts.get(type) ?? 0) + product(dims));
    }
  }
  const types = [...counts].sort(([, a], [, b]) => b - a).map(([type]) => type);
  return { count: [...counts.values()].reduce((sum, one) => sum + one, 0), types };
}

const beside = (values) => [...new Set(values)].join(' + ');

/** [name, text] of each line. `description` as the library's families give it. */
export async function cardOf({ model, description, folder, weights }) {
  const { count, types } = await numbersIn(await folder.found());
  const { self, encoder, decoder } = description;
  const stacks = self ? [self] : [encoder, decoder];
  const kept = weights === 'int8' ? ', kept as int8' : '';
  return [
    ['Type', model.type],
    ['Layers', encoder ? `${encoder.layers} + ${decoder.layers}` : String(self.layers)],
    ['Heads', beside(stacks.map(({ heads }) => heads))],
    ['Parameters', roughly(count)],
    ['Numbers', `${types.join(', ')}${kept}`],
    ['Memory', bytesAs(model.memoryBytes)],
  ];
}
