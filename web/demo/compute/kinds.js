// The kinds of attention the page can compute, each a call of the library, and what each can be asked for.

/** sim(q, k) as it is written, whose sum over the keys every row is divided by. */
export const kinds = [
  {
    id: 'softmax',
    name: 'Softmax',
    formula: 'α = exp(s) / Σ exp(s)',
    can: ['scale', 'causal', 'window', 'softcap'],
  },
  { id: 'elu', name: 'Linear, φ = elu + 1', formula: 'sim = φ(q) · φ(k)', can: ['causal'] },
  { id: 'relu', name: 'Linear, φ = relu', formula: 'sim = φ(q) · φ(k)', can: ['causal'] },
  { id: 'exp', name: 'Linear, φ = exp', formula: 'sim = φ(q) · φ(k)', can: ['causal'] },
  {
    id: 'efficient',
    name: 'Efficient',
    formula: 'α = softmax(q) · softmax over positions(k)',
    can: [],
  },
  {
    id: 'gaussian',
    name: 'Kernel, gaussian',
    formula: 'sim = exp(−‖q − k‖² / 2b²), b² = 1 / scale',
    can: ['scale', 'causal', 'window'],
  },
  {
    id: 'laplacian',
    name: 'Kernel, laplacian',
    formula: 'sim = exp(−Σ |q − k| / b), b = √d_k / scale',
    can: ['scale', 'causal', 'window'],
  },
  {
    id: 'cosine',
    name: 'Kernel, cosine',
    formula: 'sim = q · k / (‖q‖ ‖k‖)',
    can: ['causal', 'window'],
  },
  {
    id: 'polynomial',
    name: 'Kernel, polynomial',
    formula: 'sim = (scale · q · k + 1)²',
    can: ['scale', 'causal', 'window'],
  },
];
export const kindOf = (id) => kinds.find((kind) => kind.id === id) ?? kinds[0];
export const featureMaps = ['elu', 'relu', 'exp', 'efficient'];

/** The width of the bell, so that the scale turns it as it turns softmax; the library's own where there is none. */
export function bandwidthOf(kind, scale, keyDim) {
  if (!(scale > 0)) return undefined;
  if (kind === 'gaussian') return 1 / Math.sqrt(scale);
  return kind === 'laplacian' ? Math.sqrt(keyDim) / scale : undefined;
}

/** The library's call for a kind: weights and output. `options` are those of attention(). */
export function callKind(api, kind, { query, key, value }, options) {
  const { scale, softcap, causal, window } = options;
  const keyDim = query.dims.at(-1);
  if (kind === 'softmax') {
    return api.attention(query, key, value, {
      scale,
      softcap,
      causal,
      window,
      weights: true,
      scores: 'biased',
      logSumExp: true,
    });
  }
  if (featureMaps.includes(kind)) {
    return api.linearAttention(query, key, value, { featureMap: kind, causal, weights: true });
  }
  return api.kernelAttention(query, key, value, {
    similarity: kind,
    scale: kind === 'polynomial' ? scale : undefined,
    bandwidth: bandwidthOf(kind, scale, keyDim),
    causal,
    window,
    weights: true,
  });
}

/** The formula that the page shows for sim(q, k), computed here in doubles for one pair. */
export function similarity(kind, query, key, scale) {
  const pairs = Array.from(query, (q, c) => [q, key[c]]);
  const sum = (term) => pairs.reduce((total, [q, k]) => total + term(q, k), 0);
  if (kind === 'gaussian') {
    const width = bandwidthOf(kind, scale, query.length) ?? query.length ** 0.25;
    return Math.exp(-sum((q, k) => (q - k) ** 2) / (2 * width * width));
  }
  if (kind === 'laplacian') {
    const width = bandwidthOf(kind, scale, query.length) ?? Math.sqrt(query.length);
    return Math.exp(-sum((q, k) => Math.abs(q - k)) / width);
  }
  if (kind === 'cosine') {
    const lengths = Math.sqrt(sum((q) => q * q) * sum((q, k) => k * k));
    return lengths === 0 ? 0 : sum((q, k) => q * k) / lengths;
  }
  if (kind === 'polynomial') return (scale * sum((q, k) => q * k) + 1) ** 2;
  const map = featureOf(kind);
  return sum((q, k) => map(q) * map(k));
}

/** φ of the linear kinds, number by number. */
export function featureOf(kind) {
  if (kind === 'elu') return (x) => (x > 0 ? x + 1 : Math.exp(x));
  if (kind === 'relu') return (x) => Math.max(0, x);
  return Math.exp;
}
