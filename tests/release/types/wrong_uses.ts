// Incorrect uses of the types: TypeScript must reject each line under @ts-expect-error.

import { loadAttention, tensor, toNested } from 'attention-wasm';
import type { KeyValueCache, LayerRelativePositions, LayerWeights, Tensor } from 'attention-wasm';
import { loadAttention as loadCore } from 'attention-wasm/core';
import { loadAttentionPool } from 'attention-wasm/pool';
import { words, wordVectors } from 'attention-wasm/text';

const { attention, scores, softmax, weightedSum } = await loadAttention();
const x: Tensor = { data: new Float32Array(8), dims: [2, 4] };

// @ts-expect-error a value is missing
attention(x, x);
// @ts-expect-error an array is not a tensor
attention([1, 2], x, x);
// @ts-expect-error a typed array has no dims
attention(new Float32Array(8), x, x);
// @ts-expect-error data must be a typed array
attention({ data: [1, 2], dims: [1, 2] }, x, x);
// @ts-expect-error data must not be integers
attention({ data: new Int32Array(2), dims: [1, 2] }, x, x);
// @ts-expect-error dims are missing
attention({ data: new Float32Array(2) }, x, x);
// @ts-expect-error dims are numbers
attention({ data: new Float32Array(2), dims: ['1', '2'] }, x, x);

// @ts-expect-error strings are not numbers
tensor([['1', '2']]);
// @ts-expect-error a number is not an array
tensor(1);
// @ts-expect-error numbers and booleans cannot be mixed
tensor([1, true]);
// @ts-expect-error an array is not a tensor
toNested([[1]]);

// @ts-expect-error there is no such option
attention(x, x, x, { head: 2 });
// @ts-expect-error scale is a number
attention(x, x, x, { scale: '1' });
// @ts-expect-error causal is a boolean
attention(x, x, x, { causal: 1 });
// @ts-expect-error a window has two sides
attention(x, x, x, { window: [1] });
// @ts-expect-error a mask is a tensor
attention(x, x, x, { mask: new Uint8Array(4) });
// @ts-expect-error a mask holds bytes or float32
attention(x, x, x, { mask: { data: new Float64Array(4), dims: [2, 2] } });
// @ts-expect-error lengths are one per batch entry
attention(x, x, x, { keyLengths: 3 });
// @ts-expect-error bigints are not numbers
attention(x, x, x, { slopes: new BigInt64Array(1) });
// @ts-expect-error weights has no such value
attention(x, x, x, { weights: 'mean' });
// @ts-expect-error there is no such stage
attention(x, x, x, { scores: 'final' });

// @ts-expect-error weights may be undefined: not requested
attention(x, x, x).weights.data;
// @ts-expect-error there is no such result
attention(x, x, x, { weights: true }).attention;
// @ts-expect-error a result's data cannot be replaced
attention(x, x, x).output.data = new Float32Array(1);

// @ts-expect-error scores() has no value
scores(x, x, x);
// @ts-expect-error softmax() takes a tensor
softmax(new Float32Array(4));
// @ts-expect-error weightedSum() has a value
weightedSum(x);

// @ts-expect-error there are three sets of kernels
await loadAttention({ kernels: 'scalar' });
// @ts-expect-error there is no such option
await loadAttention({ threads: 4 });
// @ts-expect-error the core has no module inside
await loadCore();
// @ts-expect-error the core needs its module
await loadCore({ kernels: 'simd' });

// @ts-expect-error a text is a string
words(['Zuko']);
// @ts-expect-error an array of words is expected
wordVectors('Zuko');
// @ts-expect-error dim is a number
wordVectors(['Zuko'], { dim: '64' });

// Other kinds of attention.
// @ts-expect-error there is no such similarity
api.kernelAttention(x, x, x, { similarity: 'euclidean' });
// @ts-expect-error similarities have no scores to add a bias to
api.kernelAttention(x, x, x, { mask: { data: new Float32Array(4), dims: [2, 2] } });
// @ts-expect-error a state has two tensors
api.linearAttention(x, x, x, { state: { S: x } });
// @ts-expect-error no state was requested
const stateless: object = api.linearAttention(x, x, x).state;
// @ts-expect-error 16-bit numbers need their type
attention({ data: new Uint16Array(4), dims: [2, 2] }, x, x);
// @ts-expect-error a cache needs a capacity
new api.KeyValueCache({ keyDim: 4 });
// @ts-expect-error layers need weights
new api.MultiHeadAttention();
// @ts-expect-error heads is missing
api.MultiHeadAttention.fromTorch({}, {});
declare const cache: KeyValueCache;
// @ts-expect-error the cache supplies the offset
cache.attend(x, { offset: 1 });
// @ts-expect-error the cache supplies the key length
cache.length = 0;

// The pool.
const pool = await loadAttentionPool();
// @ts-expect-error workers is a number
await loadAttentionPool({ workers: '2' });
// @ts-expect-error there is no such option
await loadAttentionPool({ threads: 2 });
// @ts-expect-error the module is inside
await loadAttentionPool({ wasm: new Uint8Array(8) });
// @ts-expect-error createWorker is a function
await loadAttentionPool({ createWorker: new Worker('pool_worker.js') });
// @ts-expect-error createWorker must return a worker
await loadAttentionPool({ createWorker: () => new URL('https://example.org/worker.js') });
// @ts-expect-error the result is a promise
pool.attention(x, x, x).output;
// @ts-expect-error weights may be undefined: not requested
(await pool.attention(x, x, x)).weights.data;
// @ts-expect-error there is no such option
await pool.attention(x, x, x, { head: 2 });
// @ts-expect-error the signal has no addEventListener()
await pool.attention(x, x, x, { signal: { aborted: false, reason: 0, throwIfAborted() {} } });
// @ts-expect-error the steps are not pooled
pool.softmax(x);
// @ts-expect-error layers need weights
new pool.MultiHeadAttention();
const pooledLayer = pool.MultiHeadAttention.fromWeights(
  { query: x, key: x, value: x },
  { heads: 1 },
);
// @ts-expect-error a cache belongs to one module
await pooledLayer.forward(x, null, { cache });
// @ts-expect-error a cache is not a context of a pooled layer
await pooledLayer.forward(x, cache);
// @ts-expect-error the result is a promise
pooledLayer.forward(x).output;
const square = { query: x, key: x, value: x, output: x };
const { TransformerLayer } = await loadAttention();
const general = TransformerLayer.fromWeights(
  { self: square, selfNorm: x, widen: x, narrow: x },
  { heads: 1, parallel: true },
);
// @ts-expect-error relative position biases need self-attention
const cross: LayerWeights['cross'] = { ...square, relativeBias: x };
// @ts-expect-error projections were not requested
general.forward(x).key.data;
// @ts-expect-error a boolean is expected
const relative: LayerRelativePositions = { maxDistance: 8 };
// @ts-expect-error the pool has no such layer
pool.TransformerLayer;
// @ts-expect-error a pooled layer has no createCache()
pooledLayer.createCache({ capacity: 2 });
const pooledEncoder = pool.TransformerEncoderLayer.fromTorch({}, { heads: 1 });
// @ts-expect-error the result is a promise
pooledEncoder.forward(x).output;
// @ts-expect-error weights were not requested
(await pooledEncoder.forward(x)).weights.data;
// @ts-expect-error an encoder has no memory to mask
await pooledEncoder.forward(x, { crossMask: x });
// @ts-expect-error a decoder needs a memory
await pool.TransformerDecoderLayer.fromTorch({}, { heads: 1 }).forward(x);
// @ts-expect-error workers is read-only
pool.workers = 3;

export { stateless };
