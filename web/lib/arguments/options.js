// Reading options: once, own properties only, unknown names refused. Here only kinds are judged;
// what values are allowed is for the module to say.
import { describe } from './describe.js';
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
