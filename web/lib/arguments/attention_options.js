// The options of attention(), which layers, caches and pools take too, and the fields of a record that
// they become.
import { describe } from './describe.js';
import { boolean, list, nothing, number, numberOrList, oneOf } from './options.js';
import { readMask } from './tensor.js';

function window(value) {
  if (!Array.isArray(value) || value.length !== 2) {
    const found = Array.isArray(value) ? `an array of ${value.length}` : describe(value);
    throw new TypeError(`window must be [left, right], found ${found}`);
  }
  return Array.from(value, (side, at) => (side === null ? null : number(side, `window[${at}]`)));
}

const stageNames = ['raw', 'capped', 'biased'];
const stage = /* @__PURE__ */ oneOf([...stageNames, false]);

/** The stage that scores are kept at, or a list of several. */
function stages(value, name) {
  if (!Array.isArray(value)) return stage(value, name);
  const known = oneOf(stageNames);
  const named = Array.from(value, (item, index) => known(item, `${name}[${index}]`));
  if (named.length === 0 || new Set(named).size < named.length) {
    throw new RangeError(`${name} must name each stage once, and at least one`);
  }
  return named;
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
  scores: stages,
  logSumExp: boolean,
};

/** The options of attention(); each of its steps takes them all and uses what belongs to it. */
export const attentionOptions = { heads: number, kvHeads: number, ...layerOptions };

/** How much is wanted of the weights, as the module counts it. */
export const wantsWeights = (weights, enums) =>
  weights ? enums.Weights[weights === true ? 'perHead' : weights] : 0;

/** The stages that are wanted, as the module counts them: each is a bit. */
const wantsScores = (scores, { Stage }) =>
  scores ? [scores].flat().reduce((sum, name) => sum + Stage[name], 0) : 0;

/** Results as the caller has them: `scores` of the one stage that was named, or by stage where a list was. */
export function inStages(results, scores) {
  if (!scores) return results;
  const { rawScores: raw, cappedScores: capped, biasedScores: biased, ...others } = results;
  const kept = { raw, capped, biased };
  const asked = Array.isArray(scores)
    ? Object.fromEntries(scores.map((name) => [name, kept[name]]))
    : kept[scores];
  return { ...others, scores: asked };
}

// The options that are fields of their own name, and what becomes of the others.
const asTheyAre = 'heads kvHeads scale softcap causal keyLengths slopes sinks'.split(' ');
const become = {
  __proto__: null,
  mask: (fields, mask) => Object.assign(fields, maskFields('mask', mask)),
  offset(fields, offset) {
    fields[Array.isArray(offset) ? 'offsets' : 'offset'] = offset;
  },
  window(fields, window) {
    fields.window = true;
    fields.windowLeft = window[0];
    fields.windowRight = window[1];
  },
  weights(fields, weights, enums) {
    fields.wantsWeights = wantsWeights(weights, enums);
  },
  scores(fields, scores, enums) {
    fields.wantsScores = wantsScores(scores, enums);
  },
  logSumExp(fields, logSumExp) {
    fields.wantsLogSumExp = logSumExp;
  },
};

/** Options, as readOptions() read them, as the fields of a record, of those that are given; `enums` are the module's. */
export function attentionFields(options, enums) {
  const fields = Object.create(nothing);
  for (const name of Object.keys(options)) {
    if (asTheyAre.includes(name)) fields[name] = options[name];
    else if (options[name] !== undefined) become[name]?.(fields, options[name], enums);
  }
  return fields;
}

const isAdditive = (mask) => mask && mask.type === 'Float32Array';

export const maskFields = (name, mask) => ({
  [name]: mask,
  [`${name}IsAdditive`]: isAdditive(mask),
});
