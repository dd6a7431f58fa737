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
// @ts-expect-error an array is no tensor
attention([1, 2], x, x);
// @ts-expect-error a typed array has no dims
attention(new Float32Array(8), x, x);
// @ts-expect-error plain numbers are no tensor's data
attention({ data: [1, 2], dims: [1, 2] }, x, x);
// @ts-expect-error integers are no tensor's data
attention({ data: new Int32Array(2), dims: [1, 2] }, x, x);
// @ts-expect-error dims are missing
attention({ data: new Float32Array(2) }, x, x);
// @ts-expect-error dims are numbers
attention({ data: new Float32Array(2), dims: ['1', '2'] }, x, x);

// @ts-expect-error words are no numbers
tensor([['1', '2']]);
// @ts-expect-error a number is no array
tensor(1);
// @ts-expect-error numbers and booleans are not mixed
tensor([1, true]);
// @ts-expect-error arrays are no tensor
toNested([[1]]);

// @ts-expect-error there is no such option
attention(x, x, x, { head: 2 });
// @ts-expect-error scale is a number
attention(x, x, x, { scale: '1' });
// @ts-expect-error causal is a boolean
attention(x, x, x, { causal: 1 });
// @ts-expect-error a window has two sides
attention(x, x, x, { window: [1] });
// @ts-expect-error a mask is a tensor of its own
attention(x, x, x, { mask: new Uint8Array(4) });
// @ts-expect-error a mask holds bytes or float32
attention(x, x, x, { mask: { data: new Float64Array(4), dims: [2, 2] } });
// @ts-expect-error lengths are one per batch entry
attention(x, x, x, { keyLengths: 3 });
// @ts-expect-error bigints are no numbers
attention(x, x, x, { slopes: new BigInt64Array(1) });
// @ts-expect-error there is no such average
attention(x, x, x, { weights: 'mean' });
// @ts-expect-error there is no such stage
attention(x, x, x, { scores: 'final' });

// @ts-expect-error weights may be missing: they were not asked for
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

// @ts-expect-error there are two kernels
await loadAttention({ kernels: 'scalar' });
// @ts-expect-error there is no such option
await loadAttention({ threads: 4 });
// @ts-expect-error the core has no module inside
await loadCore();
// @ts-expect-error the core needs its module
await loadCore({ kernels: 'simd' });

// @ts-expect-error a text is a string
words(['Zuko']);
// @ts-expect-error words are many
wordVectors('Zuko');
// @ts-expect-error dim is a number
wordVectors(['Zuko'], { dim: '64' });

// The family.
// @ts-expect-error there is no such similarity
api.kernelAttention(x, x, x, { similarity: 'euclidean' });
// @ts-expect-error similarities have no scores to add a bias to
api.kernelAttention(x, x, x, { mask: { data: new Float32Array(4), dims: [2, 2] } });
// @ts-expect-error a state has two parts
api.linearAttention(x, x, x, { state: { S: x } });
// @ts-expect-error no state was asked for
const stateless: object = api.linearAttention(x, x, x).state;
// @ts-expect-error 16-bit numbers need their type
attention({ data: new Uint16Array(4), dims: [2, 2] }, x, x);
// @ts-expect-error a cache needs a capacity
new api.KeyValueCache({ keyDim: 4 });
// @ts-expect-error layers are made of weights
new api.MultiHeadAttention();
// @ts-expect-error heads have to be named
api.MultiHeadAttention.fromTorch({}, {});
declare const cache: KeyValueCache;
// @ts-expect-error the cache supplies the offset
cache.attend(x, { offset: 1 });
// @ts-expect-error the length is the cache's
cache.length = 0;

// The pool.
const pool = await loadAttentionPool();
// @ts-expect-error workers are counted
await loadAttentionPool({ workers: '2' });
// @ts-expect-error there is no such option
await loadAttentionPool({ threads: 2 });
// @ts-expect-error the module is inside
await loadAttentionPool({ wasm: new Uint8Array(8) });
// @ts-expect-error a worker is made by a function
await loadAttentionPool({ createWorker: new Worker('pool_worker.js') });
// @ts-expect-error a URL is no worker
await loadAttentionPool({ createWorker: () => new URL('https://example.org/worker.js') });
// @ts-expect-error what it computes has to be awaited
pool.attention(x, x, x).output;
// @ts-expect-error weights may be missing: they were not asked for
(await pool.attention(x, x, x)).weights.data;
// @ts-expect-error there is no such option
await pool.attention(x, x, x, { head: 2 });
// @ts-expect-error it cannot be listened to
await pool.attention(x, x, x, { signal: { aborted: false, reason: 0, throwIfAborted() {} } });
// @ts-expect-error the steps are not pooled
pool.softmax(x);
// @ts-expect-error layers are made of weights
new pool.MultiHeadAttention();
const pooledLayer = pool.MultiHeadAttention.fromWeights(
  { query: x, key: x, value: x },
  { heads: 1 },
);
// @ts-expect-error a cache lives in one module
await pooledLayer.forward(x, null, { cache });
// @ts-expect-error a cache is no context of a pooled layer
await pooledLayer.forward(x, cache);
// @ts-expect-error what it computes has to be awaited
pooledLayer.forward(x).output;
const square = { query: x, key: x, value: x, output: x };
const { TransformerLayer } = await loadAttention();
const general = TransformerLayer.fromWeights(
  { self: square, selfNorm: x, widen: x, narrow: x },
  { heads: 1, parallel: true },
);
// @ts-expect-error the biases of distances are those of self-attention
const cross: LayerWeights['cross'] = { ...square, relativeBias: x };
// @ts-expect-error projections that nobody asked for
general.forward(x).key.data;
// @ts-expect-error both directions, or not
const relative: LayerRelativePositions = { maxDistance: 8 };
// @ts-expect-error the pool divides other layers
pool.TransformerLayer;
// @ts-expect-error a pooled layer makes no cache
pooledLayer.createCache({ capacity: 2 });
const pooledEncoder = pool.TransformerEncoderLayer.fromTorch({}, { heads: 1 });
// @ts-expect-error what it computes has to be awaited
pooledEncoder.forward(x).output;
// @ts-expect-error weights that nobody asked for
(await pooledEncoder.forward(x)).weights.data;
// @ts-expect-error an encoder has no memory to mask
await pooledEncoder.forward(x, { crossMask: x });
// @ts-expect-error a decoder needs a memory
await pool.TransformerDecoderLayer.fromTorch({}, { heads: 1 }).forward(x);
// @ts-expect-error how many workers there are is settled
pool.workers = 3;

export { stateless };
