// Measured shapes: attention, one decoding step, and whole layers.
//
//   attention  heads × qLen queries × kLen keys × dim, from arrays to an array
//   decode     the same for one query with cached keys and values
//   encoder    x [rows × modelDim] → several Transformer layers, in the shape of BERT base
//   decoder    one row at a time through several layers, in the shape of GPT-2, with caches
//   layer      x [rows × modelDim] → multi-head self-attention with its four projections

const attention = (heads, qLen, dim, { kLen = qLen, causal = false, weights = false } = {}) => ({
  id: [
    kLen === qLen ? `${heads}×${qLen}×${dim}` : `${heads}×(${qLen}×${kLen})×${dim}`,
    ...(causal ? ['causal'] : []),
    ...(weights ? ['weights'] : []),
  ].join(' '),
  kind: 'attention',
  heads,
  qLen,
  kLen,
  dim,
  causal,
  weights,
});

const decode = (heads, kLen, dim) => ({
  ...attention(heads, 1, dim, { kLen }),
  id: `decode ${heads}×(1×${kLen})×${dim}`,
  kind: 'decode',
});

const layer = (rows, modelDim, heads) => ({
  ...attention(heads, rows, modelDim / heads),
  id: `layer ${rows}×${modelDim}`,
  kind: 'layer',
  modelDim,
});

const stack = (kind, layers, rows, modelDim, heads) => ({
  ...attention(heads, rows, modelDim / heads),
  id: `${kind} of ${layers}, ${rows}×${modelDim}`,
  kind,
  layers,
  modelDim,
  hiddenDim: 4 * modelDim,
  alone: true, // hundreds of megabytes of weights
});

export const shapes = [
  attention(1, 16, 64),
  attention(8, 64, 64),
  attention(8, 64, 64, { weights: true }),
  attention(12, 128, 64),
  attention(12, 128, 64, { weights: true }),
  attention(8, 64, 64, { kLen: 1024 }),
  attention(12, 512, 64),
  attention(12, 512, 64, { causal: true }),
  attention(12, 512, 64, { weights: true }),
  attention(8, 1024, 64),
  attention(8, 1024, 64, { weights: true }),
  attention(32, 1, 128, { kLen: 2048 }),
  decode(32, 2048, 128),
  layer(128, 768, 12),
  layer(512, 768, 12),
  attention(1, 4096, 64),
  attention(1, 4096, 64, { causal: true }),
  attention(1, 4096, 64, { weights: true }),
  attention(8, 2048, 128),
  stack('encoder', 12, 128, 768, 12),
  stack('decoder', 12, 64, 768, 12),
  { ...attention(1, 16384, 64), alone: true }, // needs one allocation of nearly all memory
];

/** Shapes of peak_memory.js. */
export const memoryShapes = [
  attention(12, 512, 64),
  attention(1, 4096, 64),
  attention(1, 16384, 64),
];

/** One more shape for contenders with linear memory. */
export const longestShape = attention(1, 65536, 64);

/** The shape of a cold start's first result. */
export const firstShape = attention(8, 64, 64);

/**
 * Operations, a multiply-add being two: 4·h·n_q·n_k·d, and 8·n·m² for the projections of a layer. Causal
 * attention counts in full, although half of it is masked. Each layer of a stack has 4·n·m·hidden more.
 */
export function operations({ kind, heads, qLen, kLen, dim, modelDim, layers, hiddenDim }) {
  const products = 4 * heads * qLen * kLen * dim;
  if (layers) return layers * (products + 4 * qLen * modelDim * (2 * modelDim + hiddenDim));
  return kind === 'layer' ? products + 8 * qLen * modelDim ** 2 : products;
}

/** Bytes of inputs and outputs, which every implementation must hold. */
export function bytesInAndOut({ heads, qLen, kLen, dim }) {
  return 4 * heads * dim * (2 * qLen + 2 * kLen);
}

/** Shapes whose name has one of the words, as whole numbers; `x` may stand for `×`. */
export function shapesNamed(words) {
  const plain = (text) => text.replaceAll('×', 'x').replaceAll(/[()]/g, '');
  const escaped = (word) => plain(word).replaceAll(/[^\w ]/g, '');
  const patterns = words.map((word) => RegExp(`(?<!\\d)${escaped(word)}(?!\\d)`));
  return shapes.filter(({ id }) => patterns.some((pattern) => pattern.test(plain(id))));
}
