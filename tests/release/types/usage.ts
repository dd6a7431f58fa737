// The public types used as users use them, and wrong uses that have to be refused.
import { loadAttention, type AttentionApi, type OwnedTensor, type Tensor } from 'attention-wasm';
import { loadAttention as loadCore } from 'attention-wasm/core';
import { lexicalScale, words, wordVectors } from 'attention-wasm/text';

const api: AttentionApi = await loadAttention();
const eye: Tensor = { data: new Float32Array([1, 0, 0, 1]), dims: [2, 2] };

const plain = api.attention(eye, eye, eye);
const output: Float32Array = plain.output.data;
// @ts-expect-error weights were not asked for
const missing: OwnedTensor = plain.weights;

const kept = api.attention(eye, eye, eye, {
  heads: 2,
  causal: true,
  offset: [0],
  window: [null, 1],
  mask: { data: new Uint8Array([1, 1, 0, 1]), dims: [2, 2] },
  keyLengths: new Int32Array([2]),
  slopes: [0.5, 0.25],
  weights: true,
  scores: 'raw',
  logSumExp: true,
});
const weights: OwnedTensor = kept.weights;
const scores: OwnedTensor = kept.scores;
const logSumExp: OwnedTensor = kept.logSumExp;
const dims: number[] = weights.dims;

const whole: OwnedTensor = api.weightedSum(api.softmax(api.scores(eye, eye)), eye);
api.attention({ data: new Float64Array(4), dims: [2, 2] }, eye, eye, { scale: null });

// @ts-expect-error an option that does not exist
api.attention(eye, eye, eye, { casual: true });
// @ts-expect-error a stage that does not exist
api.attention(eye, eye, eye, { scores: 'probabilities' });
// @ts-expect-error numbers without dims
api.attention(new Float32Array(4), eye, eye);
// @ts-expect-error an integer tensor
api.scores({ data: new Int32Array(4), dims: [2, 2] }, eye);

await loadAttention({ kernels: 'reference' });
await loadCore({ wasm: new Uint8Array(8) });
await loadCore({ wasm: fetch('attention.wasm') });
// @ts-expect-error the core has no module of its own
await loadCore();

const tokens: string[] = words('Zuko made his uncle tea', { locale: 'en' });
const vectors: Tensor = wordVectors(tokens, { dim: 32, seed: 7 });
const scale: number = lexicalScale;

export { dims, logSumExp, missing, output, scale, scores, vectors, whole };
