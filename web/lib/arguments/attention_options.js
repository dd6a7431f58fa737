// The options of attention(), which layers, caches and pools accept too, and their conversion into fields of a record.
import { describe } from './describe.js';
import { boolean, list, nothing, number, numberOrList, oneOf, readOptions } from './options.js';
import { readMask, readTensor } from './tensor.js';

/**
 * @import { ModuleObject } from '../module/module_object.js'
 * @import { Options, Reader } from './options.js'
 * @import { TensorInput } from './tensor.js'
 * @typedef {Record<string, Record<string, number>>} Enums the enumerations of the module by name: number by name
 * @typedef {Options<typeof attentionOptions>} AttentionOptions the options of attention() that were read
 */

/**
 * @typedef {object} AttentionFields fields of the record of a call of attention() or one of its steps
 * @property {TensorInput} [query]
 * @property {TensorInput} [key]
 * @property {TensorInput} [value]
 * @property {TensorInput} [matrix] scores or weights of earlier steps
 * @property {ModuleObject} [cache]
 * @property {number} [heads]
 * @property {number} [kvHeads]
 * @property {number} [scale]
 * @property {number} [softcap]
 * @property {boolean} [causal]
 * @property {number} [offset]
 * @property {number[]} [offsets] of the batch entries
 * @property {boolean} [window]
 * @property {number | null} [windowLeft]
 * @property {number | null} [windowRight]
 * @property {number[]} [keyLengths]
 * @property {TensorInput} [mask]
 * @property {boolean} [maskIsAdditive]
 * @property {number[]} [slopes]
 * @property {number[]} [sinks]
 * @property {number} [returnWeights] of the enumeration Weights
 * @property {number} [returnScores] bits of the enumeration Stage
 * @property {boolean} [returnLogSumExp]
 */

/** @typedef {AttentionFields & { query: TensorInput, key: TensorInput, value: TensorInput }} AttentionCall */

/** @param {unknown} value */
function window(value) {
  if (!Array.isArray(value) || value.length !== 2) {
    const found = Array.isArray(value) ? `an array of ${value.length}` : describe(value);
    throw new TypeError(`window must be [left, right], found ${found}`);
  }
  return Array.from(value, (side, at) => (side === null ? null : number(side, `window[${at}]`)));
}

const stageNames = ['raw', 'capped', 'biased'];
const stage = /* @__PURE__ */ oneOf([...stageNames, false]);

/**
 * The stage of the returned scores, or a list of stages.
 *
 * @param {unknown} value
 * @param {string} name
 */
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

/**
 * The option `weights` as a number of the enumeration Weights; 0 for none.
 *
 * @type {(weights: AttentionOptions['weights'], enums: Enums) => number}
 */
export const weightsNumber = (weights, enums) =>
  weights ? enums.Weights[weights === true ? 'perHead' : weights] : 0;

/**
 * The option `scores` as bits of the enumeration Stage; 0 for none.
 *
 * @type {(scores: AttentionOptions['scores'], enums: Enums) => number}
 */
const stageBits = (scores, { Stage }) =>
  scores ? [scores].flat().reduce((sum, name) => sum + Stage[name], 0) : 0;

/**
 * Results for the caller: `scores` is a tensor for a single stage, and an object of tensors by stage for a list.
 *
 * @template Result
 * @param {Record<string, Result>} results
 * @param {AttentionOptions['scores']} scores
 * @returns {Record<string, Result | Record<string, Result>>}
 */
export function groupScores(results, scores) {
  if (!scores) return results;
  const { rawScores: raw, cappedScores: capped, biasedScores: biased, ...others } = results;
  /** @type {Record<string, Result>} */
  const byStage = { raw, capped, biased };
  const requested = Array.isArray(scores)
    ? Object.fromEntries(scores.map((name) => [name, byStage[name]]))
    : byStage[scores];
  return { ...others, scores: requested };
}

// The options that are fields of the same name, and the conversions of the others.
const sameName = 'heads kvHeads scale softcap causal keyLengths slopes sinks'.split(' ');
/** @type {Record<string, (fields: AttentionFields, options: AttentionOptions, enums: Enums) => void>} */
const conversions = {
  mask: (fields, { mask }) => Object.assign(fields, maskFields('mask', mask)),
  offset(fields, { offset }) {
    if (Array.isArray(offset)) fields.offsets = offset;
    else fields.offset = offset;
  },
  window(fields, { window }) {
    fields.window = true;
    fields.windowLeft = window?.[0];
    fields.windowRight = window?.[1];
  },
  weights(fields, { weights }, enums) {
    fields.returnWeights = weightsNumber(weights, enums);
  },
  scores(fields, { scores }, enums) {
    fields.returnScores = stageBits(scores, enums);
  },
  logSumExp(fields, { logSumExp }) {
    fields.returnLogSumExp = logSumExp;
  },
};

/**
 * The fields of a record from the result of readOptions(); `enums` are the module's.
 *
 * @param {AttentionOptions} options of attention() or one of its steps; others are ignored
 * @param {Enums} enums
 * @returns {AttentionFields}
 */
export function attentionFields(options, enums) {
  /** @type {AttentionFields & Record<string, unknown>} */
  const fields = Object.create(nothing);
  /** @type {Record<string, unknown>} */
  const values = options;
  for (const name of Object.keys(values)) {
    if (sameName.includes(name)) fields[name] = values[name];
    else if (values[name] !== undefined && Object.hasOwn(conversions, name)) {
      conversions[name](fields, options, enums);
    }
  }
  return fields;
}

const isAdditive = (/** @type {TensorInput | undefined} */ mask) =>
  mask && mask.type === 'Float32Array';

/** @type {(name: string, mask: TensorInput | undefined) => Record<string, TensorInput | boolean | undefined>} */
export const maskFields = (name, mask) => ({
  [name]: mask,
  [`${name}IsAdditive`]: isAdditive(mask),
});

const editKinds = {
  edits: (/** @type {unknown} */ value) => list(value, 'interventions.edits'),
  values: (/** @type {unknown} */ value) => readTensor('interventions.values', value),
};
const interventionKinds = {
  ...editKinds,
  captures: (/** @type {unknown} */ value) => list(value, 'interventions.captures'),
};

/**
 * @typedef {object} InterventionFields
 * @property {number[]} [edits]
 * @property {TensorInput} [editValues]
 * @property {number[]} [captures]
 */

/** @type {(kinds: typeof editKinds & Partial<typeof interventionKinds>) => Reader<InterventionFields>} */
const interventionReader = (kinds) => (value) => {
  const { values, ...lists } = readOptions('interventions', value, kinds);
  return { ...lists, editValues: values };
};

/** Readers for readOptions(): edits, and edits and captures, as fields of a record. */
export const edits = /* @__PURE__ */ interventionReader(editKinds);
export const interventions = /* @__PURE__ */ interventionReader(interventionKinds);
