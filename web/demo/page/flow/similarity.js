// sim(q, k) of each kind, computed in float64 for one pair, to spell out the formula.

import { bandwidthOf } from '../../kinds.js';

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

/** Feature map φ of the linear kinds, element by element. */
export function featureOf(kind) {
  if (kind === 'elu') return (x) => (x > 0 ? x + 1 : Math.exp(x));
  if (kind === 'relu') return (x) => Math.max(0, x);
  return Math.exp;
}
