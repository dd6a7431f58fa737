// The options of attention(), which layers, caches and pools take too, and the fields of a record that
// they become.
import { describe } from './describe.js';
import { boolean, list, number, numberOrList, oneOf } from './options.js';
import { readMask } from './tensor.js';

function window(value) {
  if (!Array.isArray(value) || value.length !== 2) {
    const found = Array.isArray(value) ? `an array of ${value.length}` : describe(value);
    throw new TypeError(`window must be [left, right], found ${found}`);
  }
  return Array.from(value, (side, at) => (side === null ? null : number(side, `window[${at}]`)));
}

const visibilityOptions = { causal: boolean, offset: numberOrList, window, keyLengths: list };

/** The options of attention() that a layer takes too. */
export const layerOptions = {
  scale: number,
  softcap: number,
  ...visibilityOptions,
  mask: readMask,
  slopes: list,
  sinks: list,
  weights: /* @__PURE__ */ oneOf([true, false, 'average']),
  scores: /* @__PURE__ */ oneOf(['raw', 'capped', 'biased', false]),
  logSumExp: boolean,
};

/** The options of attention(); each of its steps takes them all and uses what belongs to it. */
export const attentionOptions = { heads: number, kvHeads: number, ...layerOptions };

/** How much is wanted of the weights, as the module counts it. */
export const wantsWeights = (weights, enums) =>
  weights ? enums.Weights[weights === true ? 'perHead' : weights] : 0;

/** Options, as readOptions() read them, as the fields of a record; `enums` are the module's. */
export function attentionFields(options, enums) {
  const { heads, kvHeads, scale, softcap, causal, offset, window, mask } = options;
  const { keyLengths, slopes, sinks, weights, scores, logSumExp } = options;
  return {
    heads,
    kvHeads,
    scale,
    softcap,
    causal,
    keyLengths,
    slopes,
    sinks,
    mask,
    maskIsAdditive: isAdditive(mask),
    offset: Array.isArray(offset) ? undefined : offset,
    offsets: Array.isArray(offset) ? offset : undefined,
    window: window && true,
    windowLeft: window?.[0] ?? undefined,
    windowRight: window?.[1] ?? undefined,
    wantsWeights: wantsWeights(weights, enums),
    wantsScores: scores ? enums.Stage[scores] : 0,
    wantsLogSumExp: logSumExp,
  };
}

const isAdditive = (mask) => mask && mask.type === 'Float32Array';

export const maskFields = (name, mask) => ({
  [name]: mask,
  [`${name}IsAdditive`]: isAdditive(mask),
});
