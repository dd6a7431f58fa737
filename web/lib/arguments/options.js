// Reads options: each property once, own properties only, unknown names refused. Checks types only; the module checks
// values.
import { describe } from './describe.js';
import { typedArrayName } from './typed_array.js';

/**
 * A prototype for option objects: absent options are undefined even if Object.prototype was changed. Objects without any
 * prototype are slower: creating and reading one takes longer than a small call.
 */
export const nothing = { __proto__: null };

/**
 * Reads an options object. kinds: a function that checks the value, by name; required: names that must be present. Null
 * and undefined mean absent.
 */
export function readOptions(where, options = {}, kinds, required = [], noun = 'option') {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(`the ${noun}s of ${where}() must be an object, found ${describe(options)}`);
  }
  const read = Object.create(nothing);
  for (const name of Object.getOwnPropertyNames(options)) {
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

/** A reader of values of a type: typeof, and the noun for error messages. */
const kind = (type, noun) => (value, name) => {
  if (typeof value === type) return value;
  throw new TypeError(`${name} must be ${noun}, found ${describe(value)}`);
};

export const number = /* @__PURE__ */ kind('number', 'a number');
export const boolean = /* @__PURE__ */ kind('boolean', 'true or false');
export const string = /* @__PURE__ */ kind('string', 'a string');
export const callback = /* @__PURE__ */ kind('function', 'a function');

/** True if a value is an array, or a typed array of a class that accepts(name) allows. */
export function isList(value, accepts = () => true) {
  const type = typedArrayName(value);
  return Array.isArray(value) || (type !== undefined && accepts(type));
}

const isNumbers = (value) => isList(value, (type) => !type.startsWith('Big'));

export function list(value, name) {
  if (!isNumbers(value)) {
    throw new TypeError(`${name} must be an array of numbers, found ${describe(value)}`);
  }
  return Array.from(value, (item, at) => number(item, `${name}[${at}]`));
}

export function numberOrList(value, name) {
  if (typeof value === 'number') return value;
  if (isNumbers(value)) return list(value, name);
  throw new TypeError(`${name} must be a number or an array of numbers, found ${describe(value)}`);
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
