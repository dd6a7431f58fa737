// The kinds of attention the command can show: the name of each, the library's call that weighs the
// words, the options that do not go with it, and numbers under which word vectors make a picture.

import { atTemperature, bandwidthOf } from '../attention/bandwidth.js';
import { lexicalScale } from '../text.js';

const asFeatures = 'it compares features of query and key, not query · key';
const byDistance = 'it compares by distance, whose reach --temperature sets';
const noExponential =
  'only softmax and kernel:exponential, kernel:gaussian and kernel:laplacian have one';

/**
 * kinds[name]: {
 *   title: what the heading says, nothing for the usual kind;
 *   without: the options it does not take, each with the reason;
 *   bandwidth(dim, heads), vectorLength(dim), largestScale: where it has its own;
 *   weigh(api, query, key, settings): { weights, scores? }
 * }
 */
export const kinds = {
  __proto__: null,
  softmax: {
    title: '',
    without: {},
    weigh: ({ attention }, query, key, { scale, temperature, heads, causal, weights }) =>
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
    causal: 'it weighs each number of the keys over all words',
  }),
  'kernel:exponential': kernel('exponential', 'exponential kernel', {
    choose: ({ scale, temperature }) => ({ scale: scale / temperature }),
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
    largestScale: 1e15, // squares of more, and their sum, may not fit into 32 bits
    choose: ({ scale }) => ({ scale }),
  }),
};

// For short, as the library's own default.
const shortNames = { __proto__: null, linear: 'linear:elu' };

/** Everything --kind may be. */
export const kindNames = ['softmax', ...Object.keys(shortNames), ...Object.keys(kinds).slice(1)];

/** The name in `kinds`. */
export const fullName = (name) => shortNames[name] ?? name;

function linear(featureMap, title, without) {
  return {
    title,
    without: { scale: asFeatures, temperature: noExponential, ...without },
    // Numbers of about 2. Near 0 every φ is almost constant, and all words would weigh alike.
    vectorLength: (dim) => 2 * Math.sqrt(dim),
    weigh: ({ linearAttention }, query, key, { heads, causal, weights }) =>
      linearAttention(query, key, key, { featureMap, heads, causal, weights }),
  };
}

// Each head sees 1/heads of a vector: of its squared length, and of how far it is from another.
function byBandwidth(similarity) {
  return {
    without: { scale: byDistance },
    bandwidth: (dim, heads) => bandwidthOf(similarity, lexicalScale * heads, dim),
    choose: ({ bandwidth, temperature }) => ({
      bandwidth: atTemperature(similarity, bandwidth, temperature),
    }),
  };
}

// choose: the options of its similarity.
function kernel(similarity, title, { choose = () => ({}), ...rest }) {
  return {
    title,
    without: {},
    ...rest,
    weigh: ({ kernelAttention }, query, key, { heads, causal, weights, ...settings }) =>
      kernelAttention(query, key, key, { similarity, ...choose(settings), heads, causal, weights }),
  };
}
