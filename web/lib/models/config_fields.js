// The fields of a config.json, read with sentences about those that are missing or not what they must be. A field
// that has two spellings is asked for with both: 'n_embd|hidden_size'. Own fields only; null counts as not given.
import { describe } from '../arguments/describe.js';

const most = 2 ** 31 - 1;
const mostLayers = 4096;

const activations = new Map(
  Object.entries({
    relu: 'relu',
    gelu: 'gelu',
    gelu_python: 'gelu',
    gelu_new: 'gelu_tanh',
    gelu_fast: 'gelu_tanh',
    gelu_pytorch_tanh: 'gelu_tanh',
    gelu_python_tanh: 'gelu_tanh',
    gelu_accurate: 'gelu_tanh',
    quick_gelu: 'quick_gelu',
    silu: 'silu',
    swish: 'silu',
    tanh: 'tanh',
  }),
);

/** A field of an object, undefined where it has none of its own. */
export const ownField = (object, name) =>
  Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined;

// No field is of use below 0.
const isNumber = (value) => Number.isFinite(value) && value >= 0;

export class ConfigFields {
  #fields;
  #place;

  constructor(fields, place = 'config.json') {
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
      throw new TypeError(`${place} must be an object, found ${describe(fields)}`);
    }
    this.#fields = fields;
    this.#place = place;
  }

  /** [name, value] of the first spelling that is there; value is undefined without any. */
  #find(names, otherwise) {
    const spellings = names.split('|');
    const name = spellings.find((spelling) => this.get(spelling) !== undefined);
    if (name !== undefined) return [name, this.get(name)];
    if (otherwise !== undefined) return [spellings[0], undefined];
    const spelled = spellings.map((spelling) => `'${spelling}'`).join(' or ');
    throw new RangeError(`${this.#place} has no ${spelled}`);
  }

  #refuse(name, value, wanted) {
    throw new RangeError(`'${name}' of ${this.#place} must be ${wanted}, found ${describe(value)}`);
  }

  /** The value as it is, undefined without one. */
  get(name) {
    return ownField(this.#fields, name);
  }

  whole(names, otherwise, least = 1) {
    const [name, value = otherwise] = this.#find(names, otherwise);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    return this.#refuse(name, value, `a whole number from ${least} to ${most}`);
  }

  /** How many layers: a config cannot ask for work without end. */
  layers(names, otherwise) {
    const count = this.whole(names, otherwise);
    if (count <= mostLayers) return count;
    throw new RangeError(`${this.#place} asks for ${count} layers, but may ask for ${mostLayers}`);
  }

  number(names, otherwise) {
    const [name, value = otherwise] = this.#find(names, otherwise);
    return isNumber(value) ? value : this.#refuse(name, value, 'a number of at least 0');
  }

  flag(names, otherwise) {
    const [name, value = otherwise] = this.#find(names, otherwise);
    return typeof value === 'boolean' ? value : this.#refuse(name, value, 'true or false');
  }

  /** A nonlinearity, by this library's name. */
  activation(names, otherwise) {
    const [name, value = otherwise] = this.#find(names, otherwise);
    const known = activations.get(value);
    return known ?? this.#refuse(name, value, `one of ${[...activations.keys()].join(', ')}`);
  }

  list(names) {
    const [name, value] = this.#find(names, []);
    if (value === undefined || Array.isArray(value)) return value;
    return this.#refuse(name, value, 'an array');
  }

  /** So many numbers. */
  numbers(name, count) {
    const value = this.list(name);
    if (value?.length === count && value.every(isNumber)) return value;
    return this.#refuse(name, value, `${count} numbers of at least 0`);
  }

  /** Ids of tokens: none, one, or several. */
  ids(name) {
    const value = this.get(name);
    const ids = [value ?? []].flat();
    if (ids.every((id) => Number.isInteger(id) && id >= 0)) return ids;
    return this.#refuse(name, value, 'ids of tokens');
  }

  /** The fields of an object within, or undefined. */
  within(name) {
    const value = this.get(name);
    return value === undefined ? undefined : new ConfigFields(value, `'${name}' of ${this.#place}`);
  }

  /** Refuses any value but these; the first is the one that a missing field has. */
  require(name, ...accepted) {
    const value = this.get(name) ?? accepted[0];
    if (accepted.includes(value)) return value;
    return this.#refuse(name, value, `${accepted.map(describe).join(' or ')}: no other is built`);
  }

  /** A list that says of each layer which of these kinds it is. */
  requireEach(name, list, layers, kinds) {
    if (list.length === layers && list.every((kind) => kinds.includes(kind))) return list;
    throw new RangeError(
      `'${name}' of ${this.#place} must name ${layers} layers, each ${kinds.map(describe).join(' or ')}`,
    );
  }

  /** Whether one of the architectures is called so. */
  isFor(pattern) {
    return (this.list('architectures') ?? []).some((name) => pattern.test(String(name)));
  }
}
