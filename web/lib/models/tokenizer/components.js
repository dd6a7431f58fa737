// Reads normalizers, pre-tokenizers, post-processors and decoders: an object whose field type names the component.
import { describe } from '../../arguments/describe.js';
import { spend } from './budget.js';
import { isObject, readFields } from './fields.js';
import { ignoredOf } from './ignored_fields.js';

const maxSteps = 100; // of a kind, with nested ones

/**
 * The function that a description creates; undefined for null.
 *
 * @template Result
 * @param {object} description
 * @param {string} kind field of tokenizer.json, such as decoder
 * @param {object} table by type: { fields(read): kinds of its fields, create(values) }; read: the kind of nested ones
 * @param {(result: Result) => number} sizeOf characters or tokens in a result, which each step counts
 */
export function readComponent(description, kind, table, sizeOf) {
  let count = 0;
  const read = (one, label) => {
    count++;
    if (count > maxSteps) throw new RangeError(`${kind} has more than ${maxSteps} steps`);
    if (!isObject(one)) throw new RangeError(`${label} must be an object, found ${describe(one)}`);
    const { type, ...fields } = one;
    if (typeof type !== 'string' || !Object.hasOwn(table, type)) {
      throw new RangeError(
        `${label} has the unknown type ${describe(type)}; expected ${Object.keys(table).join(', ')}`,
      );
    }
    const { fields: known, create } = table[type];
    const component = `${kind} ${type}`;
    const step = create(readFields(fields, { ...known(read), ...ignoredOf(component) }, component));
    return (...inputs) => {
      const result = step(...inputs);
      spend(sizeOf(result));
      return result;
    };
  };
  return description === null || description === undefined ? undefined : read(description, kind);
}
