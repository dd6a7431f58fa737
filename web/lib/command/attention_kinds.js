// The values of --kind: title, computation, options that do not apply, and parameters suited to word vectors.

import { atTemperature, bandwidthOf } from '../attention/bandwidth.js';
import { lexicalScale } from '../text.js';

const asFeatures = 'it compares feature maps of query and key, not query · key';
const byDistance = 'it compares by distance; use --temperature for the bandwidth';
const noExponential =
  'only softmax, kernel:exponential, kernel:gaussian and kernel:laplacian have a temperature';

/**
 * @typedef {{ scale: number, temperature: number, bandwidth: number }} Numbers
 */

/**
 * @typedef {object} Kind
 * @property {string} title
 * @property {Record<string, string>} without
 * @property {(dim: number, heads: number) => number | undefined} [bandwidth]
 * @property {(dim: number) => number} [vectorLength]
 * @property {number} [maxScale]
 */

/**
 * kinds[name]: {
 *   title: shown in the heading, '' for the default kind;
 *   without: options that do not apply, each with the reason;
 *   bandwidth(dim, heads), vectorLength(dim), maxScale: optional parameters;
 *   computeWeights(api, query, key, settings): { weights, scores? }
 * }
 */
export const kinds = {
  __proto__: null,
  softmax: {
    title: '',
    without: {},
    computeWeights: ({ attention }, query, key, { scale, temperature, heads, causal, weights }) =>
      attention(query, key, key, {
        scale: scale / temperature,
        heads,
        causal,
        weights,
        scores: 'biased',
      }),
  },
  'linear:elu': linear('elu', 'linear (elu + 1)'),
  'linear:relu': linear('relu', 'linear (relu)'),
  'linear:exp': linear('exp', 'linear (exp)'),
  efficient: linear('efficient', 'efficient', {
    causal: 'it normalizes each number of the keys over all words',
  }),
  'kernel:exponential': kernel('exponential', 'exponential kernel', {
    selectNumbers: ({ scale, temperature }) => ({ scale: scale / temperature }),
  }),
  'kernel:gaussian': kernel('gaussian', 'Gaussian kernel', {
    ...byBandwidth('gaussian'),
  }),
  'kernel:laplacian': kernel('laplacian', 'Laplacian kernel', {
    ...byBandwidth('laplacian'),
  }),
  'kernel:cosine': kernel('cosine', 'cosine kernel', {
    without: { scale: 'a factor does not change a cosine', temperature: noExponential },
  }),
  'kernel:polynomial': kernel('polynomial', 'polynomial kernel', {
    without: { temperature: noExponential },
    maxScale: 1e15, // squares of larger numbers may overflow float32
    selectNumbers: ({ scale }) => ({ scale }),
  }),
};

// Abbreviations.
const shortNames = { __proto__: null, linear: 'linear:elu' };

/** All accepted values of --kind. */
export const kindNames = ['softmax', ...Object.keys(shortNames), ...Object.keys(kinds).slice(1)];

/** The key in `kinds` of a value of --kind. */
export const fullName = (name) => shortNames[name] ?? name;

function linear(featureMap, title, without) {
  return {
    title,
    without: { scale: asFeatures, temperature: noExponential, ...without },
    // Vectors with numbers of about 2: near 0 every φ is almost constant, so all weights would be almost equal.
    vectorLength: (dim) => 2 * Math.sqrt(dim),
    computeWeights: ({ linearAttention }, query, key, { heads, causal, weights }) =>
      linearAttention(query, key, key, { featureMap, heads, causal, weights }),
  };
}

// Each head has about 1/heads of a vector's squared length and squared distances.
function byBandwidth(similarity) {
  return {
    without: { scale: byDistance },
    bandwidth: (dim, heads) => bandwidthOf(similarity, lexicalScale * heads, dim),
    selectNumbers: ({ bandwidth, temperature }) => ({
      bandwidth: atTemperature(similarity, bandwidth, temperature),
    }),
  };
}

/**
 * @param {string} similarity
 * @param {string} title
 * @param {Partial<Kind> & { selectNumbers?: (settings: Numbers) => object }} options selectNumbers derives the options of
 *   kernelAttention() from those of the command
 */
function kernel(similarity, title, { selectNumbers = () => ({}), ...rest }) {
  return {
    title,
    without: {},
    ...rest,
    computeWeights: ({ kernelAttention }, query, key, { heads, causal, weights, ...settings }) =>
      kernelAttention(query, key, key, {
        similarity,
        ...selectNumbers(/** @type {Numbers} */ (settings)),
        heads,
        causal,
        weights,
      }),
  };
}
