// The airlock to the module's memory: a call is written into a record of doubles, checked there,
// given one block, and its tensors are copied in and out. No other file sees the memory.
//
// Views are made after the last thing that may grow the memory and dropped before the next.
import { halfBits, ofFixedLength, plainArray, typedArrayLength } from '../arguments/typed_array.js';
import { addressIn } from './module_object.js';
import { readDescription, readFields } from './record.js';
import { ReleasedMemory } from './released_memory.js';

const bytesPerDouble = 8;
const bytesPerFloat = 4;
// A block of this size stays for the next call: asking for memory takes longer than a small call.
const smallBlockBytes = 2 ** 17;

/**
 * Writes a tensor's numbers as they are; of int8 each row after its scale. The module says how many bytes they take:
 * the views end there, so that nothing is written beyond.
 */
function writeNumbers(buffer, place, bytes, { type, dims, scales }, data) {
  if (type === 'float16' || type === 'bfloat16') {
    new Uint16Array(buffer, place, bytes / 2).set(halfBits(data));
  } else if (type === 'int8') {
    const width = dims.at(-1);
    const rows = new Int8Array(buffer, place, bytes);
    const scaleBytes = new Int8Array(scales.buffer);
    for (let row = 0, at = 0; at < bytes; row++, at += 4 + width) {
      rows.set(scaleBytes.subarray(4 * row, 4 * row + 4), at);
      rows.set(data.subarray(row * width, (row + 1) * width), at + 4);
    }
  } else if (type === 'Uint8Array') {
    new Uint8Array(buffer, place, bytes).set(data);
  } else {
    new Float32Array(buffer, place, bytes / bytesPerFloat).set(data);
  }
}

export class Heap {
  #module;
  #memory;
  #reference;
  #functions; // their numbers and the sizes of their records, by name
  #called = new Map(); // what else is known of those that were called
  #fields;
  #record = 0; // address of the record, followed by the lists of the call
  #recordDoubles = 0;
  #buffer; // of the memory, until that grows
  #view = new Float64Array(0); // of the record
  #floats; // of all of it
  #smallBlock = 0; // its address, or 0
  // What was thrown out of the module. Set without a call: there may be no room for one on the stack.
  #interruption = null;
  #sizes; // where what is left is wiped: the bytes of each block, by address

  constructor(module, memory, reference, wipe) {
    this.#module = module;
    this.#memory = memory;
    this.#reference = reference;
    if (wipe) this.#sizes = new Map();
    const { fields, enums, functions } = readDescription(this.#text(module.describe()));
    this.#fields = fields;
    this.#functions = functions;
    /** What results are copied into, if it fits. */
    this.released = new ReleasedMemory();
    /** The module's numbers for names: enums.Similarity.gaussian. */
    this.enums = enums;
    this.#reserveRecord(Math.max(...[...functions.values()].map(({ size }) => size)));
  }

  /** Bytes of the module's memory. It grows when a call needs more and, as all wasm memory, never shrinks. */
  get size() {
    return this.#memory.buffer.byteLength;
  }

  /**
   * Runs a function. Everything but the numbers of typed arrays has been read: no code of the caller runs in this
   * thread from here on. Other threads may write to shared memory, and make it longer.
   *
   * @param {string} name
   * @param {object} given fields of the record by name; undefined and null ones are not given. A tensor is
   *   { name, data, type, dims, scales }, a list an array, an object of the module itself or its address,
   *   everything else a number or a boolean.
   * @returns {Record<string, { data: Float32Array, dims: number[] }>} the results that there are
   */
  call(name, given) {
    return this.#checked(name, given, (call) => this.#run(call));
  }

  /** The facts about a call that is not run: numbers by name. */
  facts(name, given) {
    return this.#checked(name, given, ({ called }) => this.#factsOf(called));
  }

  /** The dims that the results of a call will have, by name, and the facts about it. */
  plan(name, given) {
    return this.#checked(name, given, ({ called }) => {
      const record = this.#doubles();
      const dims = Object.create(null);
      for (const result of called.results) {
        if (this.#fields.isThere(record, result)) {
          dims[result.name] = this.#fields.dimsOf(record, result);
        }
      }
      return { facts: this.#factsOf(called), dims };
    });
  }

  /** Runs a function that makes an object; the facts about it, with its address as `object`. */
  create(name, given) {
    return this.#checked(name, given, (call) => this.#make(call));
  }

  /** What is made of a call that the module has looked at; nothing of it is left where that is wiped. */
  #checked(name, given, use) {
    try {
      return use(this.#check(name, given));
    } finally {
      this.#wipe();
    }
  }

  #make(call) {
    const facts = this.#factsOf(call.called);
    facts.object = this.#allocate(facts.objectBytes);
    try {
      this.#fields.writeNumber(this.#doubles(), call.called.given.get('object'), facts.object);
      this.#run(call);
    } catch (error) {
      this.free(facts.object);
      throw error;
    }
    return facts;
  }

  /** Releases what create() made. */
  free(address) {
    if (this.#interruption !== null) return;
    this.#zero(address);
    this.#enter('release', address);
  }

  /** Zeros a block, where what is left is wiped. */
  #zero(address) {
    const bytes = this.#sizes?.get(address);
    if (bytes) new Uint8Array(this.#memory.buffer, address, bytes).fill(0);
  }

  /** Zeros, where that is wanted, what a call leaves in the memory that stays: all of it, if it is of no use. */
  #wipe() {
    if (!this.#sizes) return;
    if (this.isInterrupted) {
      new Uint8Array(this.#memory.buffer).fill(0); // if the caller's stack has room: else in the next call
    } else {
      this.#zero(this.#record);
      this.#zero(this.#smallBlock);
      this.#enter('wipeStack');
    }
  }

  /**
   * Whether a call was left in the middle: the caller's stack was full, or the module itself failed. Whatever it
   * was doing is half done, so it is not called any more.
   */
  get isInterrupted() {
    return this.#interruption !== null;
  }

  /** Calls a function of the module, which takes as many of the numbers as it wants. */
  #enter(name, first, second, third, fourth) {
    try {
      return this.#module[name](first, second, third, fourth);
    } catch (error) {
      this.#interruption = error;
      throw error;
    }
  }

  /** The text at an address. */
  #text(address) {
    const bytes = new Uint8Array(this.#memory.buffer);
    return new TextDecoder().decode(bytes.subarray(address, bytes.indexOf(0, address)));
  }

  /** What is known of a function; most programs call few. */
  #knownOf(name) {
    let known = this.#called.get(name);
    if (known === undefined) {
      const { index, size } = this.#functions.get(name);
      const fields = readFields(this.#text(this.#enter('describeCall', index)));
      this.#called.set(name, (known = { index, size, ...fields }));
    }
    return known;
  }

  #requireWhole() {
    if (!this.isInterrupted) return;
    const { message } = this.#interruption;
    throw new Error(
      `a call was interrupted (${message}), and what it left cannot be used: loadAttention() gives a fresh one`,
      { cause: this.#interruption },
    );
  }

  /** A block for a call that needs so many bytes. */
  #blockFor(bytes) {
    if (bytes > smallBlockBytes) return this.#allocate(bytes);
    if (this.#smallBlock === 0) this.#smallBlock = this.#allocate(smallBlockBytes);
    return this.#smallBlock;
  }

  #allocate(bytes) {
    const address = this.#enter('allocate', bytes);
    if (address === 0) {
      const mebibytes = Math.ceil(bytes / 2 ** 20);
      throw new RangeError(`out of memory: this call needs ${mebibytes} MiB more than there is`);
    }
    this.#sizes?.set(address, bytes);
    return address;
  }

  #reserveRecord(doubles) {
    if (doubles <= this.#recordDoubles) return;
    const record = this.#allocate(doubles * bytesPerDouble);
    if (this.#record !== 0) this.free(this.#record);
    this.#record = record;
    this.#recordDoubles = doubles;
  }

  /** The record. Views last until the memory grows, which empties them: asking it for its buffer takes longer. */
  #doubles() {
    if (this.#view.length !== this.#recordDoubles) {
      this.#buffer = this.#memory.buffer;
      this.#view = new Float64Array(this.#buffer, this.#record, this.#recordDoubles);
      this.#floats = new Float32Array(this.#buffer);
    }
    return this.#view;
  }

  /** The record, of zeros, with room for the lists of a call. */
  #emptyRecord({ size, lists }, given) {
    let doubles = size;
    for (const name of lists) doubles += given[name]?.length ?? 0;
    this.#reserveRecord(doubles);
    return this.#doubles().fill(0, 0, size);
  }

  #factsOf(called) {
    const record = this.#doubles();
    const facts = Object.create(null);
    for (const { name, slot } of called.facts) facts[name] = record[slot];
    return facts;
  }

  /** Writes a call into the record and has the module look at it. */
  #check(name, given) {
    this.#requireWhole();
    const called = this.#knownOf(name);
    const record = this.#emptyRecord(called, given);
    const tensors = [];
    let end = called.size;
    for (const field of Object.keys(given)) {
      const value = given[field];
      if (value == null) continue;
      const into = called.given.get(field);
      if (into.kind === 't') {
        const length = typedArrayLength(value.name, value.data, '.data');
        const data = ofFixedLength(value.data, length);
        this.#fields.writeTensor(record, into, value, length);
        tensors.push({ into, value, data, length });
      } else if (into.kind === 'l') {
        this.#fields.writeList(record, into, value.length, this.#record + end * bytesPerDouble);
        record.set(value, end);
        end += value.length;
      } else {
        const number = typeof value === 'object' ? addressIn(this, value) : value;
        this.#fields.writeNumber(record, into, number);
      }
    }
    const problem = this.#enter('check', called.index, this.#record);
    if (problem !== 0) throw new RangeError(this.#text(problem));
    return { called, tensors };
  }

  /** Runs the call in the record, which was checked. */
  #run({ called, tensors }) {
    const record = this.#doubles();
    const parts = record[called.parts];
    const slices = record[called.slices];
    const block = this.#blockFor(record[called.bytes]);
    const copied = {};
    try {
      for (let part = 0; part < parts; part++) {
        this.#copyIn(tensors, block, part);
        for (let slice = 0; slice < slices; slice++) {
          this.#enter('run', called.index, this.#reference, this.#record, block);
          this.#copyOut(called, block, copied, part, slice);
        }
      }
      return copied;
    } finally {
      if (block !== this.#smallBlock) this.free(block);
    }
  }

  /** Copies what a run wants: of tensors that come part by part the next numbers, the others before the first. */
  #copyIn(tensors, block, part) {
    const record = this.#doubles();
    for (const { into, value, data, length } of tensors) {
      const place = block + this.#fields.placeOf(record, into);
      const bytes = this.#fields.bytesOf(record, into);
      const count = this.#fields.countOf(record, into);
      if (count < length) {
        const numbers = plainArray(data).subarray(part * count, (part + 1) * count);
        writeNumbers(this.#buffer, place, bytes, value, numbers);
      } else if (part === 0) {
        writeNumbers(this.#buffer, place, bytes, value, data);
      }
    }
  }

  /** Copies what a run leaves: of a result that goes slice by slice the next, the last of a part perhaps smaller; the
   * others after the last run. */
  #copyOut({ results, parts, slices }, block, copied, part, slice) {
    const record = this.#doubles();
    const isLast = part + 1 === record[parts] && slice + 1 === record[slices];
    for (const result of results) {
      if (!this.#fields.isThere(record, result)) continue;
      const count = this.#fields.countOf(record, result);
      const dims = this.#fields.dimsOf(record, result);
      const length = dims.reduce((size, dim) => size * dim, 1);
      // Not by ??=, to which whatever somebody added to Object.prototype would be there already.
      if (part + slice === 0) copied[result.name] = { data: undefined, dims };
      const copy = copied[result.name];
      const at = (block + this.#fields.placeOf(record, result)) / bytesPerFloat;
      if (count < length) {
        copy.data ??= this.released.room(length);
        const size = length / record[parts];
        const first = slice * count;
        const numbers = this.#floats.subarray(at, at + Math.min(count, size - first));
        copy.data.set(numbers, part * size + first);
      } else if (isLast) {
        copy.data = this.released.copyOf(this.#floats, at, at + count);
      }
    }
  }
}
