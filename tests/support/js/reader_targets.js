// Fuzz targets: readers of untrusted files, each with small valid files, a mutation, and a read function.
// A failing read must throw an error of the reader itself.
import { readFileSync } from 'node:fs';

import { zipSync } from 'fflate';
import { loadAttention } from 'attention-wasm';
import { loadModel } from 'attention-wasm/models';
import { openSafetensors, parseSafetensors, writeSafetensors } from 'attention-wasm/safetensors';

import { kindOf } from '../../../web/demo/worker/sources/files/file_kind.js';
import { readJSON } from '../../../web/demo/worker/sources/files/json_file.js';
import { readNpy } from '../../../web/demo/worker/sources/files/npy_file.js';
import { readNpz } from '../../../web/demo/worker/sources/files/npz_file.js';
import { readSafetensorsArrays } from '../../../web/demo/worker/sources/files/safetensors_file.js';
import { webFolder } from '../../../web/lib/models/sources/web_folder.js';
import { byteLevel, withTokens } from './models_with_tokens.js';
import { mutatedBytes, mutatedValue } from './mutations.js';
import { npy } from './numpy_file.js';
import { seededWeights } from './seeded_weights.js';
import { pieceTokenizer } from './sentence_pieces.js';

const casesIn = (/** @type {string} */ name) =>
  JSON.parse(readFileSync(new URL(`../../vectors/${name}`, import.meta.url), 'utf8'));
const models = casesIn('models.json');
const sentencePieces = casesIn('sentence_pieces.json');
const text = (bytes) => new TextDecoder().decode(bytes);
const bytesOf = (words) => new TextEncoder().encode(words);

/** A copy of bytes with up to three of them replaced by a digit or any byte. */
function overwritten(bytes, { integer, chance }) {
  const changed = Uint8Array.from(bytes);
  for (let count = integer(1, 3); count > 0; count--) {
    changed[integer(0, bytes.length - 1)] = chance(0.5) ? integer(48, 57) : integer(0, 255);
  }
  return changed;
}

/** Concatenated data of a safetensors file's tensors. */
function requireAll(tensors, bytes) {
  let at = 8 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  for (const { data } of tensors.values()) {
    const read = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    if (!read.equals(bytes.subarray(at, at + read.length))) {
      throw new Error(`other bytes from ${at} on`, { cause: 'a test' });
    }
    at += read.length;
  }
  if (at !== bytes.length) throw new Error(`${at} of ${bytes.length} bytes`, { cause: 'a test' });
}

function requireWhole({ data, dims }) {
  const count = dims.reduce((product, dim) => product * dim, 1);
  if (!dims.every((dim) => Number.isSafeInteger(dim) && dim >= 0) || count !== data.length) {
    throw new Error(`dims ${JSON.stringify(dims)} of ${data.length} numbers`, { cause: 'a test' });
  }
}

const numbers = (type, count) => type.from({ length: count }, (_, at) => at - 3);
const files = new Map([
  ['f', { type: 'float32', dims: [2, 3], data: numbers(Float32Array, 6) }],
  ['layer.weight', { type: 'bfloat16', dims: [3], data: numbers(Uint16Array, 3) }],
  ['half', { type: 'float6_e2m3', dims: [4], data: numbers(Uint8Array, 3) }],
  ['empty', { type: 'int8', dims: [0, 4], data: new Int8Array(0) }],
]);
const jsonWords = [
  ...['"', '\\u', '{', '[', '}', ']', ',', ':', '-1', '1e400', '9007199254740993', '1e1', 'null'],
  ...[
    '"dtype":"F4"',
    '"shape":[',
    '"data_offsets":[0,',
    '"__metadata__":{',
    '[[[[[[[[[[',
    '\u0000',
  ],
];
const npyWords = [
  ...["'shape': (", "'descr': '<f8'", "'descr': [", '99999999999999999999', '0, 9e9', ', ,', ' 2'],
  ...["'fortran_order': True", '0', `${'9'.repeat(400)}`, '>f4', '|O', 'L', '\n'],
];
const lists = {
  query: [
    [1, 2, 3],
    [4, 5, 6],
  ],
  key: [[1, 0, 2]],
  value: [[7], [8]],
  tokens: ['a', 'b'],
};
const saved = {
  weights: [
    [
      [0.5, 0.5],
      [1, 0],
    ],
  ],
  rows: ['a', 'b'],
  columns: ['c', 'd'],
};

const asFile = (bytes, name) => new File([bytes], name);

const api = await loadAttention({ kernels: 'simd' });
const bpe = byteLevel([
  ['a', 'b'],
  ['ab', 'c'],
]);
const pieces = { '[UNK]': 0, a: 1, b: 2, '##b': 3, c: 4 };
const wordPiece = {
  added_tokens: [{ id: 4, content: 'c', special: true }],
  normalizer: { type: 'BertNormalizer', lowercase: true, strip_accents: null },
  pre_tokenizer: { type: 'Whitespace' },
  model: {
    ...{ type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##' },
    ...{ max_input_chars_per_word: 100, vocab: pieces },
  },
};
const replacement = { type: 'Replace', pattern: { String: 'b' }, content: 'bb' };
const inSteps = {
  ...wordPiece,
  normalizer: { type: 'Sequence', normalizers: [{ type: 'NFKC' }, replacement] },
  pre_tokenizer: {
    type: 'Sequence',
    pretokenizers: [
      { type: 'Split', pattern: { Regex: ' |c' }, behavior: 'Removed', invert: false },
      { type: 'FixedLength', length: 8 },
      { type: 'Metaspace', replacement: 'a', prepend_scheme: 'first' },
    ],
  },
  post_processor: {
    type: 'TemplateProcessing',
    single: [{ SpecialToken: { id: 'c', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }],
    pair: [{ Sequence: { id: 'A', type_id: 0 } }, { Sequence: { id: 'B', type_id: 1 } }],
    special_tokens: { c: { id: 'c', ids: [4], tokens: ['c'] } },
  },
  decoder: { type: 'Sequence', decoders: [replacement, { type: 'Fuse' }] },
};
const modelSources = Object.entries(models).map(([name, found]) => ({
  name,
  source: { config: found.config, weights: seededWeights(found) },
  input: found.input,
}));
const textModels = [
  withTokens('gpt2', 259, bpe),
  { ...modelSources[1].source, tokenizer: wordPiece },
  { ...modelSources[1].source, tokenizer: inSteps },
];

/** Loads, uses and deletes a model. */
async function tryModel(source, use) {
  const model = await loadModel(source, { api });
  try {
    use(model);
  } finally {
    model.delete();
  }
}

/** Requests a file by name from a server's folder; requests outside the folder are errors. */
async function askFor(name) {
  const { fetch } = globalThis;
  globalThis.fetch = async (address) => {
    const { href } = new URL(String(address));
    if (!/^https:\/\/models\.test\/a\/[^?#]*\?key=1$/.test(href) || /\/\.\.?(\/|\?)/.test(href)) {
      throw new Error(`asked for ${href}`, { cause: 'a test' });
    }
    return new Response('{}');
  };
  try {
    await webFolder('https://models.test/a?key=1').text(name);
  } finally {
    globalThis.fetch = fetch;
  }
}

const inputOf = ({ ids, decoderIds, typeIds, pixels }) =>
  pixels ? undefined : { ids, ...(decoderIds && { decoderIds }), ...(typeIds && { typeIds }) };

/** name → { seeds, change(seed, random), read(changed), says: of errors, heavy: how many times slower } */
export const readers = {
  'safetensors in memory': {
    heavy: 0.3,
    seeds: [writeSafetensors(files, { metadata: { format: 'pt' } }), writeSafetensors(new Map())],
    change: (seed, random) =>
      random.chance(0.5) ? overwritten(seed, random) : mutatedBytes(seed, random, jsonWords),
    read(bytes) {
      const { tensors } = parseSafetensors(bytes);
      requireAll(tensors, bytes);
      for (const { data, dims, type } of tensors.values()) {
        if (!/^(float[46]|complex)/.test(type)) requireWhole({ data, dims });
      }
    },
    says: /^not a valid safetensors file: /,
  },
  'safetensors that stays where it is': {
    seeds: [writeSafetensors(files, { metadata: { format: 'pt' } })],
    change: (seed, random) => mutatedBytes(seed, random, jsonWords),
    read: async (bytes) => (await openSafetensors(new Blob([bytes]))).readMany(),
    says: /^not a valid safetensors file: /,
  },
  npy: {
    seeds: [
      npy({ data: [1, 2, 3, 4, 5, 6], dims: [2, 3] }),
      npy({ data: [1, 2, 3, 4], dims: [2, 2] }, { descr: '<f2', fortran: true, version: 2 }),
      npy({ data: [], dims: [0, 3] }, { descr: '<i8' }),
    ],
    change: (seed, random) => mutatedBytes(seed, random, npyWords),
    read: (bytes) => requireWhole(readNpy(bytes.slice().buffer)),
    says: /^(it|its) /,
  },
  'arrays in safetensors': {
    seeds: [
      writeSafetensors(
        { weights: { data: numbers(Float32Array, 6), dims: [2, 3] } },
        { metadata: { rows: 'a b' } },
      ),
      writeSafetensors({
        q: { data: numbers(Uint16Array, 2), dims: [1, 2], type: 'float16' },
        k: { data: numbers(Int8Array, 4), dims: [2, 2] },
        v: { data: numbers(Float64Array, 2), dims: [2, 1] },
      }),
    ],
    change: (seed, random) => mutatedBytes(seed, random, jsonWords),
    async read(bytes) {
      const { arrays, unnamed } = await readSafetensorsArrays(asFile(bytes, 'a.safetensors'), 1000);
      for (const array of unnamed ? [unnamed] : Object.values(arrays)) requireWhole(array);
    },
    says: /^(not a valid safetensors file: |it has no |\w+ has dims |\w+ is of )/,
  },
  'JSON of the page': {
    seeds: [
      lists,
      saved,
      [
        [1, 2],
        [3, 4],
      ],
      { query: { dims: [1, 2], data: [1, 2] } },
    ],
    change: (seed, random) =>
      random.chance(0.5)
        ? (JSON.stringify(mutatedValue(seed, random)) ?? '')
        : text(mutatedBytes(bytesOf(JSON.stringify(seed)), random, jsonWords)),
    async read(words) {
      await readJSON(words);
    },
    says: /./,
  },
  '.npz of arrays': {
    seeds: [
      zipSync({ 'weights.npy': npy({ data: [1, 0, 0, 1], dims: [2, 2] }) }),
      zipSync(
        {
          'attn_0.npy': npy({ data: [1], dims: [1, 1] }),
          'attn_1.npy': npy({ data: [1], dims: [1, 1] }),
        },
        { level: 0 },
      ),
    ],
    change: (seed, random) => mutatedBytes(seed, random, ['.npy', 'PK\x01\x02', '<U2', '|O']),
    async read(bytes) {
      const { arrays, unnamed } = await readNpz(bytes.slice().buffer, 10_000);
      for (const array of unnamed ? [unnamed] : Object.values(arrays)) requireWhole(array);
    },
    says: /^(its archive is damaged: |its array “|it has |\w+ is |\w+ has |\w+ should be )/,
  },
  'the kind of a file': {
    seeds: [bytesOf('<!doctype html>'), npy({ data: [1], dims: [1] })],
    change: (seed, random) => mutatedBytes(seed, random, ['PK', '{', '[', '\x93NUMPY', '\n']),
    read: (bytes, { integer }) =>
      kindOf(asFile(bytes, ['x', 'x.npy', '.json', 'x.NPZ', 'x.pt'][integer(0, 4)])),
    says: /^never/,
  },
  'names in an index of shards': {
    seeds: ['model-00001-of-00002.safetensors', 'b/c', 'b'],
    change: (seed, random) =>
      text(
        mutatedBytes(bytesOf(seed), random, [
          ...['\\', '/', '//', '..', '.', '%2e', '%2F', '%5c', ':', '@', '?', '#', ';', ' ', '\t'],
          ...[
            '\n',
            '\r',
            '\0',
            'http:',
            'https://models.test',
            'file:',
            '[',
            '%',
            '\u3002',
            '\uff0f',
          ],
        ]),
      ),
    read: askFor,
    says: /is not in the folder|Invalid URL/,
  },
  'config.json of models': {
    heavy: 10,
    seeds: modelSources,
    change: ({ source, input }, random) => ({
      source: { ...source, config: mutatedValue(source.config, random) },
      input,
    }),
    read: ({ source, input }) =>
      tryModel(source, (model) => inputOf(input) && model.run(inputOf(input))),
    says: /./,
  },
  'tokenizer.json of models': {
    heavy: 10,
    seeds: textModels,
    change: (source, random) => ({ ...source, tokenizer: mutatedValue(source.tokenizer, random) }),
    read: (source) =>
      tryModel(source, (model) => {
        const { tokens, ids } = model.run('ab c abc!');
        if (!Array.isArray(tokens)) throw new Error('no tokens', { cause: 'a test' });
        model.tokenizer.decode(ids);
      }),
    says: /./,
  },
  'models of SentencePiece': {
    seeds: sentencePieces.cases.map(({ model }) => Uint8Array.from(Buffer.from(model, 'base64'))),
    change: (seed, random) =>
      random.chance(0.7)
        ? overwritten(seed, random)
        : mutatedBytes(seed, random, ['\n\u0003', '\u0080\u0001', '\u0012\u007f', '\u001a\u0001']),
    read(bytes) {
      const tokenizer = pieceTokenizer(bytes);
      tokenizer.decode(tokenizer.encode('the e\u0301 \ufb01rst <sep> 中 ab').ids);
    },
    says: /./,
  },
  'weights of models': {
    heavy: 10,
    seeds: modelSources.slice(0, 12).map(({ source, input }) => ({
      source: { ...source, weights: writeSafetensors(source.weights) },
      input,
    })),
    change: ({ source, input }, random) => ({
      source: { ...source, weights: mutatedBytes(source.weights, random, jsonWords) },
      input,
    }),
    read: ({ source, input }) => tryModel(source, (model) => model.run(inputOf(input))),
    says: /./,
  },
};

/** Size in bytes of the memory shared by all models. */
export const moduleMemory = () => api.memoryBytes();
