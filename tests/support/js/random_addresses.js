// Random addresses of the page, with a value for every field of its state, and what the reader opens at them. Each field
// has a stream of numbers of its own: a new field leaves the values of the others.

import { choices } from '../../../web/demo/learn_settings.js';
import { kinds } from '../../../web/demo/kinds.js';
import { fields } from '../../../web/demo/state_fields.js';
import { views } from '../../../web/demo/view_list.js';
import { normalTensor, seeded } from './random_tensors.js';

const english = [
  'The red car is in front of the house.',
  'The pink elephant tried to get into the car but it was too big.',
  'I like the black cat of my friend.',
  'The animal did not cross the street because it was too tired.',
  'A small black dog is sleeping under the table.',
  'tea',
  '',
];
const french = [
  '',
  '',
  '',
  'La voiture rouge est devant la maison.',
  'Un petit chien noir dort sous la table.',
];
const spelled = [
  'tea cup of tea',
  'Zuko made his uncle tea, and his uncle liked the well-made tea',
  'How much wood would a woodchuck chuck if a woodchuck could chuck wood?',
  'خيط حرير على حيط خليل',
  '中文 שלום a\u202eb <b>&amp;</b> 👩‍👩‍👧',
  'The quick brown fox jumps over the lazy dog. '.repeat(4),
  '',
];
/** Texts that the models of whole_models.js can read. */
const own = ['two cats sat', 'the cats sat on the mat .', 'that cat sat at a mat', 'cat', ''];
const steps = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]; // the last one measures time
const switches = ['yes', 'no'];
const places = [0, 1, 2, 3, 4, 5, 7, 9, 40];
const isModel = (source) => source === 'model' || source === 'own';
const isOwn = (source) => source === 'own' || source === 'files';

const textsOf = { model: english, ngrams: spelled, own, files: [...own, 'a b c d'] };
const parts = {
  model: ['encoder.0', 'encoder.1', 'decoder.0', 'decoder.1', 'cross.0', 'cross.1'],
  own: ['self.0', 'self.1', 'encoder.0', 'decoder.1', 'cross.0', 'self.rollout'],
  files: ['own.0', 'own.1', 'own.2'],
  ngrams: ['spelling'],
};
parts.model.push('encoder.rollout', 'decoder.rollout');
const blocks = {
  model: ['cross:2-1', 'encoder:1', 'cross.1.0', 'cross:2-1,encoder.0.1:3-2', 'decoder:3-1'],
  own: ['self:2-1', 'self:1', 'self.0.1', 'cross:1-0', 'self.1.0:2-0,self.0.1'],
};
const price = { query: 'teapots', entries: [['tea', '2']], temperature: 2 };
price.entries.push(['pot', '7']);

/** @typedef {{ source: string, mode: string }} Drawn the values of these two fields, which are drawn first */
/**
 * Values of a field as texts of an address; `chance`: how often it is in an address.
 * @type {Record<string, { chance: number, of: (drawn: Drawn) => (string | number)[] }>}
 */
const values = {
  mode: { chance: 1, of: () => ['self', 'self', 'self', 'cross', 'cross', 'cross', 'learn'] },
  source: { chance: 1, of: () => ['model', 'model', 'model', 'model', 'ngrams', 'own', 'files'] },
  file: {
    chance: 0.5,
    of: ({ source }) => (source === 'files' ? ['weights.json', 'other.npy'] : []),
  },
  model: {
    chance: 0.3,
    of: ({ source }) =>
      source === 'own' ? ['gpt2 5481 9f86d081 my gpt2', 'bert 12 0a1b2c3d bert'] : [],
  },
  text: { chance: 0.9, of: ({ source }) => textsOf[source] },
  context: { chance: 0.5, of: ({ source }) => textsOf[source] },
  french: { chance: 0.4, of: () => french },
  begin: { chance: 0.1, of: ({ source }) => (isModel(source) ? ['Une', 'La', 'at'] : []) },
  block: { chance: 0.25, of: ({ source }) => blocks[source] ?? [] },
  sweep: { chance: 0.1, of: () => ['heads', 'words'] },
  difference: { chance: 0.05, of: () => ['his / her', 'tea/'] },
  readFrom: { chance: 0.05, of: ({ source }) => (source === 'own' ? [1, 7] : []) },
  colorBy: { chance: 0.1, of: () => ['previous', 'first', 'same', 'spread'] },
  part: { chance: 0.4, of: ({ source }) => parts[source] },
  head: { chance: 0.4, of: () => [1, 2, 3, 9] },
  row: { chance: 0.6, of: () => places },
  column: { chance: 0.4, of: () => places },
  view: { chance: 0.7, of: () => views.map(({ name }) => name) },
  beside: {
    chance: 0.3,
    of: () => [
      'text',
      'was',
      'scale:scaled',
      'kind:elu',
      'kind:cosine',
      'head:1',
      'part:encoder.0',
    ],
  },
  otherText: { chance: 0.25, of: ({ source }) => textsOf[source] },
  stage: { chance: 0.3, of: () => ['raw', 'scaled', 'masked', 'moved', 'difference'] },
  kind: { chance: 0.3, of: () => kinds.map(({ id }) => id) },
  scale: { chance: 0.2, of: () => ['scaled', 'one', 'own'] },
  ownScale: { chance: 0.2, of: () => [0, 0.5, -1, 30] },
  temperature: { chance: 0.2, of: () => [0.1, 0.5, 3] },
  softcap: { chance: 0.15, of: () => [1, 20] },
  causal: { chance: 0.2, of: () => switches },
  windowLeft: { chance: 0.1, of: () => places },
  windowRight: { chance: 0.1, of: () => places },
  heads: { chance: 0.3, of: () => [2, 4, 8] },
  positions: { chance: 0.2, of: () => switches },
  average: { chance: 0.2, of: () => switches },
  hideSpecial: { chance: 0.3, of: () => switches },
  merge: { chance: 0.3, of: () => switches },
  pair: { chance: 0.1, of: () => ['ab', 'ba', 'aa', 'bb'] },
  sort: { chance: 0.2, of: () => ['read', 'total'] },
  threshold: { chance: 0.2, of: () => [0.05, 0.3, 1] },
  colors: { chance: 0.2, of: () => ['viridis', 'cividis'] },
  perRow: { chance: 0.2, of: () => switches },
  numbers: { chance: 0.2, of: () => ['percent', 'decimals'] },
  example: { chance: 0.1, of: () => [2, 3] },
  flow: { chance: 0.3, of: () => switches },
  box: {
    chance: 0.3,
    of: () => ['vectors', 'score', 'scale', 'row', 'weight', 'value'],
  },
  whole: { chance: 0.1, of: () => switches },
  lens: { chance: 0.1, of: () => switches },
  fused: { chance: 0.05, of: () => switches },
  lookup: { chance: 0.1, of: () => [JSON.stringify(price)] },
  learn: {
    chance: 0.5,
    of: ({ mode }) => {
      if (mode !== 'learn') return [];
      const sizes = Object.entries(choices).map(([name, list]) => `sort ${name} ${list[0]}`);
      return [...sizes, 'copy seed 3', 'pairs', 'reverse positions 0 rate 0.01'];
    },
  },
  pairs: { chance: 0.2, of: ({ mode }) => (mode === 'learn' ? ['ab ba\ncd dc', 'a'] : []) },
  tour: { chance: 0.07, of: () => steps },
};

/**
 * Address number `index` of a seed: { hash, opens }; `opens`: what the reader opens at it, { model: name of a model } or
 * { file: name, content }, or null.
 * @throws an Error for a field of the page's state without values
 */
export function randomAddress(seed, index) {
  const missing = Object.keys(fields).filter((name) => !Object.hasOwn(values, name));
  if (missing.length > 0) throw new Error(`no values for the fields ${missing.join(', ')}`);
  const state = { source: '', mode: '' };
  const parameters = new URLSearchParams();
  for (const [name, { chance, of }] of Object.entries(values)) {
    const random = seeded(`${seed} ${index} ${name}`);
    const list = of(state);
    if (!random.chance(chance) || list.length === 0) continue;
    const value = String(list[random.integer(0, list.length - 1)]);
    if (name in state) state[name] = value;
    parameters.set(name, value);
  }
  const random = seeded(`${seed} ${index} opens`);
  // One in six stays without what its source needs.
  const opens = isOwn(state.source) && random.chance(5 / 6) ? opened(state, random) : null;
  return { hash: `#${parameters}`, opens };
}

function opened({ source, mode }, random) {
  if (source === 'files') return random.chance(0.5) ? givenWeights(random) : givenTensors(random);
  const models = mode === 'cross' ? ['writing', 'writing', 'decoder'] : ['decoder', 'filling'];
  models.push('seeing');
  return { model: models[random.integer(0, models.length - 1)] };
}

function listOf({ data, dims: [, columns] }) {
  const rows = Array.from({ length: data.length / columns }, (_, row) => row * columns);
  return rows.map((start) => Array.from(data.subarray(start, start + columns)));
}

/** Weights, with names or without; their rows have the sum 1. */
function givenWeights(random) {
  const [rows, columns] = [random.integer(1, 6), random.integer(1, 6)];
  const weights = listOf(normalTensor(random, [rows, columns])).map((row) => {
    const sum = row.reduce((all, one) => all + one * one, 0);
    return row.map((one) => (one * one) / sum);
  });
  const named = (count) => Array.from({ length: count }, (_, at) => `word${at + 1}`);
  const names = random.chance(0.5) ? { rows: named(rows), columns: named(columns) } : {};
  return { file: 'weights.json', content: JSON.stringify({ weights, ...names }) };
}

function givenTensors(random) {
  const [rows, columns, keyDim] = [random.integer(1, 6), random.integer(1, 6), 4];
  const [query, key, value] = [rows, columns, columns].map((count) =>
    listOf(normalTensor(random, [count, keyDim])),
  );
  return { file: 'tensors.json', content: JSON.stringify({ query, key, value }) };
}
