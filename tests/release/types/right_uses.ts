// Correct uses of the types: all of them must compile, and results must have the types named here.

import { loadAttention, tensor, toNested } from 'attention-wasm';
import type {
  AttentionApi,
  AttentionOptions,
  AttentionResult,
  HalfTensor,
  KeyValueCache,
  LayerWeights,
  LinearAttentionState,
  LoadOptions,
  Mask,
  MultiHeadAttention,
  Nested,
  OwnedTensor,
  ScoreStage,
  Tensor,
  TensorLike,
} from 'attention-wasm';
import { loadAttention as loadCore, tensor as tensorOfCore } from 'attention-wasm/core';
import type { AttentionApi as CoreApi, Mask as CoreMask } from 'attention-wasm/core';
import { fused } from 'attention-wasm/fused';
import { loadAttentionPool } from 'attention-wasm/pool';
import type {
  AttentionPool,
  PooledForwardOptions,
  PooledMultiHeadAttention,
  PooledTransformerDecoderLayer,
  PooledTransformerEncoderLayer,
  PoolOptions,
} from 'attention-wasm/pool';
import 'attention-wasm/pool-worker';
import { parseSafetensors } from 'attention-wasm/safetensors';
import { lexicalScale, words, wordVectors } from 'attention-wasm/text';

/** Compiles only if both types are the same. */
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <Condition extends true>(condition?: Condition): void => void condition;

const api: AttentionApi = await loadAttention();
const { attention, scores, softmax, weightedSum } = api;

// Tensors: plain objects, frozen ones, results, other precisions, a foreign class.
const x: Tensor = { data: new Float32Array(8), dims: [2, 4] };
const frozen = Object.freeze({ data: new Float64Array(8), dims: Object.freeze([2, 4]) });
class OtherTensor {
  readonly type = 'float32';
  constructor(
    readonly data: Float32Array,
    readonly dims: readonly number[],
  ) {}
}
const likes: TensorLike[] = [x, frozen, new OtherTensor(x.data, x.dims)];

// Nested arrays from tensors and tensors from nested arrays; a mask of booleans.
const nested: Nested = [[[1, 2]], [Float32Array.of(3, 4)]];
const made: OwnedTensor = tensor(nested);
holds<Same<typeof tensorOfCore, typeof tensor>>();
const trueAndFalse = tensor([
  [true, false],
  [true, true],
]);
holds<Same<typeof trueAndFalse.data, Uint8Array>>();
attention(made, tensor([[1, 2]]), x, { mask: trueAndFalse }).output;
const matrix: number[][] = toNested(made);
const cube = toNested<number[][][]>(frozen)[0]![0]![0]! + toNested<number>(x);

// Requested results are never undefined; other results are optional.
const plain = attention(x, x, x);
holds<Same<typeof plain.output, OwnedTensor>>();
const perhaps: Tensor | undefined = plain.weights;
const full = attention(x, x, x, { weights: true, scores: 'raw', logSumExp: true });
const sum: number = full.weights.data.length + full.scores.dims.length + full.logSumExp.data[0]!;
const average: OwnedTensor = attention(x, x, x, { weights: 'average' }).weights;
const asResult: AttentionResult = full;

// Options that are known only at run time.
function attendWith(options: AttentionOptions, stage: ScoreStage): AttentionResult {
  return attention(x, x, x, { ...options, scores: stage });
}

// Every option, in every form; null means the default.
const mask: Mask = { data: new Uint8Array(4), dims: [2, 2] };
const every: Required<AttentionOptions> = {
  heads: 2,
  kvHeads: 1,
  scale: 0,
  softcap: 30,
  causal: true,
  offset: [0, -1],
  window: [3, null],
  mask,
  keyLengths: new Int32Array(1),
  slopes: new Float32Array(2),
  sinks: [0.5, 1],
  weights: 'average',
  scores: 'biased',
  logSumExp: true,
};
attention(x, x, x, every);
attention(x, x, x, { offset: 3, window: null, mask: null, keyLengths: [2], scale: null });
attention(x, x, x, { mask: { data: new Float32Array(4), dims: [2, 2] } });

// The three steps take the same options, and each other's results.
const step1: OwnedTensor = scores(x, x, every);
step1.data[0] = -Infinity;
const step3: OwnedTensor = weightedSum(softmax(step1, every), x, every);

// Results belong to the caller: they can be changed and transferred to another thread.
step3.data.fill(0);
structuredClone(step3.data, { transfer: [step3.data.buffer] });

// Loading.
declare const response: Response;
declare const compiled: WebAssembly.Module;
const load: LoadOptions[] = [
  {},
  { kernels: 'reference' },
  { kernels: fused },
  { wipe: true },
  { wasm: new Uint8Array(8) },
  { wasm: new ArrayBuffer(8) },
  { wasm: response },
  { wasm: Promise.resolve(response) },
  { wasm: new URL('https://example.org/attention.wasm') },
  { wasm: compiled, kernels: 'simd' },
];
const core: CoreApi = await loadCore({ wasm: compiled });
holds<Same<CoreApi, AttentionApi>>();
holds<Same<CoreMask, Mask>>();
const bytes: number = core.memoryBytes();
core.release(core.softmax({ data: new Float32Array(4), dims: [2, 2] }));

// Text.
const tokens: string[] = words('Zuko made his uncle tea', { locale: 'en' });
const vectors = wordVectors(tokens, { dim: 32, seed: 7, positions: true });
const [rows, columns]: readonly [number, number] = vectors.dims;
attention(vectors, vectors, vectors, { scale: lexicalScale, weights: true }).weights;

// Other kinds of attention: similarities, linear attention, positions, embeddings.
const kernel = api.kernelAttention(x, x, x, {
  similarity: 'gaussian',
  bandwidth: 2,
  weights: true,
});
const kernelWeights: OwnedTensor = kernel.weights;
api.kernelAttention(x, x, x, {
  similarity: (q, k) => q[0]! * k[0]!,
  mask: { data: new Uint8Array(4), dims: [2, 2] },
});
const linear = api.linearAttention(x, x, x, { featureMap: 'relu', causal: true, state: true });
const { S, z }: LinearAttentionState = linear.state;
api.linearAttention(x, x, x, { state: { S, z }, epsilon: 1e-6 }).state.S;
const turned: OwnedTensor = api.rotaryEmbedding(x, {
  width: 2,
  positions: [0, 5],
  interleaved: true,
});
const slopes: number[] = api.alibiSlopes(8);
const embedded: OwnedTensor = api.embed({ data: new BigInt64Array(2), dims: [1, 2] }, x);
api.embed([0, 1], api.sinusoidalPositions(2, 4, { offset: 3 }));

// 16-bit numbers.
const half: HalfTensor = { data: new Uint16Array(8), type: 'bfloat16', dims: [2, 4] };
attention(half, x, half);

// Layers and caches.
const layer: MultiHeadAttention = api.MultiHeadAttention.fromWeights(
  { query: x, key: x, value: x, output: half, outputBias: x },
  { heads: 2 },
);
const cache: KeyValueCache = layer.createCache({ capacity: 8 });
const forwarded = layer.forward(x, null, { cache, weights: true, headOutputs: true });
const headOutputs: OwnedTensor = forwarded.headOutputs;
layer.forward(x, layer.projectContext(x)).output;
const known: number = cache.append(x, x) + cache.length + cache.keptLength;
const decoded: OwnedTensor = cache.attend(x, { causal: true, logSumExp: true }).logSumExp;
const { tensors } = parseSafetensors(new Uint8Array(8));
const torch = api.MultiHeadAttention.fromTorch(tensors, { heads: 2, prefix: 'layer.' });
const encoder = api.TransformerEncoderLayer.fromTorch({ 'linear1.weight': x }, { heads: 2 });
const decoder = api.TransformerDecoderLayer.fromTorch(tensors, {
  heads: 2,
  normFirst: true,
  activation: 'gelu',
  norm: 'rms',
});
const memory = decoder.projectMemory(encoder.forward(x, { causal: true }).output);
const step = decoder.forward(x, memory, { cache, weights: 'average', crossKeyLengths: [2] });
const crossWeights: OwnedTensor = step.crossWeights;
const weights: LayerWeights = {
  self: { query: x, key: half, value: x, output: x, queryNorm: x, relativeBias: null },
  cross: { query: x, key: x, value: x, output: x },
  selfNorm: x,
  crossNorm: x,
  gate: x,
  widen: x,
  narrow: x,
  feedForwardScale: x,
};
const general = api.TransformerLayer.fromWeights(weights, {
  heads: 4,
  kvHeads: 2,
  activation: 'silu',
  norm: 'rms',
  rotary: { width: 2, frequencies: Float64Array.of(1), factor: 1.5 },
  relativePositions: { maxDistance: 128, bidirectional: true },
  layout: 'in × out',
});
const met = general.forward(x, { memory, cache, causal: true, weights: true, projections: true });
const keys: OwnedTensor[] = [met.query, met.key, met.value, met.weights];
const crossKeys: OwnedTensor | undefined = met.crossKey;
const sizes: number[] = [general.heads, general.kvHeads, general.valueDim];
for (const object of [layer, cache, torch, encoder, decoder, memory, general]) object.delete();

// The pool: attention() and the layer with promises.
const poolOptions: PoolOptions[] = [
  {},
  { workers: 2, kernels: 'reference', wipe: true },
  { kernels: fused },
  { workers: null, createWorker: null, kernels: null },
  { createWorker: () => new Worker('pool_worker.js', { type: 'module' }) },
];
const pool: AttentionPool = await loadAttentionPool(poolOptions[1]);
const pooled = await pool.attention(x, frozen, half, { weights: true, scores: 'raw' });
holds<Same<typeof pooled.weights, OwnedTensor>>();
holds<Same<typeof pooled.output, OwnedTensor>>();
const perhapsPooled: Tensor | undefined = (await pool.attention(x, x, x, every)).logSumExp;
const poolOf: [number, 'simd' | 'reference' | 'fused'] = [pool.workers, pool.kernels];
const pooledLayer: PooledMultiHeadAttention = pool.MultiHeadAttention.fromWeights(
  { query: x, key: x, value: x, output: half, outputBias: x },
  { heads: 2, kvHeads: 1 },
);
const { signal } = new AbortController();
const forwardOptions: PooledForwardOptions = { causal: true, sinks: [0, 1], signal };
await pooledLayer.forward(x, null, forwardOptions);
const pooledHeads: OwnedTensor = (await pooledLayer.forward(x, x, { headOutputs: true }))
  .headOutputs;
const pooledTorch = pool.MultiHeadAttention.fromTorch(tensors, { heads: 2, prefix: 'layer.' });
const isPooled: boolean =
  pooledTorch instanceof Object && pooledTorch.heads === pooledLayer.modelDim;
pooledTorch.delete();
const pooledEncoder: PooledTransformerEncoderLayer = pool.TransformerEncoderLayer.fromTorch(
  tensors,
  {
    heads: 2,
    normFirst: true,
  },
);
const pooledWeights: OwnedTensor = (await pooledEncoder.forward(x, { weights: 'average' })).weights;
const pooledDecoder: PooledTransformerDecoderLayer = pool.TransformerDecoderLayer.fromTorch(
  tensors,
  {
    heads: 2,
  },
);
const pooledCache = pooledDecoder.createCache({ capacity: pooledEncoder.modelDim });
const pooledMemory = pooledDecoder.projectMemory(x);
const pooledCross: OwnedTensor = (
  await pooledDecoder.forward(x, pooledMemory, { cache: pooledCache, weights: true })
).crossWeights;
await pooledDecoder.forward(x, x, { crossKeyLengths: [1] });
pooledDecoder.delete();
const closing: Promise<void> = pool.close();

export { closing, cube, isPooled, perhapsPooled, pooledCross, pooledHeads, pooledWeights, poolOf };
export { crossWeights, decoded, embedded, headOutputs, kernelWeights, known, slopes, turned };
export { asResult, attendWith, average, bytes, columns, likes, load, matrix, perhaps, rows, sum };
