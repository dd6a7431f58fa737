// Kinds of attention, one library call each.

/**
 * `formula`: sim(q, k), normalized by its sum over the keys; `can`: the supported options.
 * @typedef {{ id: KindName, name: string, formula: string, can: ('scale' | 'causal' | 'window' | 'softcap')[] }} Kind
 */
/** @typedef {'softmax' | FeatureMap | 'gaussian' | 'laplacian' | 'cosine' | 'polynomial'} KindName */
/** @typedef {'elu' | 'relu' | 'exp' | 'efficient'} FeatureMap */

/** @type {Kind[]} */
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
/** @param {string} id */
export const kindOf = (id) => kinds.find((kind) => kind.id === id) ?? kinds[0];
/** @type {(kind: KindName) => kind is FeatureMap} */
export const isFeatureMap = (kind) => ['elu', 'relu', 'exp', 'efficient'].includes(kind);

/**
 * Bandwidth b of a distance kind at a softmax scale, as in its formula; undefined for other kinds and scales ≤ 0.
 * @param {KindName} kind
 * @param {number} scale
 * @param {number} keyDim
 */
export function bandwidthOf(kind, scale, keyDim) {
  if (!(scale > 0)) return undefined;
  if (kind === 'gaussian') return 1 / Math.sqrt(scale);
  return kind === 'laplacian' ? Math.sqrt(keyDim) / scale : undefined;
}
