// Reads options: each property once, own properties only, unknown names refused. Checks types only; the module checks
// values.
/** @import { NumberArray, TypedArray } from './typed_array.js' */
import { describe } from './describe.js';
import { typedArrayName } from './typed_array.js';

/**
 * A prototype for option objects: absent options are undefined even if Object.prototype was changed. Objects without any
 * prototype are slower: creating and reading one takes longer than a small call.
 */
/** @type {{}} */
export const nothing = { __proto__: null };

/**
 * @template Value
 * @typedef {(value: {}, name: string) => Value} Reader a function that checks the value of an option and returns it, or
 *   its conversion
 */

/**
 * @template {{ [name: string]: Reader<unknown> | undefined }} Kinds
 * @template {keyof Kinds} [Required=never]
 * @typedef {{ [Name in keyof Kinds]?: ReturnType<NonNullable<Kinds[Name]>> }
 *   & { [Name in Required]: ReturnType<NonNullable<Kinds[Name]>> }} Options
 *   the result of readOptions()
 */

/** Whether an optional argument or an option is absent. */
export const isAbsent = (/** @type {unknown} */ value) => value === undefined || value === null;

/**
 * Reads an options object. Null and undefined mean absent.
 *
 * @template {{ [name: string]: Reader<unknown> | undefined }} Kinds
 * @template {keyof Kinds & string} [Required=never]
 * @param {string} where the function, for error messages
 * @param {unknown} options
 * @param {Kinds} kinds a reader by name
 * @param {readonly Required[]} required names that must be present
 * @param {string} noun for error messages
 * @returns {Options<Kinds, Required>}
 */
export function readOptions(where, options = {}, kinds, required = [], noun = 'option') {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(`the ${noun}s of ${where}() must be an object, found ${describe(options)}`);
  }
  const read = Object.create(nothing);
  const properties = /** @type {Record<string, unknown>} */ (options);
  for (const name of Object.getOwnPropertyNames(properties)) {
    if (!Object.hasOwn(kinds, name)) {
      const names = Object.keys(kinds).join(', ');
      throw new TypeError(`${where}() has no ${noun} '${name}'; it has ${names}`);
    }
    const value = properties[name];
    if (value !== undefined && value !== null) read[name] = kinds[name]?.(value, name);
  }
  for (const name of required) {
    if (read[name] === undefined) throw new TypeError(`${where}() needs the ${noun} '${name}'`);
  }
  return read;
}

/**
 * A reader of values of a type.
 *
 * @template Value
 * @param {string} type of typeof
 * @param {string} noun for error messages
 * @returns {(value: unknown, name: string) => Value}
 */
const kind = (type, noun) => (value, name) => {
  if (typeof value === type) return /** @type {Value} */ (value);
  throw new TypeError(`${name} must be ${noun}, found ${describe(value)}`);
};

/** @type {(value: unknown, name: string) => number} */
export const number = /* @__PURE__ */ kind('number', 'a number');
/** @type {(value: unknown, name: string) => boolean} */
export const boolean = /* @__PURE__ */ kind('boolean', 'true or false');
/** @type {(value: unknown, name: string) => string} */
export const string = /* @__PURE__ */ kind('string', 'a string');
/** @type {(value: unknown, name: string) => (...values: unknown[]) => unknown} */
export const callback = /* @__PURE__ */ kind('function', 'a function');

/**
 * True if a value is an array, or a typed array of a class that accepts(name) allows.
 *
 * @param {unknown} value
 * @param {(name: string) => boolean} accepts
 * @returns {value is readonly unknown[] | TypedArray}
 */
export function isList(value, accepts = () => true) {
  const type = typedArrayName(value);
  return Array.isArray(value) || (type !== undefined && accepts(type));
}

/** @returns {value is readonly unknown[] | NumberArray} */
const isNumbers = (/** @type {unknown} */ value) =>
  isList(value, (type) => !type.startsWith('Big'));

/**
 * A reader for readOptions(): numbers, as an array.
 *
 * @param {unknown} value
 * @param {string} name
 */
export function list(value, name) {
  if (!isNumbers(value)) {
    throw new TypeError(`${name} must be an array of numbers, found ${describe(value)}`);
  }
  return Array.from(value, (item, at) => number(item, `${name}[${at}]`));
}

/**
 * A reader for readOptions().
 *
 * @param {unknown} value
 * @param {string} name
 */
export function numberOrList(value, name) {
  if (typeof value === 'number') return value;
  if (isNumbers(value)) return list(value, name);
  throw new TypeError(`${name} must be a number or an array of numbers, found ${describe(value)}`);
}

/**
 * A reader for readOptions() that accepts these values.
 *
 * @template {string | boolean} const Choice
 * @param {readonly Choice[]} choices
 * @returns {(value: unknown, name: string) => Choice}
 */
export function oneOf(choices) {
  const names = choices.map((choice) => describe(choice));
  const accepted = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  return (value, name) => {
    const known = choices.find((choice) => choice === value);
    if (known !== undefined) return known;
    const Problem = choices.some((choice) => typeof choice === typeof value)
      ? RangeError
      : TypeError;
    throw new Problem(`${name} must be ${accepted}, found ${describe(value)}`);
  };
}
