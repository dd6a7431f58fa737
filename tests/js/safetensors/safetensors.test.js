// attention-wasm/safetensors: files follow the format byte by byte, every rule of the format
// is enforced, written files can be read, and of a large file only requested tensors are read.

import assert from 'node:assert/strict';
import { openAsBlob, readFileSync } from 'node:fs';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

import fc from 'fast-check';

import {
  openSafetensors,
  parseSafetensors,
  toFloat32,
  writeSafetensors,
} from 'attention-wasm/safetensors';

const SEED = 2017;

/** A file from a header (text or bytes) and a number of data bytes. */
function fileOf(header, data = 0, headerLength) {
  const text = Buffer.from(header);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(headerLength ?? text.length));
  const bytes = typeof data === 'number' ? Buffer.alloc(data) : Buffer.from(data);
  return Buffer.concat([length, text, bytes]);
}

const one = (info, data) => fileOf(`{"a":${info}}`, data);
const info = (dtype, shape, begin, end) =>
  `{"dtype":"${dtype}","shape":${JSON.stringify(shape)},"data_offsets":[${begin},${end}]}`;
const bytesOf = ({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);
const aligned = (file) => new Uint8Array(file); // at offset 0 of a buffer of its own

// dtype, type, typed array, dims of a small tensor, bytes of it, bytes per element of the array
const DTYPES = [
  ['U64', 'uint64', BigUint64Array, [3], 24],
  ['I64', 'int64', BigInt64Array, [3], 24],
  ['F64', 'float64', Float64Array, [1, 3], 24],
  ['C64', 'complex64', Float32Array, [3], 24],
  ['F32', 'float32', Float32Array, [2, 3], 24],
  ['U32', 'uint32', Uint32Array, [5], 20],
  ['I32', 'int32', Int32Array, [5], 20],
  ['BF16', 'bfloat16', Uint16Array, [5], 10],
  ['F16', 'float16', Uint16Array, [5], 10],
  ['U16', 'uint16', Uint16Array, [5], 10],
  ['I16', 'int16', Int16Array, [5], 10],
  ['F8_E5M2FNUZ', 'float8_e5m2fnuz', Uint8Array, [3], 3],
  ['F8_E4M3FNUZ', 'float8_e4m3fnuz', Uint8Array, [3], 3],
  ['F8_E8M0', 'float8_e8m0', Uint8Array, [3], 3],
  ['F8_E4M3', 'float8_e4m3', Uint8Array, [3], 3],
  ['F8_E5M2', 'float8_e5m2', Uint8Array, [3], 3],
  ['I8', 'int8', Int8Array, [3], 3],
  ['U8', 'uint8', Uint8Array, [3], 3],
  ['F6_E3M2', 'float6_e3m2', Uint8Array, [4], 3],
  ['F6_E2M3', 'float6_e2m3', Uint8Array, [2, 2], 3],
  ['F4', 'float4', Uint8Array, [6], 3],
  ['BOOL', 'bool', Uint8Array, [3], 3],
];

describe('a file byte by byte', () => {
  const header =
    '{"__metadata__":{"format":"pt"},' +
    '"é":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},' +
    '"half":{"dtype":"F16","shape":[1,2],"data_offsets":[8,12]},' +
    '"i":{"dtype":"I8","shape":[],"data_offsets":[12,13]}}  ';
  const data = [0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 0x00, 0x3c, 0x00, 0xc0, 0xff];
  const file = fileOf(header, data);
  const tensors = {
    i: { data: Int8Array.of(-1), dims: [] },
    half: { data: Uint16Array.of(0x3c00, 0xc000), dims: [1, 2], type: 'float16' },
    é: { data: Float32Array.of(1, -2), dims: [2] },
  };

  it('is read', () => {
    const { tensors: found, metadata } = parseSafetensors(aligned(file));
    assert.deepEqual(found.get('é'), { ...tensors.é, type: 'float32' });
    assert.deepEqual(found.get('half'), tensors.half);
    assert.deepEqual(found.get('i'), { ...tensors.i, type: 'int8' });
    assert.deepEqual([...found.keys()], ['é', 'half', 'i']);
    assert.deepEqual(metadata, new Map([['format', 'pt']]));
  });

  it('is written', () => {
    assert.equal(header.length % 8, 7); // é takes two bytes
    assert.deepEqual(
      Buffer.from(writeSafetensors(tensors, { metadata: { format: 'pt' } })).toString('latin1'),
      file.toString('latin1'),
    );
  });

  it('may have no tensors', () => {
    assert.deepEqual(parseSafetensors(fileOf('{}')), { tensors: new Map(), metadata: new Map() });
    assert.deepEqual(Buffer.from(writeSafetensors({})), fileOf('{}      '));
  });

  it('has every dtype of the format, sorted by decreasing element size and name', () => {
    const names = ['\u{1f600}', 'b', 'a', '\uff01', '10', '9']; // the last in UTF-16, not in UTF-8
    const shuffled = [];
    for (const name of names) {
      for (const [dtype, type, List, dims, length] of [...DTYPES].reverse()) {
        const bytes = Uint8Array.from({ length }, (_, i) => (i * 37 + name.length) % 256);
        shuffled.push([`${dtype} ${name}`, { data: new List(bytes.buffer), dims, type }]);
      }
    }
    const file = writeSafetensors(new Map(shuffled));
    const { tensors: found } = parseSafetensors(file);
    assert.deepEqual(found, new Map(shuffled));
    assert.deepEqual(
      [...found.keys()],
      DTYPES.flatMap(([dtype]) =>
        ['10', '9', 'a', 'b', '\uff01', '\u{1f600}'].map((name) => `${dtype} ${name}`),
      ),
    );
    for (const [name, { data }] of found) {
      assert.equal(data.buffer, file.buffer, `${name} is aligned, hence a view`);
    }
  });

  it('has equal bytes for equal tensors and metadata in any order', () => {
    const metadata = { b: '1', a: '2', 9: '3', 10: '4' };
    const backwards = (object) => new Map(Object.entries(object).reverse());
    assert.deepEqual(
      writeSafetensors(tensors, { metadata }),
      writeSafetensors(backwards(tensors), { metadata: backwards(metadata) }),
    );
  });
});

describe('the largest shapes', () => {
  it('are counted up to 2^53 - 1', () => {
    const sentence = (shape) => {
      try {
        return parseSafetensors(one(info('U8', shape, 0, 1), 1));
      } catch ({ message }) {
        return message;
      }
    };
    assert.match(sentence([2 ** 53 - 1]), / takes 9007199254740991 bytes, but its data_offsets/);
    assert.match(sentence([2 ** 26, 2 ** 27]), / has more than 2\^53 elements$/);
    assert.match(sentence([2 ** 52, 2, 0]), / has more than 2\^53 elements$/);
    assert.match(sentence([0, 2 ** 52, 2]), / takes 0 bytes, but its data_offsets/);
    const later = fileOf(`{"a":${info('U8', [2], 0, 2)},"b":${info('U8', [2], 2, 5)}}`, 5);
    assert.throws(
      () => parseSafetensors(later),
      /'b', \[2\] of U8, takes 2 bytes, but its data_offsets \[2, 5\] span 3$/,
    );
  });
});

describe('reading a file in memory', () => {
  const file = fileOf(`{"a":${info('F32', [2], 0, 8)},"b":${info('U8', [1], 8, 9)}}`, 9);

  it('gives views of aligned bytes', () => {
    const header = `{"a":${info('F32', [2], 0, 8)}}`;
    const bytes = aligned(fileOf(header.padEnd(Math.ceil(header.length / 8) * 8), 8));
    const { data } = parseSafetensors(bytes).tensors.get('a');
    assert.equal(data.buffer, bytes.buffer);
    data[1] = 1;
    assert.deepEqual([...bytes.slice(-2)], [0x80, 0x3f]);
  });

  it('gives the same tensors at any offset, of any kind of view and of shared memory', () => {
    const expected = parseSafetensors(aligned(file));
    for (let offset = 0; offset < 9; ++offset) {
      const bytes = new Uint8Array(offset + file.length + 3).fill(255);
      bytes.set(file, offset);
      const { buffer } = bytes;
      assert.deepEqual(parseSafetensors(bytes.subarray(offset, offset + file.length)), expected);
      assert.deepEqual(parseSafetensors(Buffer.from(buffer, offset, file.length)), expected);
      assert.deepEqual(parseSafetensors(new DataView(buffer, offset, file.length)), expected);
    }
    const shared = new SharedArrayBuffer(file.length);
    new Uint8Array(shared).set(file);
    assert.deepEqual(parseSafetensors(shared), expected);
    assert.deepEqual(parseSafetensors(aligned(file).buffer), expected);
  });

  it('accepts names such as __proto__', () => {
    const names = [
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      '',
      '0',
      'get',
      'size',
    ];
    const tensors = new Map(
      names.map((name, i) => [name, { data: Float32Array.of(i), dims: [1], type: 'float32' }]),
    );
    const metadata = new Map(names.map((name) => [name, `text of ${name}`]));
    assert.deepEqual(parseSafetensors(writeSafetensors(tensors, { metadata })), {
      tensors,
      metadata,
    });
    // Also as own properties of an object.
    const object = JSON.parse('{"__proto__":1}');
    Object.defineProperty(object, '__proto__', { value: tensors.get('') });
    const { tensors: found } = parseSafetensors(writeSafetensors(object));
    assert.deepEqual([...found.keys()], ['__proto__']);
    assert.equal({}.data, undefined);
  });

  it('accepts all JSON: any order, escapes, white space, other fields', () => {
    const odd =
      '{ "c":{"dtype":"U8","shape":[2],"data_offsets":[4,6]},"b" :\n' +
      '{"data_offsets":[4,4],"dtype":"F32","shape":[0,7],"why":[{"x":-1.5e3},true,"}"]},' +
      '\t"\\u0061\\n\\"":{"shape":[],"data_offsets":[0,4],"dtype":"\\u00463\\u0032"},' +
      ' "__metadata__":null}\r\n ';
    const { tensors, metadata } = parseSafetensors(aligned(fileOf(odd, 6)));
    assert.deepEqual([...tensors.keys()], ['a\n"', 'b', 'c']);
    assert.deepEqual(tensors.get('b').dims, [0, 7]);
    assert.equal(tensors.get('b').data.length, 0);
    assert.equal(metadata.size, 0);
  });
});

// Each breaks exactly one rule. `says`: a pattern of its message.
const broken = [
  { name: 'no bytes at all', file: Buffer.alloc(0), says: 'it has 0 bytes, and the length' },
  { name: 'too short for a length', file: Buffer.alloc(7), says: 'it has 7 bytes' },
  {
    name: 'bytes that are no UTF-8',
    file: fileOf([0x7b, 0x22, 0xff, 0x22, 0x7d]),
    says: 'header is not UTF-8',
  },
  {
    name: 'nesting without end',
    file: fileOf(`{"a":${'['.repeat(1e5)}`),
    says: 'instead of less than 127 levels',
  },
  ...JSON.parse(
    readFileSync(new URL('../../vectors/broken_safetensors.json', import.meta.url)),
  ).map(({ header, data, headerLength, ...one }) => ({
    ...one,
    file: fileOf(header, data, headerLength),
  })),
];

describe('a broken file is refused:', () => {
  for (const { name, file, says } of broken) {
    const expected = (error) => {
      assert.equal(error.constructor, RangeError, error.stack);
      assert.match(error.message, /^not a valid safetensors file: /);
      assert.match(error.message, RegExp(says));
      return true;
    };
    it(name, async () => {
      assert.throws(() => parseSafetensors(file), expected);
      await assert.rejects(openSafetensors(new Blob([file])), expected);
    });
  }

  it('with messages of limited length', () => {
    const long = JSON.stringify('x'.repeat(1e6));
    for (const text of [
      `{${long}:${long}}`,
      `{${long}:{"dtype":${long}}}`,
      `{"a" ${long}}`,
      `{${long}:1.${'1'.repeat(1e6)}}`,
    ]) {
      assert.throws(
        () => parseSafetensors(fileOf(text)),
        ({ message }) => message.length < 1000,
      );
    }
  });
});

describe('any tensors', () => {
  const anyTensor = fc
    .record({
      dtype: fc.constantFrom(...DTYPES),
      dims: fc.array(fc.nat(4), { maxLength: 3 }),
      fill: fc.nat(255),
    })
    .map(({ dtype: [, type, List], dims, fill }) => {
      const bits = { float4: 4, float6_e2m3: 6, float6_e3m2: 6 }[type];
      const sizes = bits ? [...dims, 4] : dims;
      const count = sizes.reduce((product, dim) => product * dim, 1);
      const length = bits ? (count * bits) / 8 : count * (type === 'complex64' ? 2 : 1);
      const data = new List(length);
      new Uint8Array(data.buffer).forEach((_, i, bytes) => (bytes[i] = fill + 13 * i));
      return { data, dims: sizes, type };
    });
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom('__proto__', 'a\\"\n\0', '7'),
  );
  const anyFile = fc.record({
    tensors: fc
      .array(fc.tuple(anyText, anyTensor), { maxLength: 6 })
      .map((entries) => new Map(entries.filter(([name]) => name !== '__metadata__'))),
    metadata: fc.array(fc.tuple(anyText, anyText), { maxLength: 3 }).map((list) => new Map(list)),
  });
  const bits = ({ tensors, metadata }) => [
    new Map([...tensors].map(([name, tensor]) => [name, { ...tensor, data: bytesOf(tensor) }])),
    metadata,
  ];
  const always = (property, numRuns) => fc.assert(property, { seed: SEED, numRuns });

  it('are read as they were written, and written as they were read', async () => {
    await always(
      fc.asyncProperty(anyFile, fc.nat(8), async (file, offset) => {
        const bytes = writeSafetensors(file.tensors, { metadata: file.metadata });
        const moved = new Uint8Array(offset + bytes.length);
        moved.set(bytes, offset);
        const found = parseSafetensors(moved.subarray(offset));
        assert.deepEqual(bits(found), bits(file));
        assert.deepEqual(writeSafetensors(found.tensors, { metadata: found.metadata }), bytes);
        const opened = await openSafetensors(new Blob([bytes]));
        const { metadata } = opened;
        assert.deepEqual(bits({ tensors: await opened.readMany(), metadata }), bits(file));
      }),
      200,
    );
  });

  it('random bytes and random JSON are refused with a message', () => {
    const refused = (file) =>
      assert.throws(
        () => parseSafetensors(file),
        ({ message }) => /^not a valid safetensors file: /.test(message),
      );
    always(fc.property(fc.uint8Array({ maxLength: 64 }), refused), 200);
    const hasEntries = (json) => Object.keys(json).some((key) => key !== '__metadata__');
    const headers = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })).filter(hasEntries);
    always(
      fc.property(headers, (json) => refused(fileOf(JSON.stringify(json)))),
      200,
    );
  });

  it('JSON is read as JSON.parse reads it', () => {
    // In the metadata, which may hold any text.
    const check = (texts, space) => {
      const header = JSON.stringify({ __metadata__: Object.fromEntries(texts) }, null, space);
      const { metadata } = parseSafetensors(fileOf(header));
      assert.deepEqual(metadata, new Map(Object.entries(JSON.parse(header).__metadata__)));
    };
    const texts = fc.array(fc.tuple(anyText, anyText), { maxLength: 5 });
    always(fc.property(texts, fc.constantFrom('', '\t', '\r\n', '  '), check), 200);
  });
});

describe('arguments', () => {
  const tensor = { data: new Float32Array(4), dims: [2, 2] };
  const detached = new ArrayBuffer(16);
  const view = new Float32Array(detached);
  structuredClone(detached, { transfer: [detached] });

  it('of parseSafetensors: bytes', () => {
    for (const bytes of [undefined, null, 'text', 8, {}, [1], new Blob([])]) {
      assert.throws(() => parseSafetensors(bytes), {
        name: 'TypeError',
        message: /^bytes must be an ArrayBuffer or a view of one .*, found /,
      });
    }
    for (const bytes of [detached, view]) {
      assert.throws(() => parseSafetensors(bytes), { name: 'TypeError', message: /was detached/ });
    }
  });

  const wrongWrites = {
    'tensors must be an object or a Map, found null': [null],
    'tensors must be an object or a Map, found an array': [[tensor]],
    'tensors must be an object or a Map, found a Float32Array': [tensor.data],
    'a name in tensors must be a string, found 1': [new Map([[1, tensor]])],
    "tensor 'a' must be { data, dims, type? }, found a Float32Array": [{ a: tensor.data }],
    "tensor 'a' must be { data, dims, type? }, found undefined": [{ a: undefined }],
    "tensor 'a' has scales, for which the format has no field: write them as tensor 'a.scales'": [
      { a: { data: new Int8Array(4), dims: [4], scales: new Float32Array(1) } },
    ],
    "the data of tensor 'a' must be a typed array, found an array": [
      { a: { ...tensor, data: [] } },
    ],
    "the data of tensor 'a' belongs to an ArrayBuffer that was detached": [
      { a: { data: view, dims: [4] } },
    ],
    "the data of tensor 'a' of type 'float16' must be a Uint16Array, found Float32Array": [
      { a: { ...tensor, type: 'float16' } },
    ],
    "the data of tensor 'a' of type 'bool' must be a Uint8Array, found Int8Array": [
      { a: { data: new Int8Array(1), dims: [1], type: 'bool' } },
    ],
    "the type of tensor 'a' must be one of BOOLS; found 7": [{ a: { ...tensor, type: 7 } }],
    "the dims of tensor 'a' must be an array, found a Float32Array": [
      { a: { ...tensor, dims: new Float32Array(2) } },
    ],
    "dims[1] of tensor 'a' must be a whole number, found '2'": [
      { a: { ...tensor, dims: [2, '2'] } },
    ],
    "metadata 'k' must be a string, found 1": [{ a: tensor }, { metadata: { k: 1 } }],
    "metadata must be an object or a Map, found 'pt'": [{ a: tensor }, { metadata: 'pt' }],
    "writeSafetensors() has no option 'meta'; it has metadata": [{ a: tensor }, { meta: {} }],
  };
  const wrongNumbers = {
    "the type of tensor 'a' must be one of BOOLS; found 'string'": [
      { a: { ...tensor, type: 'string' } },
    ],
    "dims[0] of tensor 'a' must be a whole number, found -2": [
      { a: { ...tensor, dims: [-2, -2] } },
    ],
    "dims[0] of tensor 'a' must be a whole number, found 0.5": [
      { a: { ...tensor, dims: [0.5, 8] } },
    ],
    "the dims [9007199254740991, 2, 0] of tensor 'a' have more than 2^53 elements": [
      { a: { data: new Float32Array(0), dims: [2 ** 53 - 1, 2, 0] } },
    ],
    "tensor 'a' of type 'float32' and dims [2, 3] must have 6 numbers in its data, found 4": [
      { a: { ...tensor, dims: [2, 3] } },
    ],
    "tensor 'a' of type 'complex64' and dims [2, 2] must have 8 numbers in its data, found 4": [
      { a: { ...tensor, type: 'complex64' } },
    ],
    "tensor 'a' of type 'float4' and dims [3] must have 1.5 numbers in its data, found 2": [
      { a: { data: new Uint8Array(2), dims: [3], type: 'float4' } },
    ],
    "the tensor name '__metadata__' is reserved by the format": [{ __metadata__: tensor }],
    "the name '\\ud800' in tensors has a lone surrogate": [{ '\ud800': tensor }],
    "the name '\\udc00' in metadata has a lone surrogate": [{}, { metadata: { '\udc00': '' } }],
    "metadata 'k' has a lone surrogate": [{}, { metadata: { k: 'a\ud800b' } }],
  };
  const types = DTYPES.map(([, type]) => type).reverse();
  for (const [wrongs, name] of [
    [wrongWrites, 'TypeError'],
    [wrongNumbers, 'RangeError'],
  ]) {
    for (const [sentence, call] of Object.entries(wrongs)) {
      it(`of writeSafetensors: ${sentence}`, () => {
        const message = sentence.replace('BOOLS', types.join(', '));
        assert.throws(() => writeSafetensors(...call), { name, message });
      });
    }
  }

  it('of writeSafetensors: arrays by their own numbers, whatever a page added to their classes', () => {
    class Longer extends Float32Array {
      get byteLength() {
        return 400;
      }
    }
    const want = writeSafetensors({ a: { data: Float32Array.of(7), dims: [1] } });
    assert.deepEqual(writeSafetensors({ a: { data: Longer.of(7), dims: [1] } }), want);
    Array.prototype.toJSON = () => 'none';
    try {
      assert.deepEqual(writeSafetensors({ a: { data: Float32Array.of(7), dims: [1] } }), want);
    } finally {
      delete Array.prototype.toJSON;
    }
  });

  it('of writeSafetensors: a header above the limit', () => {
    const long = 'x'.repeat(100_000_000);
    const rest = '{"__metadata__":{"long":""}}'.length;
    const longest = writeSafetensors({}, { metadata: { long: long.slice(rest) } });
    assert.equal(longest.length, 8 + 100_000_000);
    assert.throws(() => writeSafetensors({}, { metadata: { long } }), {
      name: 'RangeError',
      message: /a header of 100000032 bytes; readers accept 100000000/,
    });
  });

  it('of writeSafetensors: every typed array has a default type', () => {
    const arrays = DTYPES.filter(([dtype]) => /^[FIU](8|16|32|64)$/.test(dtype) && dtype !== 'F16');
    for (const [dtype, type, List] of [...arrays, ['U8', 'uint8', Uint8ClampedArray]]) {
      const data = List.of(...(type.includes('int64') ? [1n, 2n] : [1, 2]));
      const file = writeSafetensors({ [dtype]: { data, dims: [2] } });
      const found = parseSafetensors(file).tensors.get(dtype);
      assert.deepEqual([found.type, ...found.data], [type, ...data]);
    }
    const Float16Array = globalThis.Float16Array;
    if (Float16Array) {
      const file = writeSafetensors({ a: { data: Float16Array.of(1), dims: [1] } });
      assert.deepEqual(parseSafetensors(file).tensors.get('a').data, Uint16Array.of(0x3c00));
    }
  });

  it('of writeSafetensors: tensors of other libraries, with getters on a prototype', () => {
    class Tensor {
      #data = BigInt64Array.of(-1n);
      get data() {
        return this.#data;
      }
      get dims() {
        return [1];
      }
      get type() {
        return 'int64';
      }
    }
    const file = writeSafetensors({ a: new Tensor() }, { metadata: null });
    assert.deepEqual(parseSafetensors(file).tensors.get('a').data, BigInt64Array.of(-1n));
  });

  it('of openSafetensors: a Blob without arrayBuffer(), as jsdom has it', async () => {
    const bytes = writeSafetensors({ a: { data: Float32Array.of(7), dims: [1] } });
    const blobOf = (part) => ({
      part,
      size: part.length,
      slice: (begin, end) => blobOf(part.slice(begin, end)),
    });
    globalThis.FileReader = class {
      readAsArrayBuffer({ part }) {
        this.result = part.buffer;
        setImmediate(() => this.onload());
      }
    };
    try {
      const { read } = await openSafetensors(blobOf(bytes));
      assert.deepEqual((await read('a')).data, Float32Array.of(7));
    } finally {
      delete globalThis.FileReader;
    }
  });

  it('of openSafetensors: a File, a Blob or a FileHandle', async () => {
    const nothing = () => {};
    const objects = [{ size: 4 }, { slice: nothing }, { size: 0.5, slice: nothing }];
    const handles = [{ read: nothing }, { stat: nothing }, nothing];
    const others = [undefined, null, 'path', new Uint8Array(16), new ArrayBuffer(16), {}];
    for (const source of [...objects, ...handles, ...others]) {
      await assert.rejects(openSafetensors(source), {
        name: 'TypeError',
        message: /^source must be a File, a Blob or a FileHandle .*, found /,
      });
    }
  });
});

/** A Blob-like object that counts the bytes read. */
class CountingBlob {
  reads = [];
  constructor(bytes) {
    this.bytes = bytes;
  }
  get size() {
    return this.bytes.length;
  }
  slice(begin, end) {
    return {
      arrayBuffer: async () => {
        this.reads.push([begin, end]);
        return this.bytes.slice(begin, end).buffer;
      },
    };
  }
}

describe('opening a file', () => {
  const tensors = {
    a: { data: Float32Array.of(1, 2, 3, 4), dims: [2, 2], type: 'float32' },
    b: { data: Uint16Array.of(5, 6), dims: [2], type: 'bfloat16' },
    c: { data: Int8Array.of(7), dims: [1], type: 'int8' },
    none: { data: new Int8Array(0), dims: [0], type: 'int8' },
  };
  const bytes = writeSafetensors(tensors, { metadata: { format: 'pt' } });
  const start = bytes.length - 21;

  it('reads the header, and then requested ranges', async () => {
    const blob = new CountingBlob(bytes);
    const file = await openSafetensors(blob);
    assert.deepEqual(blob.reads.splice(0), [
      [0, 8],
      [8, start],
    ]);
    assert.deepEqual(file.names, ['a', 'b', 'c', 'none']);
    assert.deepEqual(file.metadata, new Map([['format', 'pt']]));
    assert.deepEqual(file.describe('b'), {
      dtype: 'BF16',
      type: 'bfloat16',
      dims: [2],
      byteOffset: start + 16,
      byteLength: 4,
    });
    assert.deepEqual(blob.reads, []);

    assert.deepEqual(await file.read('b'), tensors.b);
    assert.deepEqual(blob.reads.splice(0), [[start + 16, start + 20]]);

    assert.deepEqual(
      await file.readMany(['c', 'a', 'c']),
      new Map([
        ['c', tensors.c],
        ['a', tensors.a],
      ]),
    );
    assert.deepEqual(blob.reads.splice(0), [
      [start + 20, start + 21],
      [start, start + 16],
    ]);
    assert.deepEqual(await file.readMany(), new Map(Object.entries(tensors)));
  });

  it('gives tensors that own their memory', async () => {
    const file = await openSafetensors(new CountingBlob(bytes));
    const [first, second] = [await file.read('a'), await file.read('a')];
    assert.equal(first.data.buffer.byteLength, 16);
    first.data.fill(0);
    first.dims.push(1);
    assert.deepEqual(second, tensors.a);
    assert.deepEqual(await file.read('a'), tensors.a);
  });

  it('refuses unknown names', async () => {
    const blob = new CountingBlob(bytes);
    const file = await openSafetensors(blob);
    blob.reads = [];
    const message = "the file has no tensor 'd'; it has 'a', 'b', 'c', 'none'";
    assert.throws(() => file.describe('d'), { name: 'RangeError', message });
    await assert.rejects(file.read('d'), { name: 'RangeError', message });
    await assert.rejects(file.readMany(['a', 'd']), { name: 'RangeError', message });
    await assert.rejects(file.read('toString'), RangeError);
    await assert.rejects(file.read(0), { name: 'TypeError', message: /must be a string, found 0/ });
    await assert.rejects(file.readMany('a'), { name: 'TypeError', message: /found 'a'/ });
    await assert.rejects(file.readMany(null), { name: 'TypeError', message: /found null/ });
    assert.deepEqual(blob.reads, []);
    const empty = await openSafetensors(new CountingBlob(writeSafetensors({})));
    await assert.rejects(empty.read('a'), { message: /; it has none at all$/ });
    const seven = Object.fromEntries(Array.from('abcdefg', (name) => [name, tensors.c]));
    const large = await openSafetensors(new CountingBlob(writeSafetensors(seven)));
    await assert.rejects(large.read('x'), { message: /'e' and 2 more$/ });
  });

  it('reports a truncated file', async () => {
    const blob = new CountingBlob(bytes);
    const file = await openSafetensors(blob);
    blob.bytes = bytes.slice(0, start + 10);
    await assert.rejects(file.read('a'), {
      name: 'RangeError',
      message: RegExp(`reading bytes ${start} to ${start + 16} of the file returned 10 bytes`),
    });
  });

  it("passes the source's own errors through", async () => {
    const broken = {
      size: 100,
      slice: () => ({ arrayBuffer: () => Promise.reject(new Error('disk')) }),
    };
    await assert.rejects(openSafetensors(broken), { message: 'disk' });
  });
});

describe('a file of 1 GB', () => {
  const length = 2 ** 30;
  const count = length / 4;
  let folder;
  let path;
  let last;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'safetensors-'));
    path = join(folder, 'large.safetensors');
    const header = `{"huge":${info('F32', [count], 0, length)},"last":${info('F32', [3], length, length + 12)}}`;
    await writeFile(path, fileOf(header));
    const handle = await open(path, 'r+');
    last = 8 + header.length + length;
    await handle.write(new Uint8Array(Float32Array.of(1, 2, 3).buffer), 0, 12, last); // a hole before
    await handle.close();
  });
  after(() => rm(folder, { recursive: true }));

  async function readsLittle(source) {
    const memory = () => process.memoryUsage().arrayBuffers;
    const start = memory();
    const file = await openSafetensors(source);
    assert.deepEqual(file.names, ['huge', 'last']);
    assert.deepEqual(file.describe('huge').dims, [count]);
    const { data } = await file.read('last');
    assert.deepEqual(data, Float32Array.of(1, 2, 3));
    assert.ok(memory() - start < 2 ** 20, `${memory() - start} bytes more`);
  }

  it('is read by range through a FileHandle, which stays open', async () => {
    const handle = await open(path);
    try {
      const ranges = [];
      await readsLittle({
        stat: () => handle.stat(),
        read: (buffer, offset, length, position) => {
          ranges.push([position, length]);
          return handle.read(buffer, offset, length, position);
        },
      });
      assert.deepEqual(ranges, [
        [0, 8],
        [8, last - length - 8],
        [last, 12],
      ]);
      await readsLittle(handle);
      assert.equal((await handle.stat()).size, last + 12);
    } finally {
      await handle.close();
    }
  });

  it('is read by range through a Blob of the file', async () => {
    await readsLittle(await openAsBlob(path));
  });

  it('is read in blocks that Node.js accepts', async () => {
    const size = length + 5;
    const header = fileOf(`{"a":${info('I8', [size], 0, size)}}`);
    const asked = [];
    const handle = {
      stat: async () => ({ size: header.length + size }),
      async read(into, offset, count, position) {
        const inHeader = header.subarray(position, position + count);
        into.set(inHeader, offset);
        if (inHeader.length > 0) return { bytesRead: inHeader.length };
        asked.push([offset, count, position - header.length]);
        return { bytesRead: Math.min(count, 2 ** 29) };
      },
    };
    const { data } = await (await openSafetensors(handle)).read('a');
    assert.equal(data.length, size);
    assert.deepEqual(asked, [
      [0, length, 0],
      [2 ** 29, 2 ** 29 + 5, 2 ** 29],
      [length, 5, length],
    ]);
  });

  it('is read completely if a handle returns fewer bytes than requested', async () => {
    const bytes = Buffer.from(writeSafetensors({ a: { data: Int8Array.of(1, 2, 3), dims: [3] } }));
    const handle = {
      stat: async () => ({ size: bytes.length }),
      read: async (buffer, offset, length, position) => ({
        bytesRead: bytes.copy(buffer, offset, position, position + Math.min(length, 2)),
      }),
    };
    const file = await openSafetensors(handle);
    assert.deepEqual((await file.read('a')).data, Int8Array.of(1, 2, 3));
    handle.read = async () => ({ bytesRead: 0 });
    await assert.rejects(file.read('a'), { name: 'RangeError', message: /returned 0 bytes/ });
    handle.read = async () => 2; // another runtime's file
    await assert.rejects(file.read('a'), { name: 'RangeError', message: /returned 0 bytes/ });
  });
});

describe('toFloat32()', () => {
  const known = {
    float16: [
      ...[
        [0x0001, 2 ** -24],
        [0x03ff, 1023 * 2 ** -24],
        [0x0400, 2 ** -14],
        [0x8400, -(2 ** -14)],
      ],
      ...[
        [0x3bff, 1 - 2 ** -11],
        [0x3c00, 1],
        [0x3c01, 1 + 2 ** -10],
        [0x7bff, 65504],
      ],
      ...[
        [0xfbff, -65504],
        [0x7c00, Infinity],
        [0xfc00, -Infinity],
        [0x7c01, NaN],
        [0x8000, -0],
      ],
    ],
    bfloat16: [
      ...[
        [0x3f80, 1],
        [0xc049, -3.140625],
        [0x0080, 2 ** -126],
        [0x0001, 2 ** -133],
      ],
      ...[
        [0xff80, -Infinity],
        [0x7fc0, NaN],
      ],
    ],
  };
  for (const [type, pairs] of Object.entries(known)) {
    it(`has the values of ${type} at every border of the format`, () => {
      const got = toFloat32({ data: Uint16Array.from(pairs, ([bits]) => bits), type });
      pairs.forEach(([bits, x], n) => assert.ok(Object.is(got[n], x), `${bits}: ${got[n]}`));
    });
  }

  it('reads every type whose elements are numbers, and rejects the others', () => {
    for (const [, type, List] of DTYPES) {
      const tensor = { data: new List(2), type };
      if (/^(float[468]_|float4|complex)/.test(type)) {
        assert.throws(() => toFloat32(tensor), { name: 'RangeError', message: RegExp(type) });
      } else {
        assert.deepEqual(toFloat32(tensor), new Float32Array(2), type);
      }
    }
    assert.deepEqual(toFloat32({ data: BigInt64Array.of(-3n, 2n ** 40n) })[1], 2 ** 40);
    assert.throws(() => toFloat32([1, 2]), { name: 'TypeError' });
  });

  it('returns float32 numbers as they are', () => {
    const data = Float32Array.of(1, 2);
    assert.equal(toFloat32({ data }), data);
  });
});
