// The record of a call: doubles, in which the module's description assigns slots to every field. Reads that description
// (src/calls/call.h), writes fields into records and reads them.

/** An object without a prototype: unknown names are undefined even if Object.prototype was changed. */
const table = (object) => Object.assign(Object.create(null), object);

/**
 * A function of the module: its index, the size of its record, and its fields { name, kind, slot }: inputs by name, the
 * names of the lists among them, results, and facts, which check() computes. Slots of two facts of every function:
 * `bytes`, the size of the block, and `isDivisible`.
 */
function readFunction({ doubles, fields }, index) {
  const ofKind = (...kinds) => fields.filter(({ kind }) => kinds.includes(kind));
  const facts = ofKind('fact');
  const slotOf = (fact) => facts.find(({ name }) => name === fact).slot;
  return {
    index,
    size: doubles,
    inputs: new Map(
      ofKind('tensor', 'number', 'optional', 'list').map((field) => [field.name, field]),
    ),
    lists: ofKind('list').map(({ name }) => name),
    results: ofKind('result'),
    facts,
    bytes: slotOf('bytes'),
    isDivisible: slotOf('isDivisible'),
  };
}

/** Reads the module's description of itself: the slots of each kind of field, its enumerations and its functions. */
export function readDescription(description) {
  const { layout, enums: types, calls } = JSON.parse(description);
  const enums = table(types);
  for (const type of Object.keys(enums)) enums[type] = table(enums[type]);
  const functions = new Map(calls.map((call, index) => [call.name, readFunction(call, index)]));
  return { fields: new Fields(layout, enums), enums, functions };
}

/** Writes and reads fields of each kind, in the slots of a module's layout. */
class Fields {
  #slots;
  #types;

  constructor(layout, { NumberType }) {
    this.#slots = layout;
    this.#types = NumberType;
  }

  writeNumber(record, { kind, slot }, value) {
    record[slot] = kind === 'optional' ? 1 : Number(value);
    if (kind === 'optional') record[slot + this.#slots.numberValue] = value;
  }

  /** A list is stored as the address and count of its numbers. */
  writeList(record, { slot }, count, address) {
    record[slot] = 1;
    record[slot + this.#slots.listCount] = count;
    record[slot + this.#slots.listAddress] = address;
  }

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

  isPresent(record, { slot }) {
    return record[slot] !== 0;
  }

  dimsOf(record, { slot }) {
    const { tensorRank, tensorDims } = this.#slots;
    const dims = new Array(record[slot + tensorRank]);
    for (let axis = 0; axis < dims.length; axis++) dims[axis] = record[slot + tensorDims + axis];
    return dims;
  }

  countOf(record, { slot }) {
    return record[slot + this.#slots.tensorCount];
  }

  /** Offset of a tensor's numbers in the block of the call, in bytes. */
  offsetOf(record, { slot }) {
    return record[slot + this.#slots.tensorOffset];
  }

  /** Bytes that the module reserved for them. */
  bytesOf(record, { slot }) {
    return record[slot + this.#slots.tensorBytes];
  }
}
