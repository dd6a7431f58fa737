// Reading options: once, own properties only, unknown names refused. Here only kinds are judged;
// what values are allowed is for the module to say.
import { describe } from './describe.js';
import { readMask } from './tensor.js';
import { typedArrayName } from './typed_array.js';

/**
 * kinds: for each name a function that reads its value; required: the names that must be there. Null
 * and undefined count as not given.
 */
export function readOptions(where, options = {}, kinds, { noun = 'option', required = [] } = {}) {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(`the ${noun}s of ${where}() must be an object, found ${describe(options)}`);
  }
  // Without a prototype: what was not given is undefined, whatever somebody added to Object.prototype.
  const read = Object.create(null);
  for (const name of Reflect.ownKeys(options)) {
    if (typeof name !== 'string') continue;
    if (!Object.hasOwn(kinds, name)) {
      const names = Object.keys(kinds).join(', ');
      throw new TypeError(`${where}() has no ${noun} '${name}'; it has ${names}`);
    }
    const value = options[name];
    if (value !== undefined && value !== null) read[name] = kinds[name](value, name);
  }
  for (const name of required) {
    if (read[name] === undefined) throw new TypeError(`${where}() needs the ${noun} '${name}'`);
  }
  return read;
}

export function number(value, name) {
  if (typeof value !== 'number') {
    throw new TypeError(`${name} must be a number, found ${describe(value)}`);
  }
  return value;
}

export function boolean(value, name) {
  if (typeof value !== 'boolean') {
    throw new TypeError(`${name} must be true or false, found ${describe(value)}`);
  }
  return value;
}

export function string(value, name) {
  if (typeof value !== 'string') {
    throw new TypeError(`${name} must be a string, found ${describe(value)}`);
  }
  return value;
}

function isList(value) {
  const type = typedArrayName(value);
  return Array.isArray(value) || (type !== undefined && !type.startsWith('Big'));
}

export function list(value, name) {
  if (!isList(value)) {
    throw new TypeError(`${name} must be an array of numbers, found ${describe(value)}`);
  }
  return Array.from(value, (item, at) => number(item, `${name}[${at}]`));
}

export function numberOrList(value, name) {
  if (typeof value === 'number') return value;
  if (isList(value)) return list(value, name);
  throw new TypeError(`${name} must be a number or an array of numbers, found ${describe(value)}`);
}

function window(value) {
  if (!Array.isArray(value) || value.length !== 2) {
    const found = Array.isArray(value) ? `an array of ${value.length}` : describe(value);
    throw new TypeError(`window must be [left, right], found ${found}`);
  }
  return Array.from(value, (side, at) => (side === null ? null : number(side, `window[${at}]`)));
}

export function oneOf(choices) {
  const names = choices.map((choice) => describe(choice));
  const accepted = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  return (value, name) => {
    if (choices.includes(value)) return value;
    const Problem = choices.some((choice) => typeof choice === typeof value)
      ? RangeError
      : TypeError;
    throw new Problem(`${name} must be ${accepted}, found ${describe(value)}`);
  };
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
  weights: oneOf([true, false, 'average']),
  scores: oneOf(['raw', 'capped', 'biased', false]),
  logSumExp: boolean,
};

/** The options of attention(); each of its steps takes them all and uses what belongs to it. */
export const attentionOptions = { heads: number, kvHeads: number, ...layerOptions };

// As the module counts them (shapes.h: Stage, wants_weights).
const stages = ['raw', 'capped', 'biased'];
export const wantsWeights = (weights) => [true, 'average'].indexOf(weights) + 1;

/** Options, as readOptions() read them, as the fields of a record. */
export function attentionFields(options) {
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
    wantsWeights: wantsWeights(weights),
    wantsScores: stages.indexOf(scores) + 1,
    wantsLogSumExp: logSumExp,
  };
}

const isAdditive = (mask) => mask && mask.type === 'Float32Array';

export function maskFields(name, mask) {
  return { [name]: mask, [`${name}IsAdditive`]: isAdditive(mask) };
}
