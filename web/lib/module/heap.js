// The airlock to the module's memory: a call is written into a record of doubles, checked there,
// given one block, and its tensors are copied in and out. No other file sees the memory.
//
// Views are made after the last thing that may grow the memory and dropped before the next.
import { halfBits, typedArrayLength } from '../arguments/typed_array.js';

const bytesPerDouble = 8;
// Blocks up to this size are kept for the next call: asking for memory takes longer than a small call.
const keptBytes = 2 ** 17;
// As the module counts them (shapes.h: NumberType); every other type is converted to float32 here.
const numberTypes = ['Float32Array', 'float16', 'bfloat16', 'int8'];

/** Writes a tensor's numbers where they end up as floats, narrow ones at the end of that place. */
function writeNumbers(buffer, place, { data, type, dims, scales }, length) {
  if (type === 'float16' || type === 'bfloat16') {
    new Uint16Array(buffer, place + 2 * length, length).set(halfBits(data));
  } else if (type === 'int8') {
    const width = dims.at(-1);
    const bytes = new Int8Array(buffer);
    const scaleBytes = new Int8Array(Float32Array.from(scales).buffer);
    let at = place + 4 * length - (length / width) * (4 + width);
    for (let row = 0; row < length; row += width, at += 4 + width) {
      bytes.set(scaleBytes.subarray((4 * row) / width, (4 * row) / width + 4), at);
      bytes.set(data.subarray(row, row + width), at + 4);
    }
  } else {
    const View = type === 'Uint8Array' ? Uint8Array : Float32Array;
    new View(buffer, place, length).set(data);
  }
}

/** What the module can do: for each name its index, the size of its record and where its fields are. */
function readFunctions(description) {
  return new Map(
    description
      .trimEnd()
      .split('\n')
      .map((line, index) => {
        const [name, size, ...fields] = line.split(' ');
        const places = fields.map((field) => {
          const [fieldName, kind, slot] = field.split(':');
          return [fieldName, { name: fieldName, kind, slot: Number(slot) }];
        });
        const results = places.map(([, place]) => place).filter(({ kind }) => kind === 'r');
        return [name, { index, size: Number(size), fields: new Map(places), results }];
      }),
  );
}

export class Heap {
  #module;
  #memory;
  #reference;
  #functions;
  #slots;
  #record = 0; // address of the record, followed by the lists of the call
  #recordDoubles = 0;
  #view = new Float64Array(0); // of the record
  #kept = 0; // address of a block of keptBytes, or 0
  #made = new WeakSet();
  #forgotten = new FinalizationRegistry((address) => this.#module.release(address));

  constructor(module, memory, reference) {
    this.#module = module;
    this.#memory = memory;
    this.#reference = reference;
    this.#functions = readFunctions(module.describe());
    // Out of the module's object, which has too many properties to be read quickly.
    const { tensorRank, tensorDims, tensorCount, tensorPlace, tensorType, maximumRank } = module;
    const { numberValue, listCount, listAddress } = module;
    this.#slots = {
      tensorRank,
      tensorDims,
      tensorCount,
      tensorPlace,
      tensorType,
      maximumRank,
      numberValue,
      listCount,
      listAddress,
    };
    this.#reserveRecord(Math.max(...[...this.#functions.values()].map(({ size }) => size)));
  }

  /** Bytes of the module's memory. It grows when a call needs more and, as all wasm memory, never shrinks. */
  get size() {
    return this.#memory.buffer.byteLength;
  }

  /**
   * Runs a function. Everything has been read: no code of the caller runs from here on.
   *
   * @param {string} name
   * @param {object} given fields of the record by name; undefined ones are not given. A tensor is
   *   { name, data, type, dims }, a list an array, everything else a number or a boolean.
   * @returns {Record<string, { data: Float32Array, dims: number[] }>} the results that there are
   */
  call(name, given) {
    const call = this.#check(name, given);
    const bytes = this.#doubles()[call.fields.get('bytes').slot];
    const block = bytes <= keptBytes ? this.#keptBlock() : this.#allocate(bytes);
    try {
      this.#copyIn(call.tensors, block);
      this.#module.run(call.index, this.#reference, this.#record, block);
      return this.#copyOut(call.results, block);
    } finally {
      if (block !== this.#kept) this.#module.release(block);
    }
  }

  /** What the module finds out about a call, without running it: numbers by name. */
  facts(name, given) {
    const call = this.#check(name, given);
    const facts = {};
    for (const [field, { kind, slot }] of call.fields) {
      if (kind === 'f') facts[field] = this.#doubles()[slot];
    }
    return facts;
  }

  /** The dims that the results of a call will have, by name, and the facts about it. */
  plan(name, given) {
    const facts = this.facts(name, given);
    const record = this.#doubles();
    const dims = {};
    for (const [field, { kind, slot }] of this.#functions.get(name).fields) {
      if (kind === 'r' && record[slot] !== 0) dims[field] = this.#dimsAt(record, slot);
    }
    return { facts, dims };
  }

  /** Runs a function that makes an object; returns its address and the facts about it. */
  create(name, given) {
    const facts = this.facts(name, given);
    const object = this.#allocate(facts.objectBytes);
    try {
      this.call(name, { ...given, object });
    } catch (error) {
      this.#module.release(object);
      throw error;
    }
    const made = { ...facts, object };
    this.#made.add(made);
    return made;
  }

  /** Whether this is what create() returned. */
  hasMade(facts) {
    return this.#made.has(facts);
  }

  /** Releases the object at an address when its owner is gone, unless release() was called before. */
  watch(owner, address) {
    this.#forgotten.register(owner, address, owner);
  }

  release(owner, address) {
    this.#forgotten.unregister(owner);
    this.free(address);
  }

  /** Releases an object that nobody watches. */
  free(address) {
    this.#module.release(address);
  }

  #keptBlock() {
    if (this.#kept === 0) this.#kept = this.#allocate(keptBytes);
    return this.#kept;
  }

  #allocate(bytes) {
    const address = this.#module.allocate(bytes);
    if (address === 0) {
      const mebibytes = Math.ceil(bytes / 2 ** 20);
      throw new RangeError(`out of memory: this call needs ${mebibytes} MiB more than there is`);
    }
    return address;
  }

  #reserveRecord(doubles) {
    if (doubles <= this.#recordDoubles) return;
    const record = this.#allocate(doubles * bytesPerDouble);
    if (this.#record !== 0) this.#module.release(this.#record);
    this.#record = record;
    this.#recordDoubles = doubles;
  }

  /** The record. A view of it lasts until the memory grows. */
  #doubles() {
    const { buffer } = this.#memory;
    if (this.#view.buffer !== buffer || this.#view.length !== this.#recordDoubles) {
      this.#view = new Float64Array(buffer, this.#record, this.#recordDoubles);
    }
    return this.#view;
  }

  #dimsAt(record, slot) {
    const { tensorRank, tensorDims } = this.#slots;
    const dims = [];
    for (let axis = 0; axis < record[slot + tensorRank]; axis++) {
      dims.push(record[slot + tensorDims + axis]);
    }
    return dims;
  }

  #check(name, given) {
    const { index, size, fields, results } = this.#functions.get(name);
    const tensors = [];
    const others = [];
    let doubles = size;
    for (const field of Object.keys(given)) {
      const value = given[field];
      if (value === undefined) continue;
      const { kind, slot } = fields.get(field);
      if (kind === 't') {
        tensors.push({ slot, value, length: typedArrayLength(`${value.name}.data`, value.data) });
      } else {
        others.push({ kind, slot, value });
        if (kind === 'l') doubles += value.length;
      }
    }
    this.#reserveRecord(doubles);
    const record = this.#doubles();
    record.fill(0, 0, size);
    let end = size;
    for (const { kind, slot, value } of others) {
      if (kind === 'l') end = this.#writeList(record, slot, value, end);
      else this.#writeNumber(record, kind, slot, value);
    }
    for (const tensor of tensors) this.#writeTensor(record, tensor);
    if (!this.#module.check(index, this.#record)) throw new RangeError(this.#module.problem());
    return { index, fields, results, tensors };
  }

  #writeNumber(record, kind, slot, value) {
    if (kind === 'o') {
      record[slot] = 1;
      record[slot + this.#slots.numberValue] = value;
    } else {
      record[slot] = Number(value);
    }
  }

  /** Returns where the next list begins. */
  #writeList(record, slot, list, end) {
    record[slot] = 1;
    record[slot + this.#slots.listCount] = list.length;
    record[slot + this.#slots.listAddress] = this.#record + end * bytesPerDouble;
    record.set(list, end);
    return end + list.length;
  }

  #writeTensor(record, { slot, value, length }) {
    const { tensorRank, tensorDims, tensorCount, tensorType, maximumRank } = this.#slots;
    const { dims, type } = value;
    record[slot] = 1;
    record[slot + tensorRank] = dims.length;
    for (let axis = 0; axis < dims.length && axis < maximumRank; axis++) {
      record[slot + tensorDims + axis] = dims[axis];
    }
    record[slot + tensorCount] = length;
    record[slot + tensorType] = Math.max(0, numberTypes.indexOf(type));
  }

  #copyIn(tensors, block) {
    const record = this.#doubles();
    const { buffer } = this.#memory;
    for (const { slot, value, length } of tensors) {
      const place = block + record[slot + this.#slots.tensorPlace];
      writeNumbers(buffer, place, value, length);
    }
  }

  #copyOut(results, block) {
    const record = this.#doubles();
    const slots = this.#slots;
    const copied = {};
    for (const { name, slot } of results) {
      if (record[slot] === 0) continue;
      const place = block + record[slot + slots.tensorPlace];
      const count = record[slot + slots.tensorCount];
      copied[name] = {
        data: new Float32Array(this.#memory.buffer, place, count).slice(),
        dims: this.#dimsAt(record, slot),
      };
    }
    return copied;
  }
}
