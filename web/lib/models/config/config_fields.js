// Validated fields of a config.json. 'n_embd|hidden_size' names two spellings of one field. Only own properties count, and
// null counts as missing. A family describes a model by numbers and functions: whatever has the length of a size is made
// after the size was compared with the tensors (see plan_layers.js), or has a limit here.
import { describe } from '../../arguments/describe.js';

const maxInteger = 2 ** 31 - 1;
const maxLayers = 4096;

/** Max distance of two tokens in a table with a number for each distance. */
export const maxDistance = 2 ** 16;

/** Smallest normal float32 number: its reciprocal is finite, too. */
const minPositive = 2 ** -126;

/** This library's name for each activation of a config. */
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

/** Activations that heads have, and layers do not. */
const headActivations = ['tanh'];

/** An own property of an object, or undefined. */
export const ownField = (object, name) =>
  Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined;

// No field may be negative; layers compute in float32.
const isNumber = (value) =>
  typeof value === 'number' && Number.isFinite(Math.fround(value)) && value >= 0;

/** The number of layers, limited so that a config cannot request unbounded work. */
export function checkLayers(count, source = 'config.json') {
  if (count <= maxLayers) return count;
  throw new RangeError(`${source} requests ${count} layers; the limit is ${maxLayers}`);
}

export class ConfigFields {
  #fields;
  #source;
  #read = new Set();
  #nested = new Map();

  constructor(fields, source = 'config.json') {
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
      throw new TypeError(`${source} must be an object, found ${describe(fields)}`);
    }
    this.#fields = fields;
    this.#source = source;
  }

  /** [name, value] of the first spelling present; the value is undefined if all are missing and there is a default. */
  #find(names, defaultValue) {
    const spellings = names.split('|');
    // All spellings are read: a config may have several, as n_positions and n_ctx.
    const [name] = spellings.filter((spelling) => this.get(spelling) !== undefined);
    if (name !== undefined) return [name, this.get(name)];
    if (defaultValue !== undefined) return [spellings[0], undefined];
    const spelled = spellings.map((spelling) => `'${spelling}'`).join(' or ');
    throw new RangeError(`${this.#source} has no ${spelled}`);
  }

  #refuse(name, value, expected) {
    throw new RangeError(
      `'${name}' of ${this.#source} must be ${expected}, found ${describe(value)}`,
    );
  }

  /** Throws if no spelling is present. */
  requireOne(names) {
    this.#find(names);
  }

  /** The names of all fields. */
  get names() {
    return Object.keys(this.#fields);
  }

  /**
   * Names of fields that are neither read nor ignored on purpose, 'outer.inner' of nested objects. isIgnored: a function of
   * a name.
   */
  unknown(isIgnored) {
    return this.names.flatMap((name) => {
      const inner = this.#nested.get(name);
      if (inner) return inner.unknown(isIgnored).map((own) => `${name}.${own}`);
      const isUnknown = !this.#read.has(name) && !isIgnored(name);
      return isUnknown && this.get(name) !== undefined ? [name] : [];
    });
  }

  /** The unchecked value, or undefined. */
  get(name) {
    this.#read.add(name);
    return ownField(this.#fields, name);
  }

  /** Whether the field is present and null. */
  isNull(name) {
    return this.get(name) === undefined && Object.hasOwn(this.#fields, name);
  }

  integer(names, defaultValue, min = 1, max = maxInteger) {
    const [name, value = defaultValue] = this.#find(names, defaultValue);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    return this.#refuse(name, value, `an integer from ${min} to ${max}`);
  }

  /** [height, width] of an image or patch: an integer, or two. */
  sides(name, defaultValue) {
    const value = this.get(name) ?? defaultValue;
    const sides = Array.isArray(value) ? value : [value, value];
    const isSide = (side) => Number.isInteger(side) && side > 0 && side <= maxInteger;
    if (sides.length === 2 && sides.every(isSide)) return sides;
    return this.#refuse(name, value, `an integer from 1 to ${maxInteger}, or [height, width]`);
  }

  /** The number of layers. */
  layers(names, defaultValue) {
    return checkLayers(this.integer(names, defaultValue), this.#source);
  }

  number(names, defaultValue) {
    const [name, value = defaultValue] = this.#find(names, defaultValue);
    return isNumber(value) ? value : this.#refuse(name, value, 'a number of at least 0');
  }

  flag(names, defaultValue) {
    const [name, value = defaultValue] = this.#find(names, defaultValue);
    return typeof value === 'boolean' ? value : this.#refuse(name, value, 'true or false');
  }

  /**
   * An activation function of a layer or, with isOfHead, of a head, by this library's name for it.
   *
   * @param {string | string[]} names
   * @param {string} [defaultValue]
   */
  activation(names, defaultValue, isOfHead = false) {
    const [name, value = defaultValue] = this.#find(names, defaultValue);
    const known = [...activations].filter(([, own]) => isOfHead || !headActivations.includes(own));
    const found = known.find(([spelling]) => spelling === value);
    if (found) return found[1];
    return this.#refuse(name, value, `one of ${known.map(([spelling]) => spelling).join(', ')}`);
  }

  list(names) {
    const [name, value] = this.#find(names, []);
    if (value === undefined || Array.isArray(value)) return value;
    return this.#refuse(name, value, 'an array');
  }

  /** An array of exactly `count` numbers. */
  numbers(name, count) {
    const value = this.list(name);
    if (value?.length === count && value.every(isNumber)) return value;
    return this.#refuse(name, value, `${count} numbers of at least 0`);
  }

  /** Token ids as an array; a single id counts as an array of one, a missing field as empty. */
  ids(name) {
    const value = this.get(name);
    const ids = [value ?? []].flat();
    if (ids.every((id) => Number.isInteger(id) && id >= 0)) return ids;
    return this.#refuse(name, value, 'token ids');
  }

  /** Arrays of at least one token id; a missing field has none. */
  idLists(name) {
    const lists = this.list(name) ?? [];
    const isId = (id) => Number.isInteger(id) && id >= 0;
    const isList = (ids) => Array.isArray(ids) && ids.length > 0 && ids.every(isId);
    const wrong = lists.findIndex((ids) => !isList(ids));
    return wrong < 0
      ? lists
      : this.#refuse(`${name}[${wrong}]`, lists[wrong], 'an array of at least one token id');
  }

  /** The fields of a nested object, or undefined. */
  nested(name) {
    const value = this.get(name);
    if (value === undefined) return undefined;
    if (!this.#nested.has(name)) {
      this.#nested.set(name, new ConfigFields(value, `'${name}' of ${this.#source}`));
    }
    return this.#nested.get(name);
  }

  /** A number above 0, and not so small that float32 has no reciprocal of it: a divisor, a base or an epsilon. */
  positive(names, defaultValue) {
    const [name, value = defaultValue] = this.#find(names, defaultValue);
    if (isNumber(value) && value >= minPositive) return value;
    return this.#refuse(name, value, 'a number above 0, of at least 2^-126');
  }

  /** Throws for any value but these; the first is the default. */
  require(name, ...accepted) {
    const value = this.get(name) ?? accepted[0];
    if (accepted.includes(value)) return value;
    return this.#refuse(
      name,
      value,
      `${accepted.map(describe).join(' or ')}: other values are not supported`,
    );
  }

  /** Checks a list with one of these kinds per layer. */
  requireEach(name, list, layers, kinds) {
    if (list.length === layers && list.every((kind) => kinds.includes(kind))) return list;
    throw new RangeError(
      `'${name}' of ${this.#source} must name ${layers} layers, each ${kinds.map(describe).join(' or ')}`,
    );
  }

  /** Whether the name of an architecture matches. */
  hasArchitecture(pattern) {
    return (this.list('architectures') ?? []).some(
      (name) => typeof name === 'string' && pattern.test(name),
    );
  }
}
