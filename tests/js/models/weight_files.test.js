// Weights of loadModel() in files: the ranges of bytes that are read, the memory that they are read into, and files that are
// no weights.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { explainBitDifference } from '../../support/js/compare.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { seededWeights } from '../../support/js/seeded_weights.js';

const { config, ...rest } = cases.gpt2;
const stored = [...seededWeights(rest)];
const isUsed = ([name]) => !/\.attn\.(masked_)?bias$/.test(name);

/** A file of float32 tensors, [name, tensor], in this order. pad: spaces after its header. */
function fileOf(entries, pad = 0) {
  let end = 0;
  const header = entries.map(([name, { data, dims }]) => {
    const begin = end;
    end += data.byteLength;
    return [name, { dtype: 'F32', shape: dims, data_offsets: [begin, end] }];
  });
  const text = Buffer.from(JSON.stringify(Object.fromEntries(header)) + ' '.repeat(pad));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  const tensors = entries.map(
    ([, { data }]) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
  );
  return Buffer.concat([length, text, ...tensors]);
}

const file = fileOf(stored);
const dataOf = (bytes) => 8 + Number(bytes.readBigUInt64LE());

/** A FileHandle of a file; `asked` are the ranges of its data that were read: { begin, end, memory }. */
function handleOf(bytes) {
  const asked = [];
  return {
    asked,
    stat: async () => ({ size: bytes.length }),
    async read(into, offset, length, position) {
      const begin = position - dataOf(bytes);
      if (begin >= 0) asked.push({ begin, end: begin + length, memory: into.buffer });
      into.set(bytes.subarray(position, position + length), offset);
      return { bytesRead: length };
    },
  };
}

async function logitsOf(weights, options) {
  const model = await loadModel({ config, weights }, options);
  try {
    return model.run({ ids: [1, 2, 3] }).logits;
  } finally {
    model.delete();
  }
}

let expected;
before(async () => {
  expected = await logitsOf(new Map(stored));
});
const assertLoads = async (weights, options) =>
  assert.equal(explainBitDifference(await logitsOf(weights, options), expected), '');

describe('weights in a file', () => {
  it('are read once, adjacent tensors together, in any order', async () => {
    for (const [order, entries, most] of [
      ['that of the model', stored, 5],
      ['reversed', stored.toReversed(), 5],
      ['by size', stored.toSorted(([, a], [, b]) => a.data.length - b.data.length), 15],
    ]) {
      const handle = handleOf(fileOf(entries));
      await assertLoads(handle);
      const asked = handle.asked.toSorted((a, b) => a.begin - b.begin);
      assert.ok(asked.length <= most, `${order}: ${asked.length} reads`);
      asked.slice(1).forEach(({ begin }, n) => assert.ok(begin >= asked[n].end, order));
      const sizes = entries.filter(isUsed).map(([, { data }]) => data.byteLength);
      const sum = (numbers) => numbers.reduce((total, number) => total + number);
      assert.equal(sum(asked.map(({ begin, end }) => end - begin)), sum(sizes), order);
    }
  });

  it('may begin at any byte', async () => {
    for (let pad = 0; pad < 8; pad++) await assertLoads(handleOf(fileOf(stored, pad)));
  });

  it('are read into the memory of earlier layers', async () => {
    const layers = 8;
    const ofLayer = (n) =>
      stored
        .filter(([name]) => name.includes('.h.0.'))
        .map(([name, tensor]) => [name.replace('.h.0.', `.h.${n}.`), tensor]);
    const others = stored.filter(([name]) => !/\.h\.\d/.test(name));
    const deep = [...others, ...Array.from({ length: layers }, (_, n) => ofLayer(n)).flat()];
    const handle = handleOf(fileOf(deep));
    const model = await loadModel({ config: { ...config, n_layer: layers }, weights: handle });
    model.delete();
    const size = Math.max(...handle.asked.map(({ begin, end }) => end - begin));
    const largest = handle.asked.filter(({ begin, end }) => end - begin === size);
    assert.equal(largest.length, layers);
    // The first layer shows how much is needed.
    assert.equal(new Set(largest.map(({ memory }) => memory)).size, 2);
  });

  it('are read in blocks of at most 32 MiB', async () => {
    const [width, inner] = [1024, 4096];
    const resized = stored
      .filter(([name]) => !name.includes('.h.1.') && isUsed([name]))
      .map(([name, { dims }]) => {
        const wide = { 8: width, 24: 3 * width, 32: inner };
        const sizes = dims.map((dim) => wide[dim] ?? dim);
        const count = sizes.reduce((product, dim) => product * dim);
        return [name, { dims: sizes, data: new Float32Array(count) }];
      });
    const handle = handleOf(fileOf(resized));
    const wide = { ...config, n_layer: 1, n_embd: width, n_inner: inner };
    (await loadModel({ config: wide, weights: handle })).delete();
    const sizes = handle.asked.map(({ begin, end }) => end - begin);
    assert.ok(Math.max(...sizes) <= 2 ** 25, `${sizes}`);
    assert.ok(Math.max(...sizes) > 2 ** 24, `${sizes}`);
  });

  it('count once for progress, up to all bytes', async () => {
    const told = [];
    await assertLoads(handleOf(file), { onProgress: (progress) => told.push(progress) });
    const total = file.length - dataOf(file);
    told.forEach((progress, n) => {
      assert.deepEqual([progress.total, progress.file], [total, 'weights']);
      assert.ok(progress.loaded > (told[n - 1]?.loaded ?? 0));
    });
    assert.equal(told.at(-1).loaded, total);
  });

  it('are not read after the caller stops', async () => {
    const reads = async (stopAt) => {
      const stop = new AbortController();
      const handle = handleOf(file);
      const { read } = handle;
      let count = 0;
      handle.read = (...given) => {
        if (++count === stopAt) stop.abort(new Error('enough'));
        return read(...given);
      };
      const loading = logitsOf(handle, { signal: stop.signal });
      if (stopAt === undefined) await loading;
      else await assert.rejects(loading, /^Error: enough$/);
      return count;
    };
    const all = await reads();
    assert.ok(all > 5);
    // The header takes two reads.
    for (let stopAt = 2; stopAt <= all; stopAt++) assert.equal(await reads(stopAt), stopAt);
  });

  it('are streamed into memory that is there already', async () => {
    const blob = new Blob([file]);
    const kinds = {
      bytes: (part) => part.stream(),
      chunks: (part) => ReadableStream.from(part.stream()), // without a reader of its own memory
    };
    for (const [kind, streamOf] of Object.entries(kinds)) {
      /** A Blob whose ranges have streams of `extra` more bytes than asked for. */
      const streamed = (extra, used = []) => ({
        size: blob.size,
        slice: (begin, end) => ({
          arrayBuffer() {
            used.push('arrayBuffer');
            return blob.slice(begin, end).arrayBuffer();
          },
          async stream() {
            used.push('stream');
            return streamOf(blob.slice(begin, end + extra));
          },
        }),
      });
      const used = [];
      await assertLoads(streamed(0, used));
      assert.deepEqual(new Set(used), new Set(['arrayBuffer', 'stream']), kind);
      await assert.rejects(
        logitsOf(streamed(-3)),
        /^RangeError: a file returned \d+ bytes, expected \d+$/,
      );
      await assert.rejects(
        logitsOf(streamed(3)),
        /^RangeError: the stream has more bytes than expected$/,
      );
    }
  });
});

describe('files that are not weights', () => {
  /** Loading is refused with this message; the ranges that were read. */
  async function refused(content, message) {
    const asked = [];
    const blob = new Blob([content]);
    const slice = (begin, end) => {
      asked.push([begin, end]);
      return blob.slice(begin, end);
    };
    const weights = { name: 'w', size: blob.size, slice };
    await assert.rejects(loadModel({ config, weights }), message);
    return asked;
  }

  it('are recognized by their first 64 bytes, the only ones read', async () => {
    for (const [content, message] of [
      [
        '<!DOCTYPE html><title>Not found</title>',
        /^RangeError: w is an HTML page, not safetensors$/,
      ],
      ['\ufeff<!doctype html>', /w is an HTML page/],
      ['  \n<html>', /^RangeError: w is an HTML page, not safetensors$/],
      ['<?xml version="1.0"?>', /w is an HTML page/],
      ['version https://git-lfs.github.com/spec/v1', /w is a Git LFS pointer/],
      ['PK\u0003\u0004 and so on', /w is a PyTorch pickle/],
      [Uint8Array.of(0x80, 2, 0x8a, 10, 0x6c, 0xfc, 0x9c, 0x46, 0xf9), /w is a PyTorch pickle/],
      ['x<html>', /^RangeError: w: not a valid safetensors file: /],
      ['', /^RangeError: w: not a valid safetensors file: it has 0 bytes/],
      [`<html>${' '.repeat(200)}`, /w is an HTML page/],
      [`${' '.repeat(58)}<html>`, /w is an HTML page/],
      [`${' '.repeat(64)}<html>`, /not a valid safetensors file/],
    ]) {
      const ends = (await refused(content, message)).map(([, end]) => end);
      assert.ok(Math.max(...ends, 0) <= 64, `${message}: ${ends}`);
    }
  });
});
