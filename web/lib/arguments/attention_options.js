// The options of attention(), which layers, caches and pools accept too, and their conversion into fields of a record.
import { describe } from './describe.js';
import { boolean, list, nothing, number, numberOrList, oneOf, readOptions } from './options.js';
import { readMask, readTensor } from './tensor.js';

function window(value) {
  if (!Array.isArray(value) || value.length !== 2) {
    const found = Array.isArray(value) ? `an array of ${value.length}` : describe(value);
    throw new TypeError(`window must be [left, right], found ${found}`);
  }
  return Array.from(value, (side, at) => (side === null ? null : number(side, `window[${at}]`)));
}

const stageNames = ['raw', 'capped', 'biased'];
const stage = /* @__PURE__ */ oneOf([...stageNames, false]);

/** The stage of the returned scores, or a list of stages. */
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

/** The options of attention() that layers accept too. */
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

/** The options of attention(). Each of its steps accepts them all and uses those that apply to it. */
export const attentionOptions = { heads: number, kvHeads: number, ...layerOptions };

/** The option `weights` as a number of the enumeration Weights; 0 for none. */
export const weightsNumber = (weights, enums) =>
  weights ? enums.Weights[weights === true ? 'perHead' : weights] : 0;

/** The option `scores` as bits of the enumeration Stage; 0 for none. */
const stageBits = (scores, { Stage }) =>
  scores ? [scores].flat().reduce((sum, name) => sum + Stage[name], 0) : 0;

/** Results for the caller: `scores` is a tensor for a single stage, and an object of tensors by stage for a list. */
export function groupScores(results, scores) {
  if (!scores) return results;
  const { rawScores: raw, cappedScores: capped, biasedScores: biased, ...others } = results;
  const byStage = { raw, capped, biased };
  const requested = Array.isArray(scores)
    ? Object.fromEntries(scores.map((name) => [name, byStage[name]]))
    : byStage[scores];
  return { ...others, scores: requested };
}

// The options that are fields of the same name, and the conversions of the others.
const sameName = 'heads kvHeads scale softcap causal keyLengths slopes sinks'.split(' ');
const conversions = {
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
    fields.returnWeights = weightsNumber(weights, enums);
  },
  scores(fields, scores, enums) {
    fields.returnScores = stageBits(scores, enums);
  },
  logSumExp(fields, logSumExp) {
    fields.returnLogSumExp = logSumExp;
  },
};

/** The fields of a record from the result of readOptions(); `enums` are the module's. */
export function attentionFields(options, enums) {
  const fields = Object.create(nothing);
  for (const name of Object.keys(options)) {
    if (sameName.includes(name)) fields[name] = options[name];
    else if (options[name] !== undefined) conversions[name]?.(fields, options[name], enums);
  }
  return fields;
}

const isAdditive = (mask) => mask && mask.type === 'Float32Array';

export const maskFields = (name, mask) => ({
  [name]: mask,
  [`${name}IsAdditive`]: isAdditive(mask),
});

const editKinds = {
  edits: (value) => list(value, 'interventions.edits'),
  values: (value) => readTensor('interventions.values', value),
};
const interventionKinds = {
  ...editKinds,
  captures: (value) => list(value, 'interventions.captures'),
};

const interventionReader = (kinds) => (value) => {
  const { values, ...lists } = readOptions('interventions', value, kinds);
  return { ...lists, editValues: values };
};

/** Readers for readOptions(): edits, and edits and captures, as fields of a record. */
export const edits = /* @__PURE__ */ interventionReader(editKinds);
export const interventions = /* @__PURE__ */ interventionReader(interventionKinds);
