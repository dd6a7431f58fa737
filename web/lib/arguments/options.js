// Reading options: once, own properties only, unknown names refused. Here only kinds are judged;
// what values are allowed is for the module to say.
import { describe } from './describe.js';
import { typedArrayName } from './typed_array.js';

/**
 * The prototype of an object in which what was not given is undefined, whatever somebody added to Object.prototype.
 * One with none at all takes engines longer to make and to read than a small call.
 */
export const nothing = { __proto__: null };

/**
 * kinds: for each name a function that reads its value; required: the names that must be there. Null
 * and undefined count as not given. One after the other, not in an object: that would inherit what somebody
 * added to Object.prototype.
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

/** A kind of value: what typeof says of it, and its name in a sentence. */
const kind = (type, noun) => (value, name) => {
  if (typeof value === type) return value;
  throw new TypeError(`${name} must be ${noun}, found ${describe(value)}`);
};

export const number = /* @__PURE__ */ kind('number', 'a number');
export const boolean = /* @__PURE__ */ kind('boolean', 'true or false');
export const string = /* @__PURE__ */ kind('string', 'a string');
export const callback = /* @__PURE__ */ kind('function', 'a function');

/** An array or a typed array, if `accepts` has nothing against its class. */
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
