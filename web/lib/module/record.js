// The record of a call: doubles, in which the module's description assigns slots to every field. Reads that description
// (src/calls/call.h), writes fields into records and reads them.

/**
 * @import { TensorInput } from '../arguments/tensor.js'
 * @typedef {'tensor' | 'number' | 'optional' | 'list' | 'result' | 'fact'} FieldKind
 * @typedef {{ name: string, kind: FieldKind, slot: number }} Field
 */

/**
 * @typedef {object} Signature a function of the module
 * @property {number} index
 * @property {number} size of its record, in doubles
 * @property {Map<string, Field>} inputs by name
 * @property {string[]} lists names of the lists among them
 * @property {Field[]} results
 * @property {Field[]} facts what check() computes
 * @property {number} bytes slot of the size of the block
 * @property {number} isDivisible slot of whether the call may be computed in ranges
 */

/**
 * @typedef {object} Layout slots of the parts of a field, relative to its own
 * @property {number} numberValue
 * @property {number} listCount
 * @property {number} listAddress
 * @property {number} tensorRank
 * @property {number} tensorDims
 * @property {number} tensorCount
 * @property {number} tensorType
 * @property {number} tensorOffset
 * @property {number} tensorBytes
 * @property {number} maximumRank most dims that a record holds
 */

/**
 * @typedef {object} Description the module's description of itself
 * @property {Layout} layout
 * @property {Record<string, Record<string, number>>} enums
 * @property {{ name: string, doubles: number, fields: Field[] }[]} calls
 */

/**
 * An object without a prototype: unknown names are undefined even if Object.prototype was changed.
 *
 * @template {object} Entries
 * @param {Entries} object
 * @returns {Entries}
 */
const table = (object) => Object.assign(Object.create(null), object);

/**
 * @param {Description['calls'][number]} call
 * @param {number} index
 * @returns {Signature}
 */
function readFunction({ doubles, fields }, index) {
  const ofKind = (/** @type {FieldKind[]} */ ...kinds) =>
    fields.filter(({ kind }) => kinds.includes(kind));
  const facts = ofKind('fact');
  const slots = new Map(facts.map(({ name, slot }) => [name, slot]));
  return {
    index,
    size: doubles,
    inputs: new Map(
      ofKind('tensor', 'number', 'optional', 'list').map((field) => [field.name, field]),
    ),
    lists: ofKind('list').map(({ name }) => name),
    results: ofKind('result'),
    facts,
    bytes: entryOf(slots, 'bytes'),
    isDivisible: entryOf(slots, 'isDivisible'),
  };
}

/**
 * The entry of a name that the module has.
 *
 * @template Value
 * @param {Map<string, Value>} entries
 * @param {string} name
 */
export function entryOf(entries, name) {
  const entry = entries.get(name);
  if (entry === undefined) throw new TypeError(`the module has no '${name}'`);
  return entry;
}

/**
 * Reads the module's description of itself: the slots of each kind of field, its enumerations and its functions.
 *
 * @param {string} description
 */
export function readDescription(description) {
  /** @type {Description} */
  const { layout, enums: types, calls } = JSON.parse(description);
  const enums = table(types);
  for (const type of Object.keys(enums)) enums[type] = table(enums[type]);
  const functions = new Map(calls.map((call, index) => [call.name, readFunction(call, index)]));
  return { fields: new Fields(layout, enums), enums, functions };
}

/** Writes and reads fields of each kind, in the slots of a module's layout. */
export class Fields {
  /** @type {Layout} */
  #slots;
  /** @type {Record<string, number>} */
  #types;

  /**
   * @param {Layout} layout
   * @param {Description['enums']} enums
   */
  constructor(layout, { NumberType }) {
    this.#slots = layout;
    this.#types = NumberType;
  }

  /**
   * @param {Float64Array} record
   * @param {Field} field
   * @param {number | boolean} value
   */
  writeNumber(record, { kind, slot }, value) {
    record[slot] = kind === 'optional' ? 1 : Number(value);
    if (kind === 'optional') record[slot + this.#slots.numberValue] = Number(value);
  }

  /**
   * A list is stored as the address and count of its numbers.
   *
   * @param {Float64Array} record
   * @param {Field} field
   * @param {number} count
   * @param {number} address
   */
  writeList(record, { slot }, count, address) {
    record[slot] = 1;
    record[slot + this.#slots.listCount] = count;
    record[slot + this.#slots.listAddress] = address;
  }

  /**
   * @param {Float64Array} record
   * @param {Field} field
   * @param {TensorInput} tensor
   * @param {number} count
   */
  writeTensor(record, { slot }, { dims, type }, count) {
    const { tensorRank, tensorDims, tensorCount, tensorType, maximumRank } = this.#slots;
    record[slot] = 1;
    record[slot + tensorRank] = dims.length;
    for (let axis = 0; axis < dims.length && axis < maximumRank; axis++) {
      record[slot + tensorDims + axis] = dims[axis];
    }
    record[slot + tensorCount] = count;
    // Types that the module does not know are converted to float32 when they are copied.
    record[slot + tensorType] = this.#types[type] ?? this.#types.float32;
  }

  isPresent(/** @type {Float64Array} */ record, /** @type {Field} */ { slot }) {
    return record[slot] !== 0;
  }

  dimsOf(/** @type {Float64Array} */ record, /** @type {Field} */ { slot }) {
    const { tensorRank, tensorDims } = this.#slots;
    /** @type {number[]} */
    const dims = new Array(record[slot + tensorRank]);
    for (let axis = 0; axis < dims.length; axis++) dims[axis] = record[slot + tensorDims + axis];
    return dims;
  }

  countOf(/** @type {Float64Array} */ record, /** @type {Field} */ { slot }) {
    return record[slot + this.#slots.tensorCount];
  }

  /** Offset of a tensor's numbers in the block of the call, in bytes. */
  offsetOf(/** @type {Float64Array} */ record, /** @type {Field} */ { slot }) {
    return record[slot + this.#slots.tensorOffset];
  }

  /** Bytes that the module reserved for them. */
  bytesOf(/** @type {Float64Array} */ record, /** @type {Field} */ { slot }) {
    return record[slot + this.#slots.tensorBytes];
  }
}
