// A call as the module reads it: a record of doubles, in which every field has the slots that the module
// tells. Here its description is read, and fields are written into a record and read out of it.

/** A table without a prototype: a name that is not in it is undefined, whoever changed Object.prototype. */
const table = (entries) => Object.assign(Object.create(null), Object.fromEntries(entries));

const numbersByName = (words) =>
  words.map((word) => {
    const [name, number] = word.split(':');
    return [name, Number(number)];
  });

/**
 * The fields of a function, as the module describes them: those that come in by name, the names of lists among
 * them, those that go out, the facts that check() finds, of which `bytes`, `parts` and `slices` are three.
 *
 *     bytes:f:0 parts:f:1 slices:f:2 x:t:6 rms:n:28 epsilon:o:29 output:r:31
 *
 * The kinds of fields: t a tensor, n a number, o a number that may be left out, l a list, r a result, f a fact.
 */
export function readFields(description) {
  const given = new Map();
  const lists = [];
  const results = [];
  const facts = [];
  for (const word of description.split(' ')) {
    const [name, kind, slot] = word.split(':');
    const field = { name, kind, slot: Number(slot) };
    if (kind === 'r') results.push(field);
    else if (kind === 'f') facts.push(field);
    else given.set(name, field);
    if (kind === 'l') lists.push(name);
  }
  const slotOf = (fact) => facts.find(({ name }) => name === fact).slot;
  const [bytes, parts, slices] = ['bytes', 'parts', 'slices'].map(slotOf);
  return { given, lists, results, facts, bytes, parts, slices };
}

/**
 * The module's description of itself, in lines: its layout, its enumerations, and its functions in the order of
 * their numbers, each with the size of its record.
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

/** How fields of each kind are written and read, for the layout of a module. */
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

  /** The numbers of a list lie at an address of their own. */
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
    // Whatever the module has no name for becomes float32 when it is copied.
    record[slot + tensorType] = this.#types[type] ?? this.#types.float32;
  }

  isThere(record, { slot }) {
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

  /** Where a tensor's numbers are in the block of the call, in bytes. */
  placeOf(record, { slot }) {
    return record[slot + this.#slots.tensorPlace];
  }

  /** Bytes that the module reserved for the numbers there. */
  bytesOf(record, { slot }) {
    return record[slot + this.#slots.tensorBytes];
  }
}
