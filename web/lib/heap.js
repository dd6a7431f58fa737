// The airlock to the module's memory: a call is written into a record of doubles, checked there,
// given one block, and its tensors are copied in and out. No other file sees the memory.
//
// Views are made after the last thing that may grow the memory and dropped before the next.
import { halfBits, typedArrayLength } from './typed_array.js';

const bytesPerDouble = 8;
// As the module counts them (shapes.h: NumberType); every other type is converted to float32 here.
const numberTypes = ['Float32Array', 'float16', 'bfloat16'];
const isHalf = (type) => numberTypes.indexOf(type) > 0;

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
          return [fieldName, { kind, slot: Number(slot) }];
        });
        return [name, { index, size: Number(size), fields: new Map(places) }];
      }),
  );
}

export class Heap {
  #module;
  #memory;
  #reference;
  #functions;
  #record = 0; // address of the record, followed by the lists of the call
  #recordDoubles = 0;
  #forgotten = new FinalizationRegistry((address) => this.#module.release(address));

  constructor(module, memory, reference) {
    this.#module = module;
    this.#memory = memory;
    this.#reference = reference;
    this.#functions = readFunctions(module.describe());
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
    const block = this.#allocate(this.#fact(call, 'bytes'));
    try {
      this.#copyIn(call, block);
      this.#module.run(call.index, this.#reference, this.#record, block);
      return this.#copyOut(call, block);
    } finally {
      this.#module.release(block);
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
    return { ...facts, object };
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

  #doubles() {
    return new Float64Array(this.#memory.buffer, this.#record, this.#recordDoubles);
  }

  #fact({ fields }, name) {
    return this.#doubles()[fields.get(name).slot];
  }

  #dimsAt(record, slot) {
    const dims = slot + this.#module.tensorDims;
    return Array.from(record.subarray(dims, dims + record[slot + this.#module.tensorRank]));
  }

  #check(name, given) {
    const { index, size, fields } = this.#functions.get(name);
    const written = Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([field, value]) => ({ ...fields.get(field), value }));
    const call = { index, fields, tensors: written.filter(({ kind }) => kind === 't') };
    for (const tensor of call.tensors) {
      tensor.length = typedArrayLength(`${tensor.value.name}.data`, tensor.value.data);
    }
    this.#write(size, written);
    const problem = this.#module.check(index, this.#record);
    if (problem) throw new RangeError(problem);
    return call;
  }

  #write(size, written) {
    const slots = this.#module;
    const lists = written.filter(({ kind }) => kind === 'l');
    this.#reserveRecord(lists.reduce((sum, { value }) => sum + value.length, size));
    const record = this.#doubles();
    record.fill(0, 0, size);
    let end = size;
    for (const { kind, slot, value, length } of written) {
      record[slot] = 1;
      if (kind === 't') {
        record[slot + slots.tensorRank] = value.dims.length;
        record.set(value.dims.slice(0, slots.maximumRank), slot + slots.tensorDims);
        record[slot + slots.tensorCount] = length;
        record[slot + slots.tensorType] = Math.max(0, numberTypes.indexOf(value.type));
      } else if (kind === 'l') {
        record[slot + slots.listCount] = value.length;
        record[slot + slots.listAddress] = this.#record + end * bytesPerDouble;
        record.set(value, end);
        end += value.length;
      } else if (kind === 'o') {
        record[slot + slots.numberValue] = value;
      } else {
        record[slot] = Number(value);
      }
    }
  }

  #copyIn({ tensors }, block) {
    const record = this.#doubles();
    const { buffer } = this.#memory;
    for (const { slot, value, length } of tensors) {
      const { data, type } = value;
      const place = block + record[slot + this.#module.tensorPlace];
      if (isHalf(type)) {
        // In the upper half of the tensor's place, where the module expects them.
        new Uint16Array(buffer, place + 2 * length, length).set(halfBits(data));
      } else {
        const View = type === 'Uint8Array' ? Uint8Array : Float32Array;
        new View(buffer, place, length).set(data);
      }
    }
  }

  #copyOut({ fields }, block) {
    const record = this.#doubles();
    const slots = this.#module;
    const copied = {};
    for (const [field, { kind, slot }] of fields) {
      if (kind !== 'r' || record[slot] === 0) continue;
      const place = block + record[slot + slots.tensorPlace];
      const count = record[slot + slots.tensorCount];
      copied[field] = {
        data: new Float32Array(this.#memory.buffer, place, count).slice(),
        dims: this.#dimsAt(record, slot),
      };
    }
    return copied;
  }
}
