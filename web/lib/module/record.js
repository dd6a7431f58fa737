// The record of a call: doubles, in which the module's description assigns slots to every field. Reads that description,
// writes fields into records and reads them.

/** An object without a prototype: unknown names are undefined even if Object.prototype was changed. */
const table = (entries) => Object.assign(Object.create(null), Object.fromEntries(entries));

const numbersByName = (words) =>
  words.map((word) => {
    const [name, number] = word.split(':');
    return [name, Number(number)];
  });

/**
 * The fields of a function from the module's description: inputs by name, the names of the lists among them, results,
 * the facts that check() computes, and the slot of one of these, `bytes`.
 *
 *     bytes:f:0 x:t:4 rms:n:26 epsilon:o:27 output:r:29
 *
 * Kinds of fields: t a tensor, n a number, o an optional number, l a list, r a result, f a fact.
 */
export function readFields(description) {
  const inputs = new Map();
  const lists = [];
  const results = [];
  const facts = [];
  for (const word of description.split(' ')) {
    const [name, kind, slot] = word.split(':');
    const field = { name, kind, slot: Number(slot) };
    if (kind === 'r') results.push(field);
    else if (kind === 'f') facts.push(field);
    else inputs.set(name, field);
    if (kind === 'l') lists.push(name);
  }
  const bytes = facts.find(({ name }) => name === 'bytes').slot;
  return { inputs, lists, results, facts, bytes };
}

/**
 * Reads the module's description of itself: the slots of each kind of field, its enumerations, and its functions in the
 * order of their indices, each with the size of its record.
 *
 *     layout tensorRank:1 tensorDims:2 …
 *     enum Similarity exponential:0 gaussian:1 …
 *     calls attention:80 scores:64 …
 */
export function readDescription(description) {
  const enums = [];
  const lines = new Map();
  for (const line of description.split('\n')) {
    const [kind, ...words] = line.split(' ');
    if (kind === 'enum') enums.push([words.shift(), table(numbersByName(words))]);
    else lines.set(kind, numbersByName(words));
  }
  const calls = lines.get('calls');
  const functions = new Map(calls.map(([name, size], index) => [name, { index, size }]));
  return { fields: new Fields(lines.get('layout'), table(enums)), enums: table(enums), functions };
}

/** Writes and reads fields of each kind, in the slots of a module's layout. */
class Fields {
  #slots;
  #types;

  constructor(layout, { NumberType }) {
    this.#slots = Object.fromEntries(layout);
    this.#types = NumberType;
  }

  writeNumber(record, { kind, slot }, value) {
    record[slot] = kind === 'o' ? 1 : Number(value);
    if (kind === 'o') record[slot + this.#slots.numberValue] = value;
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
