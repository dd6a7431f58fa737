// Parsers of the reader's files, without a page: bytes in, numbers or a message out.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { loadAttention } from 'attention-wasm';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { readCSV } from '../../../web/demo/worker/sources/files/csv_file.js';
import { readJSON } from '../../../web/demo/worker/sources/files/json_file.js';
import { readNpy } from '../../../web/demo/worker/sources/files/npy_file.js';
import { openProjections } from '../../../web/demo/worker/sources/files/projection_file.js';
import { readFileAs } from '../../../web/demo/worker/sources/files/file_reading.js';
import { readWords, whyNotSameDim } from '../../../web/demo/worker/sources/files/word_reading.js';
import { roleOf } from '../../../web/demo/worker/sources/files/own_arrays.js';
import { npy } from '../../support/js/numpy_file.js';

const bufferOf = (bytes) => bytes.slice().buffer;
const fileOf = (name, content) => new File([content], name);

const ramp = (dims, at = (index) => index - 3) => ({
  data: Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, index) => at(index)),
  dims,
});

describe('.npy files', () => {
  const dimsOf = [[7], [3, 4], [2, 3, 4], [2, 1, 3, 2]];
  for (const descr of ['<f2', '<f4', '<f8', '|i1', '<i2', '<i4', '<i8']) {
    it(`of ${descr} are read in both orders and all versions`, () => {
      for (const dims of dimsOf) {
        const array = ramp(dims);
        for (const fortran of [false, true]) {
          for (const version of [1, 2, 3]) {
            const read = readNpy(bufferOf(npy(array, { descr, fortran, version })));
            assert.deepEqual(read, array, `${dims}, fortran ${fortran}, version ${version}`);
          }
        }
      }
    });
  }

  it('of f2 have subnormal, negative and NaN numbers', () => {
    const data = Float32Array.from([0, 2 ** -24, -(2 ** -14), 65504, -0.333251953125]);
    assert.deepEqual(readNpy(bufferOf(npy({ data, dims: [5] }, { descr: '<f2' }))).data, data);
    const bytes = npy({ data: [0, 0], dims: [2] }, { descr: '<f2' });
    bytes.set([0, 0x7c, 0, 0xfe], bytes.length - 4);
    assert.deepEqual([...readNpy(bufferOf(bytes)).data], [Infinity, NaN]);
  });

  it('are read as NumPy wrote them, if NumPy is installed', (t) => {
    const script =
      'import sys, numpy; numpy.save(sys.stdout.buffer, ' +
      "numpy.asfortranarray((numpy.arange(24) / 8 - 1).reshape(2, 3, 4).astype('f2')))";
    const { status, stdout } = spawnSync('python3', ['-c', script]);
    if (status !== 0) {
      t.diagnostic('note: no NumPy here');
      return;
    }
    const { data, dims } = readNpy(bufferOf(new Uint8Array(stdout)));
    assert.deepEqual(dims, [2, 3, 4]);
    assert.deepEqual([...data], [...ramp([24], (index) => index / 8 - 1).data]);
  });

  it('that cannot be read are refused with a sentence', () => {
    const good = npy(ramp([3, 4]));
    const withHeader = (text) => {
      const bytes = good.slice();
      bytes.set(Buffer.from(text.padEnd(117)), 10);
      return bytes;
    };
    const shape = "'fortran_order': False, 'shape': (3, 4), }";
    for (const [bytes, pattern] of [
      [good.subarray(0, 100), /cut off: it should have 128 bytes and has 100/],
      [good.subarray(0, good.length - 5), /cut off: it should have 176 bytes and has 171/],
      [Uint8Array.of(...good, 1, 2), /3 × 4 numbers, 176 bytes in all, and it has 178/],
      [npy(ramp([3, 4]), { version: 4 }), /version 4; versions 1 to 3/],
      [npy(ramp([3, 4]), { descr: '|O' }), /Python objects/],
      [npy(ramp([3, 4]), { descr: '>f4' }), /order of >f4; use astype\('<f4'\)/],
      [npy(ramp([3, 4]), { descr: '<c8' }), /type <c8; f2, f4, f8, i1, i2, i4, i8 are read/],
      [withHeader(`{'descr': [('x', '<f4')], ${shape}`), /fields/],
      [withHeader('{}'), /header is not one of NumPy’s/],
      [Buffer.from('<!doctype html><title>Log in'), /does not begin as a \.npy/],
    ]) {
      assert.throws(() => readNpy(bufferOf(new Uint8Array(bytes))), { message: pattern });
    }
  });
});

describe('CSV files', () => {
  it('are read with and without labels, with commas, semicolons and tabs', () => {
    const data = Float32Array.from([0.5, 0.5, 1, 0]);
    const plain = { data, dims: [2, 2], rows: null, columns: null };
    const labeled = { ...plain, rows: ['to, "be"', '2'], columns: ['to, "be"', '2'] };
    assert.deepEqual(readCSV('0.5,0.5\n1,0\n'), plain);
    assert.deepEqual(readCSV('\uFEFF0.5;0.5\r\n1;0'), plain);
    assert.deepEqual(readCSV('0.5\t5e-1\n1\t0\n\n'), plain);
    assert.deepEqual(readCSV(',"to, ""be""",2\r\n"to, ""be""",0.5,0.5\r\n2,1,0\r\n'), labeled);
    assert.deepEqual(readCSV('a,b\n0.5,0.5\n1,0\n'), { ...plain, columns: ['a', 'b'] });
    assert.deepEqual(readCSV('a,0.5,0.5\nb,1,0\n'), { ...plain, rows: ['a', 'b'] });
    assert.deepEqual([...readCSV('NaN,-inf\n1,Infinity\n').data], [NaN, -Infinity, 1, Infinity]);
  });

  it('that are invalid are refused with the position of the error', () => {
    for (const [text, pattern] of [
      ['', /empty/],
      [',a,b\n', /labels and no numbers/],
      ['1,2\n3\n', /line 2 has 1 numbers, where the first has 2/],
      ['1,2\n3,x\n', /row 2, column 2 is “x”, no number/],
      ['1,2\n3,\n', /row 2, column 2 is “”, no number/],
      ['1,"2\n3,4\n', /quotation mark is never closed/],
    ]) {
      assert.throws(() => readCSV(text), { message: pattern }, text);
    }
  });
});

describe('JSON files', () => {
  const list = [
    [0.25, 0.75],
    [1, 0],
  ];
  const array = { data: Float32Array.from(list.flat()), dims: [2, 2] };

  it('have arrays as lists of lists or with dims, by their usual names', () => {
    assert.deepEqual(readJSON(JSON.stringify(list)), { list: array });
    for (const name of ['weights', 'attention', 'attn']) {
      const { arrays, rows, columns } = readJSON(
        JSON.stringify({ [name]: list, tokens: ['a', 'b'] }),
      );
      assert.deepEqual([arrays, rows, columns], [{ weights: array }, ['a', 'b'], ['a', 'b']]);
    }
    const given = { dims: [2, 2], data: list.flat() };
    const { arrays } = readJSON(
      JSON.stringify({ q: given, K: 1, k: list, v: list, weights: list }),
    );
    assert.deepEqual(arrays, { query: array, key: array, value: array });
    assert.deepEqual(readJSON('{"num_attention_heads": 12, "hidden_size": 768}'), { heads: 12 });
  });

  it('that are invalid are refused with the position of the error', () => {
    for (const [text, pattern] of [
      ['{"weights": [[1, 2], [3]]}', /weights\[1\] has 1 entries, where the first has 2/],
      ['{"weights": [[1, 2], [3, "x"]]}', /weights\[1\]\[1\] is "x", no number/],
      ['{"weights": [[1, 2], [3, null]]}', /weights\[1\]\[1\] is null, no number/],
      ['{"weights": {"dims": [2, 2], "data": [1, 2, 3]}}', /3 numbers and dims 2 × 2/],
      ['{"weights": {"dims": [2], "data": [1, null]}}', /number 2 of weights is null/],
      ['{"weights": "many"}', /weights should be a list of lists, or have dims and data/],
      ['{"weights": [[1,\n NaN]]}', /line 2 has NaN/],
      ['[[1, -Infinity]]', /line 1 has -Infinity/],
      ['{"a": 1, "b": 2}', /no query, key and value and no weights; it has a, b/],
      ['{"weights": [[1, 2]', /it is not JSON/],
      ['7', /it is 7, and should be an object or a list/],
    ]) {
      assert.throws(() => readJSON(text), { message: pattern }, text);
    }
  });
});

describe('projections', () => {
  const [dim, width] = [4, 6];
  const of = (rows, columns, seed) => ramp([rows, columns], (at) => Math.sin(seed + at * at) / 2);
  const matrices = [1, 2, 3].map((seed) => of(dim, width, seed));
  const biases = [4, 5, 6].map((seed) => ramp([width], (at) => Math.cos(seed + at)));
  const transpose = ({ data, dims: [rows, columns] }) => ({
    data: ramp([columns, rows], (at) => data[(at % rows) * columns + Math.floor(at / rows)]).data,
    dims: [columns, rows],
  });
  const linear = matrices.map(transpose);
  const stacked = (list, dims) => ({
    data: Float32Array.from(list.flatMap(({ data }) => [...data])),
    dims,
  });
  const inProjection = stacked(linear, [3 * width, dim]);
  const inBias = stacked(biases, [3 * width]);
  const named = (names, tensors) =>
    Object.fromEntries(names.map((name, at) => [name, tensors[at]]));
  const both = (names, tensors, ending = '.weight') => ({
    ...named(
      names.map((name) => name + ending),
      tensors,
    ),
    ...named(
      names.map((name) => `${name}.bias`),
      biases,
    ),
  });
  const namings = {
    'as papers have them': {
      ...named(['W_Q', 'W_K', 'W_V'], matrices),
      ...named(['b_Q', 'b_K', 'b_V'], biases),
    },
    'q_proj.weight': both(['q_proj', 'k_proj', 'v_proj'], linear),
    'BERT’s query.weight': both(
      ['query', 'key', 'value'].map((name) => `bert.encoder.layer.0.attention.self.${name}`),
      linear,
    ),
    'DeBERTa’s query_proj': both(['query_proj', 'key_proj', 'value_proj'], linear),
    'DistilBERT’s q_lin': both(['a.q_lin', 'a.k_lin', 'a.v_lin'], linear),
    'T5’s q.weight': both(['SelfAttention.q', 'SelfAttention.k', 'SelfAttention.v'], linear),
    'Diffusers’ to_q': both(['attn.to_q', 'attn.to_k', 'attn.to_v'], linear),
    'Llama’s wq': both(
      ['layers.0.attention.wq', 'layers.0.attention.wk', 'layers.0.attention.wv'],
      linear,
    ),
    'Flax’s kernel': both(['self/query', 'self/key', 'self/value'], matrices, '.kernel'),
    'nn.MultiheadAttention': {
      'layers.0.self_attn.in_proj_weight': inProjection,
      'layers.0.self_attn.in_proj_bias': inBias,
    },
    'nn.MultiheadAttention of several widths': {
      ...named(['q_proj_weight', 'k_proj_weight', 'v_proj_weight'], linear),
      in_proj_bias: inBias,
    },
    'GPT-2’s c_attn': {
      'h.0.attn.c_attn.weight': transpose(inProjection),
      'h.0.attn.c_attn.bias': inBias,
    },
    'nanoGPT’s c_attn': {
      'transformer.h.0.attn.c_attn.weight': inProjection,
      'transformer.h.0.attn.c_attn.bias': inBias,
    },
    'ViT’s qkv': { 'blocks.0.attn.qkv.weight': inProjection, 'blocks.0.attn.qkv.bias': inBias },
  };
  const x = ramp([5, dim], (at) => Math.sin(at));

  for (const [naming, tensors] of Object.entries(namings)) {
    it(`${naming} give the same q, k and v`, async () => {
      const { MultiHeadAttention } = await loadAttention();
      const more = { ...tensors, 'h.0.attn.other': of(2, 2, 9), 'ln.weight': biases[0] };
      const file = fileOf('model.safetensors', writeSafetensors(more));
      const { dim: found, widths, layers } = await openProjections(file);
      assert.deepEqual([found, widths, layers.length], [dim, [width, width, width], 1]);
      const [query, key, value] = matrices;
      const [queryBias, keyBias, valueBias] = biases;
      const plain = { query, key, value, queryBias, keyBias, valueBias };
      const [truth, read] = [plain, layers[0].weightsFor(2)].map((weights) =>
        MultiHeadAttention.fromWeights(weights, { heads: 2 }).project(x),
      );
      for (const role of ['query', 'key', 'value']) {
        assert.deepEqual(read[role].data, truth[role].data, role);
      }
    });
  }

  it('of several layers keep their names and their order', async () => {
    const layers = Object.fromEntries(
      [0, 1, 2].map((at) => [`h.${at}.attn.c_attn.weight`, ramp([4, 12], (index) => index + at)]),
    );
    const read = await openProjections(fileOf('gpt.safetensors', writeSafetensors(layers)));
    assert.deepEqual(
      read.layers.map(({ name, weightsFor }) => [name, weightsFor(1).query.data[0]]),
      [
        ['h.0.attn', 0],
        ['h.1.attn', 1],
        ['h.2.attn', 2],
      ],
    );
  });

  it('that cannot be read are refused with a sentence', async () => {
    const good = named(['W_Q', 'W_K', 'W_V'], matrices);
    const half = (bits) => ({
      data: new Uint16Array(24).fill(bits),
      dims: [4, 6],
      type: 'float16',
    });
    const brain = (bits) => ({ ...half(bits), type: 'bfloat16' });
    for (const [tensors, pattern] of [
      [{ W_Q: good.W_Q, W_V: good.W_V }, /no W_K;.*has W_Q, W_V/],
      [{ embedding: good.W_Q }, /no projections by a name that is known.*it has embedding/],
      [{ ...good, W_Q: half(0x7e00) }, /number 1 of W_Q is NaN/],
      [{ ...good, W_K: brain(0xff80) }, /number 1 of W_K is -Infinity/],
      [{ ...good, W_K: of(4, 5, 1) }, /W_Q is 4 × 6 and W_K is 4 × 5.*or the first a multiple/],
      [{ ...good, W_K: of(4, 12, 1) }, /W_Q is 4 × 6 and W_K is 4 × 12/],
      [{ ...good, W_V: of(5, 6, 1) }, /W_V is 5 × 6 and W_Q is 4 × 6/],
      [{ ...good, W_V: ramp([24]) }, /W_V has dims 24, and should have 2/],
    ]) {
      const file = fileOf('bad.safetensors', writeSafetensors(tensors));
      await assert.rejects(openProjections(file), { message: pattern });
    }
    assert.deepEqual(
      (await openProjections(fileOf('h', writeSafetensors({ ...good, W_Q: half(1) })))).widths,
      [6, 6, 6],
    );
  });

  it('share key heads among query heads', async () => {
    const { MultiHeadAttention } = await loadAttention();
    const [query, key, value] = [of(dim, 12, 1), of(dim, 6, 2), of(dim, 4, 3)];
    const tensors = both(['q_proj', 'k_proj', 'v_proj'], [query, key, value].map(transpose));
    const bias = (size) => ramp([size], (at) => Math.cos(at));
    Object.assign(tensors, {
      'q_proj.bias': bias(12),
      'k_proj.bias': bias(6),
      'v_proj.bias': bias(4),
    });
    const file = fileOf('llama.safetensors', writeSafetensors(tensors));
    const projections = await openProjections(file);
    assert.deepEqual(projections.widths, [12, 6, 4]);
    const given = new Map(
      ['a', 'b', 'c'].map((word, at) => [word, x.data.slice(at * dim, (at + 1) * dim)]),
    );
    const vectors = { dim, fileName: 'v', vector: (word) => given.get(word) };
    const api = await loadAttention();
    const context = { api, step() {} };
    const request = { mode: 'self', first: 'a b c', heads: 4 };
    const roles = { vectors, projections: { ...projections, fileName: 'llama' } };
    const { parts, note } = await readWords(request, roles, context);
    assert.match(note, /Of 2 heads of queries each group shares one of keys and values\./);
    const truth = MultiHeadAttention.fromWeights(
      { query, key, value, queryBias: bias(12), keyBias: bias(6), valueBias: bias(4) },
      { heads: 4, kvHeads: 2 },
    ).project({ data: x.data.slice(0, 3 * dim), dims: [3, dim] });
    assert.deepEqual(parts[0].key.dims, [4, 3, 3]);
    for (const role of ['query', 'key', 'value']) {
      const { data, dims } = parts[0][role];
      const size = dims[1] * dims[2];
      for (let head = 0; head < 4; ++head) {
        const from = role === 'query' ? head : Math.floor(head / 2);
        const own = truth[role].data.slice(from * size, (from + 1) * size);
        assert.deepEqual(data.slice(head * size, (head + 1) * size), own, `${role} ${head}`);
      }
    }
    // The file has two key heads: the setting of one head is ignored.
    const one = await readWords({ ...request, heads: 1 }, roles, context);
    assert.deepEqual([one.parts[0].heads, one.parts[0].key.dims[0]], [2, 2]);
    assert.match(one.note, /so there are 2\./);
    const three = { ...roles, configuration: { heads: 3, fileName: 'config.json' } };
    assert.match(whyNotSameDim(three), /^2 heads of queries share one of keys, which 3 cannot/);
    assert.equal(
      whyNotSameDim({ ...roles, configuration: { heads: 6 } }),
      '4 numbers cannot be shared by 3 heads: choose a divisor of 4',
    );
  });

  it('of BLOOM have each head’s q, k and v together', async () => {
    const square = [1, 2, 3].map((seed) => of(6, 6, seed));
    const squareBiases = [4, 5, 6].map((seed) => ramp([6], (at) => Math.cos(seed + at)));
    // Rows: q, k and v of head 0, then those of head 1, as in modeling_bloom.py.
    const [heads, headDim] = [2, 3];
    const rows = [];
    const bias = [];
    for (let head = 0; head < heads; ++head) {
      for (const role of [0, 1, 2]) {
        for (let at = head * headDim; at < (head + 1) * headDim; ++at) {
          for (let input = 0; input < 6; ++input) rows.push(square[role].data[input * 6 + at]);
          bias.push(squareBiases[role].data[at]);
        }
      }
    }
    const prefix = 'h.0.self_attention.query_key_value';
    const bloom = {
      [`${prefix}.weight`]: { data: Float32Array.from(rows), dims: [18, 6] },
      [`${prefix}.bias`]: { data: Float32Array.from(bias), dims: [18] },
    };
    const file = fileOf('bloom.safetensors', writeSafetensors(bloom));
    const { layers, widths, mixed } = await openProjections(file);
    assert.deepEqual([widths, mixed, layers[0].name], [[6, 6, 6], true, 'h.0.self_attention']);
    const read = layers[0].weightsFor(heads);
    for (const [at, role] of ['query', 'key', 'value'].entries()) {
      assert.deepEqual(read[role].data, square[at].data, role);
      assert.deepEqual(read[`${role}Bias`].data, squareBiases[at].data, role);
    }
    const { says } = await readFileAs('safetensors', file);
    assert.match(says, /W_Q, W_K 6 × 6, W_V 6 × 6, out of one query_key_value/);
  });
});

describe('the roles of arrays', () => {
  it('come from the file name; rows that sum to 1 are weights', () => {
    const any = ramp([2, 3]);
    for (const [name, role] of Object.entries({
      'q.npy': 'query',
      'layer0_Q.npy': 'query',
      'attn-key.csv': 'key',
      'my values.npy': 'value',
      'attention.csv': 'weights',
      'attn_weights.npy': 'weights',
    })) {
      assert.equal(roleOf(name, any), role, name);
    }
    const sums = { data: Float32Array.from([0.5, 0.5, 0.1, 0.9]), dims: [2, 2] };
    assert.equal(roleOf('bert.npy', sums), 'weights');
    assert.throws(() => roleOf('bert.npy', any), { message: /does not say what it is/ });
    assert.throws(() => roleOf('query_key.npy', any), { message: /does not say what it is/ });
    assert.throws(() => roleOf('attention-masked.csv', any), { message: /its name says scores/ });
  });
});

describe('files of unknown formats', () => {
  it('is recognized by its bytes', async () => {
    const { open } = await import('../../../web/demo/worker/sources/files/open_files.js');
    const context = { step: async () => {}, report() {} };
    for (const [name, content, pattern] of [
      ['weights.csv', '<!DOCTYPE html>\n<html><title>Log in', /as CSV: it is a web page/],
      ['q.npy', '\n <html>', /as \.npy: it is a web page/],
      ['model.safetensors', 'version https://git-lfs.github.com/spec/v1\n', /pointer of Git LFS/],
      ['arrays.npz', Uint8Array.of(0x50, 0x4b, 3, 4), /archive of arrays.*drop the \.npy files/],
      ['pytorch_model.bin', Uint8Array.of(0x50, 0x4b, 3, 4), /pickle of PyTorch/],
      ['words.zip', Uint8Array.of(0x50, 0x4b, 3, 4), /zip archive/],
      ['words.txt', gzipSync('tea 1 2'), /packed with gzip/],
    ]) {
      await assert.rejects(open(fileOf(name, content), context), (error) => {
        assert.match(error.message, pattern);
        assert.ok(error.message.startsWith(`“${name}” cannot be read`), error.message);
        return true;
      });
    }
  });
});
