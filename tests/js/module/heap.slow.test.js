// Memory: streaming is linear, calls leave nothing allocated, failed allocations are errors.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loadAttention } from 'attention-wasm';
import { wasmOfPages } from '../../support/js/limited_memory.js';

const MiB = 2 ** 20;
const tensor = (...dims) => ({
  data: Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, at) => Math.sin(at)),
  dims,
});

describe('memory', () => {
  for (const causal of [false, true]) {
    it(`stays below arguments + output + 4 MiB for 1×4096×64${causal ? ', causal' : ''}`, async (t) => {
      const { attention, memoryBytes } = await loadAttention({ kernels: 'simd' });
      const x = tensor(1, 4096, 64);
      const { output } = attention(x, x, x, { causal });
      const transported = 3 * x.data.byteLength + output.data.byteLength;
      t.diagnostic(
        `note: ${((memoryBytes() - transported) / MiB).toFixed(2)} MiB beyond arguments and output`,
      );
      assert.ok(memoryBytes() < transported + 4 * MiB);
    });
  }

  it('stays where it was after the first hundred of 20,000 calls of mixed shapes', async () => {
    const { attention, scores, softmax, memoryBytes } = await loadAttention({ kernels: 'simd' });
    const inputs = [1, 3, 8, 17, 40].flatMap((n) =>
      [1, 4, 12].map((d) => [tensor(1, n, d), tensor(2, n, 2 * d)]),
    );
    let after = 0;
    for (let call = 0; call < 20_000; call++) {
      const [x, y] = inputs[call % inputs.length];
      if (call % 7 === 0) softmax(scores(x, x));
      else if (call % 3 === 0) attention(y, y, y, { heads: 2, weights: true, keyLengths: [1, 1] });
      else attention(x, x, x, { causal: true });
      if (call % 1001 === 0) assert.throws(() => attention(x, y, y), RangeError);
      if (call === 100) after = memoryBytes();
    }
    assert.equal(memoryBytes(), after);
  });

  it('is an error if none is left, and the instance continues to work', async () => {
    const { attention, memoryBytes } = await loadAttention({
      kernels: 'simd',
      wasm: wasmOfPages(20),
    });
    const small = tensor(3, 4);
    const { output } = attention(small, small, small);
    const before = memoryBytes();
    const large = tensor(2000, 64);
    assert.throws(() => attention(large, large, large), {
      name: 'OutOfMemoryError',
      message: /^out of memory: could not allocate \d+ MiB for this call$/,
    });
    assert.equal(memoryBytes(), before);
    assert.deepEqual(attention(small, small, small).output, output);
  });

  it('can be used beyond 2 GiB', async () => {
    const { scores, memoryBytes } = await loadAttention({ kernels: 'simd' });
    const n = 23_500; // n² scores are 2.06 GiB
    const x = { data: new Float32Array(n), dims: [n, 1] };
    x.data.fill(3);
    const { data } = scores(x, x);
    assert.ok(memoryBytes() > 2 ** 31);
    assert.equal(data.length, n * n);
    assert.equal(data.at(-1), 9);
  });
});

describe('twelve layers in the shape of BERT base', () => {
  it('need, as int8 and with the module, less than 1.15 times the bytes of their weights', async (t) => {
    const { TransformerLayer, memoryBytes } = await loadAttention({ kernels: 'simd' });
    const [width, hidden] = [768, 3072];
    const vector = (n) => ({ data: new Float32Array(n), dims: [n] });
    const int8 = (rows, cols) => ({
      data: new Int8Array(rows * cols),
      dims: [rows, cols],
      scales: new Float32Array(rows),
    });
    const attention = ['query', 'key', 'value', 'output'].flatMap((name) => [
      [name, int8(width, width)],
      [`${name}Bias`, vector(width)],
    ]);
    const norms = ['selfNorm', 'selfNormBias', 'feedForwardNorm', 'feedForwardNormBias'];
    const rest = {
      ...Object.fromEntries(norms.map((name) => [name, vector(width)])),
      ...{ widen: int8(hidden, width), widenBias: vector(hidden) },
      ...{ narrow: int8(width, hidden), narrowBias: vector(width) },
    };
    const weights = { self: Object.fromEntries(attention), ...rest };
    const bytes = [...attention.map(([, tensor]) => tensor), ...Object.values(rest)]
      .map(({ data, scales }) => data.byteLength + (scales?.byteLength ?? 0))
      .reduce((a, b) => a + b);
    const layers = Array.from({ length: 12 }, () =>
      TransformerLayer.fromWeights(weights, { heads: 12, activation: 'gelu' }),
    );
    layers.reduce((x, layer) => layer.forward(x).output, tensor(128, width));
    const ratio = memoryBytes() / (12 * bytes);
    t.diagnostic(`note: ${ratio.toFixed(3)} times the bytes of the weights`);
    assert.ok(ratio < 1.15);
  });
});

// State dicts of layers that are 8 wide, and a sequence for them.
const x = tensor(5, 8);
const attentionState = (part) => ({
  [`${part}in_proj_weight`]: tensor(24, 8),
  [`${part}out_proj.weight`]: tensor(8, 8),
  [`${part}out_proj.bias`]: tensor(8),
});
const layerState = (norms) => ({
  ...attentionState('self_attn.'),
  ...(norms === 3 && attentionState('multihead_attn.')),
  'linear1.weight': tensor(16, 8),
  'linear2.weight': tensor(8, 16),
  ...Object.fromEntries(
    Array.from({ length: norms }, (_, n) => [`norm${n + 1}.weight`, tensor(8)]),
  ),
});

/** Creates, uses and deletes one object of each kind. */
function liveAndDie({ KeyValueCache, MultiHeadAttention, ...layers }, round) {
  const [encoderState, decoderState] = [layerState(2), layerState(3)];
  const free = round % 2 ? 'delete' : (Symbol.dispose ?? 'delete');
  const gone = [];
  const cache = new KeyValueCache({ keyDim: 4 + (round % 5), capacity: 10 + (round % 200) });
  const token = tensor(1, 4 + (round % 5));
  cache.append(token, token);
  cache.attend(token);
  gone.push(cache);

  const attention = MultiHeadAttention.fromTorch(attentionState(''), { heads: 2 });
  const context = attention.projectContext(x);
  attention.forward(x, context);
  gone.push(attention, context, attention.createCache({ capacity: 3 + (round % 70) }));

  const encoder = layers.TransformerEncoderLayer.fromTorch(encoderState, { heads: 2 });
  const decoder = layers.TransformerDecoderLayer.fromTorch(decoderState, { heads: 4 });
  const memory = decoder.projectMemory(encoder.forward(x).output);
  const steps = decoder.createCache({ capacity: 5, sliding: true });
  decoder.forward(x, memory, { causal: true, cache: steps });
  gone.push(encoder, decoder, memory, steps);

  // Failed constructors and calls leave nothing allocated.
  const refused = [
    () => MultiHeadAttention.fromTorch({ ...attentionState(''), in_proj_bias: x }, { heads: 2 }),
    () => layers.TransformerEncoderLayer.fromTorch(encoderState, { heads: 3 }),
    () => attention.projectContext(tensor(5, 7)),
    () => decoder.projectMemory(tensor(5, 7)),
    () => new KeyValueCache({ keyDim: 4, capacity: 0 }),
    () => attention.forward(x, undefined, { cache }),
  ];
  for (const call of refused) assert.throws(call, RangeError);
  // In any order.
  for (const object of round % 3 ? gone : gone.reverse()) object[free]();
  return gone.length;
}

describe('memory of layers and caches', () => {
  it('stays where it was after the first hundred of 10,000 created and deleted', async () => {
    for (const kernels of ['simd', 'reference']) {
      const api = await loadAttention({ kernels });
      let after = 0;
      let count = 0;
      for (let round = 0; count < 10_000; round++) {
        count += liveAndDie(api, round);
        if (after === 0 && count >= 100) after = api.memoryBytes();
      }
      assert.equal(api.memoryBytes(), after, `${kernels} kernels`);
    }
  });

  it('is reused at once for a cache of 512 MiB, repeatedly', async () => {
    const { KeyValueCache, memoryBytes } = await loadAttention({ kernels: 'simd' });
    const sizes = { keyDim: 64, valueDim: 64, capacity: 2 ** 20 };
    for (let round = 0; round < 20; round++) new KeyValueCache(sizes).delete();
    assert.ok(memoryBytes() < 600 * MiB, `${memoryBytes() / MiB} MiB`);
  });

  it('that cannot be allocated is an error; existing objects continue to work', async () => {
    const limits = { kernels: 'simd', wasm: wasmOfPages(20) };
    const { KeyValueCache, memoryBytes } = await loadAttention(limits);
    const cache = new KeyValueCache({ keyDim: 8, capacity: 10 });
    cache.append(x, x);
    const { output } = cache.attend(x);
    const before = memoryBytes();
    assert.throws(() => new KeyValueCache({ keyDim: 64, capacity: 2 ** 20 }), {
      name: 'OutOfMemoryError',
      message: /^out of memory: could not allocate 5\d\d MiB for this call$/,
    });
    const large = tensor(2, 8);
    large.data = new Float32Array(2 ** 20 * 8);
    large.dims = [2 ** 20, 8];
    assert.throws(() => cache.attend(large), {
      name: 'OutOfMemoryError',
      message: /^out of memory/,
    });
    assert.equal(memoryBytes(), before);
    assert.equal(cache.length, 5);
    assert.deepEqual(cache.attend(x).output, output);
  });

  it('is freed after garbage collection without delete()', async () => {
    // Half a MiB each: 2 GiB in total, a few hundred MiB at a time.
    const program = `
      import { loadAttention } from 'attention-wasm';
      const { KeyValueCache, MultiHeadAttention, memoryBytes } = await loadAttention();
      const square = { data: new Float32Array(256 * 256).fill(1), dims: [256, 256] };
      const weights = { query: square, key: square, value: square, output: square };
      const row = { data: new Float32Array(64).fill(3), dims: [1, 64] };
      const kept = new KeyValueCache({ keyDim: 64, capacity: 1 });
      kept.append(row, row);
      for (let n = 0; n < 4000; n++) {
        const cache = new KeyValueCache({ keyDim: 64, capacity: 1000 });
        cache.append(row, row);
        // Deleted ones must not be released again.
        if (n % 3 === 0) cache.delete();
        if (n % 50 === 0) MultiHeadAttention.fromWeights(weights, { heads: 4 });
        if (n % 100 === 99) {
          globalThis.gc();
          await new Promise((resolve) => setTimeout(resolve, 0));
        }
      }
      const { output } = kept.attend(row);
      console.log(JSON.stringify([memoryBytes(), output.data.every((x) => x === 3)]));
    `;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--expose-gc', '--input-type=module', '--eval', program],
      { cwd: fileURLToPath(new URL('../../..', import.meta.url)) },
    );
    const [bytes, works] = JSON.parse(stdout);
    assert.ok(works, 'what is kept is not touched');
    assert.ok(bytes < 400 * MiB, `${bytes / MiB} MiB`);
  });
});
