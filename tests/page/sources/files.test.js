// Parsers of the reader's files, without a page: bytes in, numbers or a message out.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { readJSON } from '../../../web/demo/worker/sources/files/json_file.js';
import { readNpy } from '../../../web/demo/worker/sources/files/npy_file.js';
import {
  close,
  open,
  read as readFiles,
} from '../../../web/demo/worker/sources/files/open_files.js';
import { readSafetensorsArrays } from '../../../web/demo/worker/sources/files/safetensors_file.js';
import { roleOf } from '../../../web/demo/worker/sources/files/own_arrays.js';
import { npy } from '../../support/js/numpy_file.js';
import { pythonWith } from '../../support/js/python.js';

const interpreter = pythonWith('numpy');
const bufferOf = (bytes) => bytes.slice().buffer;
const fileOf = (name, content) => new File([content], name);

const ramp = (dims, at = (index) => index - 3) => ({
  data: Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, index) => at(index)),
  dims,
});

/** Bytes that a line of Python with all names of NumPy writes to `out`. */
function python(line) {
  const script = `import sys\nfrom numpy import *\nout = sys.stdout.buffer\n${line}`;
  const { status, stdout, stderr } = spawnSync(interpreter, ['-c', script]);
  assert.equal(status, 0, String(stderr));
  return new Uint8Array(stdout);
}

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

  it('are read as NumPy wrote them', () => {
    const bytes = python(
      "save(out, asfortranarray((arange(24) / 8 - 1).reshape(2, 3, 4).astype('f2')))",
    );
    const { data, dims } = readNpy(bufferOf(bytes));
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
      [Uint8Array.of(...good, 1, 2), /3 × 4 entries, 176 bytes in all, and it has 178/],
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

describe('.npz files', () => {
  const opened = async (line, name = 'a.npz') => {
    const answer = await open(fileOf(name, python(line)));
    const at = answer.files.at(-1).id;
    const read = (more) =>
      readFiles({ mode: 'self', first: '', second: '', heads: 1, example: 0, ...more });
    return { ...answer, read, close: () => close(at) };
  };
  const wordsOf = (labels) => labels.map(({ text }) => text);
  const weights = 'w = full((2, 3, 4, 4), 0.25); w[1, 2] = eye(4)';
  const names = "array(['thé', 'a cup', '🍵', ''])";

  for (const [how, save] of Object.entries({ stored: 'savez', deflated: 'savez_compressed' })) {
    it(`${how} have weights of layers and heads, and names`, async (t) => {
      const file = await opened(
        `${weights}; ${save}(out, weights=w.astype('f2'), tokens=${names})`,
      );
      t.after(file.close);
      assert.equal(file.text, 'a.npz: weights 2 × 3 × 4 × 4');
      const { rows, columns, parts } = await file.read();
      assert.deepEqual(wordsOf(rows), ['thé', 'a cup', '🍵', '']);
      assert.equal(columns, rows);
      assert.deepEqual(
        [...parts[1].weights.data.slice(32)],
        [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
      );
    });
  }

  it('may have a layer in each array, by number and not by name', async () => {
    for (const line of [
      "savez(out, **{f'layer.{n}.attn': full((1, 2, 2, 2), [float(n == 10), n != 10]) for n in range(11)})",
      'savez(out, *[full((2, 2, 2), [float(n == 10), n != 10]) for n in range(11)])',
    ]) {
      const file = await opened(line);
      assert.equal(file.text, 'a.npz: weights 11 × 2 × 2 × 2');
      const { parts } = await file.read();
      file.close();
      assert.deepEqual(
        parts.map(({ weights: { data } }) => data[0]),
        Array.from({ length: 11 }, (_, layer) => Number(layer === 10)),
      );
    }
  });

  it('may have the layers of q, k and v', async (t) => {
    const file = await opened(
      "savez(out, **{f'{what}_{n}': full((3, 4), 10 * n + at) for n in range(2) for at, what in enumerate('qkv')})",
    );
    t.after(file.close);
    const { parts } = await file.read({ heads: 2 });
    assert.deepEqual(
      parts.map(({ query, key, value }) => [query, key, value].map(({ data }) => data[0])),
      [
        [0, 1, 2],
        [10, 11, 12],
      ],
    );
    assert.deepEqual(parts[1].query.dims, [2, 3, 2]);
  });

  it('have batches, of which one example with its names is read', async (t) => {
    const file = await opened(
      "w = zeros((2, 3, 1, 2, 2)); w[..., 1] = 1; w[1, 2] = eye(2); savez(out, weights=w, tokens=array([['a', 'b'], ['c', 'd'], ['e', 'f']]))",
    );
    t.after(file.close);
    const { rows, parts, examples } = await file.read({ example: 2 });
    assert.equal(examples, 3);
    assert.deepEqual(wordsOf(rows), ['e', 'f']);
    assert.deepEqual(
      parts.map((part) => [...part.weights.data]),
      [
        [0, 1, 0, 1],
        [1, 0, 0, 1],
      ],
    );
    // An address may name more examples than the file has.
    assert.deepEqual(wordsOf((await file.read({ example: 7 })).rows), ['e', 'f']);
  });

  it('that cannot be read are refused with a sentence and its remedy', async () => {
    const two = 'w = eye(2)[None]';
    for (const [line, why] of [
      [
        `${two}; savez(out, weights=w, tokens=array(['a', 'b'], dtype=object))`,
        /its array “tokens”: it holds Python objects, .* save a plain array/,
      ],
      [`${two}; savez(out, weights=w, tokens=array(['a']))`, /tokens has 1 name for 2 rows/],
      [`${two}; savez(out, weights=w, tokens=array([['a', 'b']] * 2))`, /2 lists for 1 example/],
      [
        `${two}; savez(out, attn_0=w, attn_1=w[0])`,
        /attn_0 is 1 × 2 × 2 and attn_1 is 2 × 2: layers must be equal/,
      ],
      [`${two}; savez(out, self_attn=w, cross_attn=w)`, /both self_attn and cross_attn: leave one/],
      [
        `${two}; savez(out, w + 1)`,
        /its name does not say what it is, and its rows sum to 3\.00 … 3\.00, not to 1/,
      ],
      [`${two}; savez(out, w * nan)`, /and row 1 sums to NaN/],
      [
        `savez(out, attention_mask=ones((2, 2)), key_bias=ones(2))`,
        /it has attention_mask, key_bias/,
      ],
      [`savez(out, weights=array(['a']))`, /its array “weights”: it holds names, not numbers/],
      ['out.write(b"PK")', /its archive is damaged/],
    ]) {
      await assert.rejects(opened(line), { message: why }, line);
    }
    const whole = python('savez_compressed(out, weights=random.rand(2, 50, 50))');
    for (const end of [100, whole.length - 30]) {
      await assert.rejects(open(fileOf('cut.npz', whole.slice(0, end))), /its archive is damaged/);
    }
  });
});

describe('JSON files', () => {
  const list = [
    [0.25, 0.75],
    [1, 0],
  ];
  const array = { data: Float32Array.from(list.flat()), dims: [2, 2] };

  it('have arrays as lists of lists or with dims, by their usual names', async () => {
    assert.deepEqual(await readJSON(JSON.stringify(list)), { unnamed: array });
    for (const name of ['weights', 'attention', 'attn']) {
      const { arrays, labels } = await readJSON(
        JSON.stringify({ [name]: list, tokens: ['a', 'b'] }),
      );
      const tokens = { name: 'tokens', lists: [['a', 'b']] };
      assert.deepEqual([arrays, labels], [{ weights: array }, { rows: tokens, columns: tokens }]);
    }
    const given = { dims: [2, 2], data: list.flat() };
    const { arrays } = await readJSON(
      JSON.stringify({ q: given, K: 1, k: list, v: list, weights: list }),
    );
    assert.deepEqual(arrays, { query: array, key: array, value: array });
  });

  it('that are invalid are refused with the position of the error', async () => {
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
      [
        '{"from": "attention-wasm", "weights": [[1]], "texts": ["a", "a"], "tokens": {"rows": [], "columns": null, "x": {"rows": [[1]]}}}',
        /x should be a list of lists, or have dims and data/,
      ],
    ]) {
      await assert.rejects(readJSON(text), { message: pattern }, text);
    }
  });
});

describe('safetensors files', () => {
  const [query, key, value] = [ramp([2, 3]), ramp([4, 3]), ramp([4, 2])];
  const read = (tensors, options, maxNumbers = 100) =>
    readSafetensorsArrays(fileOf('a.safetensors', writeSafetensors(tensors, options)), maxNumbers);

  it('have arrays by the names of JSON, and words in the metadata', async () => {
    const metadata = { rows: 'my tea', columns: 'a cup of it' };
    const other = ramp([200]);
    const { arrays, labels } = await read({ q: query, k: key, v: value, other }, { metadata });
    assert.deepEqual(arrays, { query, key, value });
    assert.deepEqual(labels, {
      rows: { name: 'rows', lists: [['my', 'tea']] },
      columns: { name: 'columns', lists: [['a', 'cup', 'of', 'it']] },
    });
    const tokens = { name: 'tokens', lists: [['a', 'b']] };
    assert.deepEqual(await read({ attention: query }, { metadata: { tokens: 'a b' } }), {
      ...{ arrays: { weights: query }, labels: { rows: tokens, columns: tokens } },
    });
  });

  it('have numbers of any type', async () => {
    const half = { data: Uint16Array.of(0x3c00, 0xb800), dims: [1, 2], type: 'float16' };
    const brain = { data: Uint16Array.of(0x3f80, 0xbf00), dims: [1, 2], type: 'bfloat16' };
    const whole = { data: Int8Array.of(1, -2), dims: [1, 2] };
    const { arrays } = await read({ query: half, key: brain, value: whole });
    assert.deepEqual([...arrays.query.data], [1, -0.5]);
    assert.deepEqual([...arrays.key.data], [1, -0.5]);
    assert.deepEqual([...arrays.value.data], [1, -2]);
  });

  it('that cannot be read are refused with a sentence', async () => {
    const pairs = { data: Float32Array.of(1, 2), dims: [1, 1], type: 'complex64' };
    for (const [tensors, message] of [
      [{ W_Q: query, b: key }, 'it has no query, key and value and no weights; it has W_Q, b'],
      [{ weights: pairs }, 'weights is of complex64, and should be of real numbers'],
      [{ weights: ramp([4, 30]) }, 'weights has dims 4 × 30: more numbers than a picture needs'],
    ]) {
      await assert.rejects(read(tensors), { message });
    }
    const cut = writeSafetensors({ weights: query }).subarray(0, 40);
    await assert.rejects(open(fileOf('a.safetensors', cut)), {
      message: /^“a\.safetensors” cannot be read as safetensors: (?!not a valid)/,
    });
  });
});

describe('names in files', () => {
  const jsonOf = (value) => fileOf('labels.json', JSON.stringify(value));
  const tensorsOf = (tensors, metadata) =>
    fileOf('labels.safetensors', writeSafetensors(tensors, { metadata }));
  const weights = [0, 1, 2, 3].map((at) => [0, 1, 2, 3].map((one) => Number(one === at)));
  const wide = [[0.5, 0.25, 0.25]];
  const [q, k, v] = [ramp([4, 2]), ramp([3, 2]), ramp([3, 5])];
  const four = { weights: { data: Float32Array.from(weights.flat()), dims: [4, 4] } };
  // An export of this page, in which a label was deleted by hand.
  const label = (text, word) => ({ text, word });
  const saved = (rows, columns) => ({
    ...{ from: 'attention-wasm', weights, texts: ['a', 'a'] },
    tokens: { rows, columns, weights: null },
  });

  const refusals = {
    'rows in JSON': [jsonOf({ weights, rows: ['a', 'b', 'c'] }), 'rows has 3 names for 4 rows'],
    'columns in JSON': [
      jsonOf({ weights, column_labels: ['a', 'b', 'c', 'd', 'e'] }),
      'column_labels has 5 names for 4 columns',
    ],
    'tokens of one of two texts': [
      jsonOf({ weights: wide, tokens: ['a'] }),
      'tokens has 1 name for 3 columns',
    ],
    'a text in JSON': [jsonOf({ weights, left_text: 'a b c' }), 'left_text has 3 names for 4 rows'],
    'rows of a query': [
      tensorsOf({ q, k, v }, { rows: 'a b c', columns: 'a b c' }),
      'rows has 3 names for 4 rows',
    ],
    'columns of a key': [
      tensorsOf({ q, k, v }, { rows: 'a b c d', columns: 'a b' }),
      'columns has 2 names for 3 columns',
    ],
    'rows of a key alone': [tensorsOf({ k }, { rows: 'a b' }), 'rows has 2 names for 3 rows'],
    'rows in metadata': [tensorsOf(four, { rows: 'a b' }), 'rows has 2 names for 4 rows'],
    'columns in metadata': [tensorsOf(four, { columns: 'a' }), 'columns has 1 name for 4 columns'],
    'no names': [jsonOf({ weights, rows: [] }), 'rows has 0 names for 4 rows'],
    'a name that is none': [
      jsonOf({ weights, rows: ['a', null, 'c', 'd'] }),
      'rows[1] is null, and should be a name',
    ],
    'a number of names': [
      jsonOf({ weights, tokens: 4 }),
      'tokens should be a list of names, or a text of them',
    ],
    'names of a batch': [
      jsonOf({ weights, tokens: [['a', 'b', 'c', 'd'], ['a']] }),
      'tokens has 2 lists for 1 example',
    ],
    'rows of an export': [
      jsonOf(saved([label('a', 0), label('b', 1)], null)),
      'tokens.rows has 2 names for 4 rows',
    ],
    'columns of an export': [
      jsonOf(saved(['a', 'b', 'c', 'd'].map(label), ['a', 'b', 'c'].map(label))),
      'tokens.columns has 3 names for 4 columns',
    ],
  };
  for (const [what, [file, why]] of Object.entries(refusals)) {
    it(`of another number are refused: ${what}`, () =>
      assert.rejects(open(file), ({ message }) => {
        assert.ok(message.endsWith(`: ${why}`), message);
        return true;
      }));
  }

  it('may be ids, and those of rows may stay out of a shorter key', async (t) => {
    const { state } = await open(jsonOf({ weights, tokens: [101, 7, 8, 102] }));
    assert.equal(state.text, '101 7 8 102');
    const other = await open(tensorsOf({ q, k, v }, { rows: 'a b c d' }));
    t.after(() => close(other.files.at(-1).id));
    assert.deepEqual([other.state.text, other.state.context], ['a b c d', '1 2 3']);
  });
});

describe('the roles of arrays', () => {
  it('come from the file name; rows that sum to 1 are weights', () => {
    const any = ramp([2, 3]);
    for (const [name, role] of Object.entries({
      'q.npy': 'query',
      'layer0_Q.npy': 'query',
      'attn-key.npy': 'key',
      'my values.npy': 'value',
      'attention.npy': 'weights',
      'attn_weights.npy': 'weights',
    })) {
      assert.equal(roleOf(name, any), role, name);
    }
    const sums = { data: Float32Array.from([0.5, 0.5, 0.1, 0.9]), dims: [2, 2] };
    assert.equal(roleOf('bert.npy', sums), 'weights');
    assert.throws(() => roleOf('bert.npy', any), { message: /does not say what it is/ });
    assert.throws(() => roleOf('query_key.npy', any), { message: /does not say what it is/ });
    assert.throws(() => roleOf('attention-masked.npy', any), { message: /its name says scores/ });
  });
});

describe('files of other formats', () => {
  const known = 'JSON (.json), NumPy (.npy, .npz) and safetensors (.safetensors) are read';
  const refusals = {
    'weights.csv': ['0.5,0.5\n', `its format is .csv; ${known}`],
    'glove.txt': ['tea 1 0\n', `its format is .txt; ${known}`],
    README: ['tea', `its format is unknown; ${known}`],
    'none.txt': ['', `it is empty; ${known}`],
  };
  for (const [name, [content, why]] of Object.entries(refusals)) {
    it(`are refused with those that are read: ${name}`, () =>
      assert.rejects(open(fileOf(name, content)), {
        message: `“${name}” cannot be read: ${why}`,
      }));
  }

  it('are recognized by their bytes', async () => {
    for (const [name, content, pattern] of [
      ['weights.json', '<!DOCTYPE html>\n<html><title>Log in', / as JSON: it is a web page/],
      ['q.npy', '\n <html>', / as \.npy: it is a web page/],
      ['model.safetensors', 'version https://git-lfs.github.com/spec/v1\n', /pointer of Git LFS/],
      ['arrays.npz', Uint8Array.of(0x50, 0x4b, 3, 4), / as \.npz: its archive is damaged/],
      ['pytorch_model.bin', Uint8Array.of(0x50, 0x4b, 3, 4), /pickle of PyTorch/],
      ['words.zip', Uint8Array.of(0x50, 0x4b, 3, 4), /zip archive/],
      ['q.npy.gz', gzipSync('tea 1 2'), /packed with gzip/],
    ]) {
      await assert.rejects(open(fileOf(name, content)), (error) => {
        assert.match(error.message, pattern);
        assert.ok(error.message.startsWith(`“${name}” cannot be read`), error.message);
        return true;
      });
    }
  });
});
