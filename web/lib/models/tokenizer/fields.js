// Checked fields of tokenizer.json. A kind of value is a function (value, label) that returns the value or throws; label
// names field and component. Unknown components, fields and values are errors.
import { describe } from '../../arguments/describe.js';

export const isObject = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * @param {string} label
 * @param {string} expected
 * @param {unknown} value
 * @returns {never}
 */
export function refuse(label, expected, value) {
  throw new RangeError(`${label} must be ${expected}, found ${describe(value)}`);
}

const checked = (test, expected) => (value, label) =>
  test(value) ? value : refuse(label, expected, value);

export const flag = checked((value) => typeof value === 'boolean', 'true or false');
export const string = checked((value) => typeof value === 'string', 'a text');
export const score = checked((value) => Number.isFinite(value), 'a number');
export const id = checked(
  (value) => Number.isInteger(value) && value >= 0 && value < 2 ** 31,
  'a token id, an integer from 0 to 2147483647',
);
export const character = checked(
  (value) => typeof value === 'string' && [...value].length === 1,
  'one character',
);

export const shortText = (max) =>
  checked(
    (value) => typeof value === 'string' && value.length <= max,
    `a text of at most ${max} characters`,
  );

export const integer = (min, max = Infinity) =>
  checked(
    (value) => Number.isInteger(value) && value >= min && value <= max,
    max === Infinity ? `an integer of at least ${min}` : `an integer from ${min} to ${max}`,
  );

export const oneOf = (values) =>
  checked((value) => values.includes(value), values.map((value) => describe(value)).join(' or '));

export const nullable = (kind) => (value, label) => (value === null ? null : kind(value, label));

export const listOf =
  (kind, max = Infinity) =>
  (value, label) => {
    if (!Array.isArray(value)) refuse(label, 'an array', value);
    if (value.length > max)
      refuse(label, `an array of at most ${max} entries`, `${value.length} entries`);
    return Array.from(value, (one, index) => kind(one, `${label}[${index}]`)); // holes too
  };

/** A field that may be missing. */
export const optional = (kind, missing) => ({ kind, missing });

/** The values of an object's fields. fields: kinds by name, optional() with a default. */
export function readFields(object, fields, component) {
  if (!isObject(object)) refuse(component, 'an object', object);
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined || Object.hasOwn(fields, name)) continue;
    throw new RangeError(
      `${component} has the unknown field '${name}' with value ${describe(value)}; expected ${Object.keys(fields).join(', ') || 'none'}`,
    );
  }
  const values = {};
  for (const [name, field] of Object.entries(fields)) {
    const { kind = field, missing } = typeof field === 'function' ? {} : field;
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    if (value === undefined && typeof field === 'function') {
      throw new RangeError(`${component} has no field '${name}'`);
    }
    values[name] = value === undefined ? missing : kind(value, `'${name}' of ${component}`);
  }
  return values;
}
