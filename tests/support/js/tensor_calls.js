// Every call that takes tensors, with the dims of its tensors, in the order in which it takes them.
import { encoderWeights, normalTensor, seeded, sizeOf } from './random_tensors.js';

const ones = (...dims) => ({ data: new Float32Array(sizeOf(dims)).fill(1), dims });

/** Uses an object that is deleted afterwards. */
const withObject = (object, use) => {
  try {
    return use(object);
  } finally {
    object.delete();
  }
};

/** `rows`: the length of long axes, at least 4. Returns calls by name, each [call, ...dims]. */
export function tensorCalls(api, rows) {
  const random = seeded('tensor calls');
  const square = () => normalTensor(random, [8, 8]);
  const hidden = { data: new Uint8Array(rows), dims: [1, rows] };
  const projections = () => ({ query: square(), key: square(), value: square(), output: square() });
  const multiHead = api.MultiHeadAttention.fromWeights(projections(), { heads: 2 });
  const encoder = api.TransformerEncoderLayer.fromTorch(encoderWeights(random, 8), { heads: 2 });
  const decoderState = { ...encoderWeights(random, 8), 'norm3.weight': normalTensor(random, [8]) };
  for (const name of ['in_proj_weight', 'out_proj.weight']) {
    decoderState[`multihead_attn.${name}`] = decoderState[`self_attn.${name}`];
  }
  const decoder = api.TransformerDecoderLayer.fromTorch(decoderState, { heads: 2 });
  const inParts = Math.min(rows, 9000);
  const linear = api.Linear.fromWeights({ weight: square() });
  return {
    attention: [
      (q, k, v) => api.attention(q, k, v, { weights: true }),
      [1, 2],
      [rows, 2],
      [rows, 3],
    ],
    'attention that sees nothing': [
      (q, k, v) => api.attention(q, k, v, { mask: hidden, weights: true }),
      [1, 2],
      [rows, 2],
      [rows, 3],
    ],
    'attention in parts': [api.attention, [2, 2, 3, 4], [2, 2, inParts, 4], [2, 2, inParts, 4]],
    scores: [api.scores, [1, 2], [rows, 2]],
    softmax: [api.softmax, [rows, 2]],
    weightedSum: [api.weightedSum, [1, rows], [rows, 2]],
    ...Object.fromEntries(
      ['exponential', 'gaussian', 'laplacian', 'cosine', 'polynomial', (q, k) => q[0] + k[0]].map(
        (similarity) => [
          `kernelAttention, ${similarity}`,
          [(q, k, v) => api.kernelAttention(q, k, v, { similarity }), [1, 2], [rows, 2], [rows, 2]],
        ],
      ),
    ),
    ...Object.fromEntries(
      ['elu', 'relu', 'exp', 'efficient'].map((featureMap) => [
        `linearAttention, ${featureMap}`,
        [(q, k, v) => api.linearAttention(q, k, v, { featureMap }), [2, 2], [rows, 2], [rows, 2]],
      ]),
    ),
    'linearAttention from a state': [
      (q, k, v, S, z) => api.linearAttention(q, k, v, { state: { S, z } }),
      [2, 2],
      [rows, 2],
      [rows, 2],
      [1, 1, 2, 2],
      [1, 1, 2],
    ],
    layerNorm: [(x, weight, bias) => api.layerNorm(x, { weight, bias }), [rows, 2], [2], [2]],
    rmsNorm: [(x, weight) => api.rmsNorm(x, { weight }), [rows, 2], [2]],
    rotaryEmbedding: [api.rotaryEmbedding, [1, 1, rows, 2]],
    'rotaryEmbedding by angles': [
      (x, cos, sin) => api.rotaryEmbedding(x, { cos, sin }),
      [1, 1, rows, 2],
      [rows, 1],
      [rows, 1],
    ],
    embed: [(table) => api.embed([0, 0], table), [rows, 2]],
    'Linear.fromWeights': [
      (weight, bias) =>
        withObject(api.Linear.fromWeights({ weight, bias }), (map) => map.rows([0, 1])),
      [2, rows],
      [rows],
    ],
    'Linear.fill': [
      (weight, bias) =>
        withObject(api.Linear.reserve({ inDim: 2, outDim: rows, bias: true }), (map) => {
          map.fill(0, weight, bias);
          return map.forward(ones(1, 2));
        }),
      [rows, 2],
      [rows],
    ],
    'Linear.forward': [(x) => linear.forward(x), [rows, 8]],
    'MultiHeadAttention.fromWeights': [
      (query, key, value, output) =>
        withObject(
          api.MultiHeadAttention.fromWeights({ query, key, value, output }, { heads: 1 }),
          (layer) => layer.forward(ones(2, 2)),
        ),
      [2, 5],
      [2, 5],
      [2, 5],
      [5, 2],
    ],
    'MultiHeadAttention.forward': [
      (x, context) => multiHead.forward(x, context),
      [1, 8],
      [rows, 8],
    ],
    'MultiHeadAttention.project': [
      (x, context) => multiHead.project(x, context),
      [1, 8],
      [rows, 8],
    ],
    'TransformerEncoderLayer.fromTorch': [
      (weight) => {
        const weights = { ...encoderWeights(random, 8), 'linear1.weight': weight };
        return withObject(
          api.TransformerEncoderLayer.fromTorch(weights, { heads: 2 }),
          () => undefined,
        );
      },
      [8, 8],
    ],
    'TransformerEncoderLayer.forward': [(x) => encoder.forward(x), [2, 2, 8]],
    'MultiHeadAttention.projectContext': [
      (context) =>
        withObject(multiHead.projectContext(context), (cache) =>
          multiHead.forward(ones(2, 8), cache),
        ),
      [rows, 8],
    ],
    'TransformerDecoderLayer.forward': [
      (x, memory) => decoder.forward(x, memory),
      [2, 8],
      [rows, 8],
    ],
    'TransformerDecoderLayer.projectMemory': [
      (memory) =>
        withObject(decoder.projectMemory(memory), (cache) => decoder.forward(ones(2, 8), cache)),
      [rows, 8],
    ],
    'KeyValueCache.append': [
      (key, value) =>
        withObject(new api.KeyValueCache({ keyDim: 2, capacity: rows }), (cache) => {
          cache.append(key, value);
          return cache.attend(ones(1, 2));
        }),
      [rows, 2],
      [rows, 2],
    ],
    'KeyValueCache.attend': [
      (query) =>
        withObject(new api.KeyValueCache({ keyDim: 2, capacity: 3 }), (cache) => {
          cache.append(ones(3, 2), ones(3, 2));
          return cache.attend(query);
        }),
      [rows, 2],
    ],
  };
}
