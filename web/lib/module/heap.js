// The only file that accesses the module's memory. A call is written into a record of doubles and checked there; then
// its tensors are copied into one block, and its results out of it.
//
// Views of the memory are created after the last operation that may grow it, and not used after the next one.
import { callsOfRanges, memoryRanges, writeResult } from '../arguments/ranges.js';
import { sizeOf } from '../arguments/dims.js';
import { halfBits, ofFixedLength, typedArrayLength } from '../arguments/typed_array.js';
import { messageOf } from '../arguments/message_of.js';
import { OutOfMemoryError } from './errors.js';
import { addressIn } from './module_object.js';
import { entryOf, readDescription } from './record.js';
import { ReleasedMemory } from './released_memory.js';

const bytesPerDouble = 8;
const bytesPerFloat = 4;
// Blocks up to this size are retained for the next call: an allocation takes longer than a small call.
const smallBlockBytes = 2 ** 17;

/**
 * @import { AttentionCall, Enums } from '../arguments/attention_options.js'
 * @import { CallRange } from '../arguments/ranges.js'
 * @import { TensorInput } from '../arguments/tensor.js'
 * @import { NumberArray } from '../arguments/typed_array.js'
 * @import { ModuleObject } from './module_object.js'
 * @import { Field, Fields, Signature } from './record.js'
 */

/**
 * Fields of a record by name; null and undefined mean absent. A list is an array, an object of the module is a
 * ModuleObject or its address.
 *
 * @typedef {{ [field: string]: TensorInput | number | boolean | readonly number[] | ModuleObject | null | undefined }} Inputs
 * @typedef {Record<string, number>} Facts about a call, by name
 * @typedef {{ data: Float32Array<ArrayBuffer>, dims: number[] }} Result
 */

/**
 * @typedef {object} TensorField
 * @property {Field} into
 * @property {TensorInput} value
 * @property {NumberArray} data of fixed length
 */

/**
 * @typedef {object} CheckedCall
 * @property {Signature} signature
 * @property {string} name
 * @property {Inputs} inputs
 * @property {TensorField[]} tensors
 * @property {CallRange[] | undefined} ranges
 */

/**
 * Writes a tensor's numbers in their own type; each row of int8 numbers follows its scale. `bytes` is the size that the
 * module reserved: the views end there, so that a larger array throws.
 *
 * @param {ArrayBuffer} buffer
 * @param {number} address
 * @param {number} bytes
 * @param {TensorInput} tensor
 * @param {NumberArray} data
 */
function writeNumbers(buffer, address, bytes, { type, dims, scales }, data) {
  if (type === 'float16' || type === 'bfloat16') {
    new Uint16Array(buffer, address, bytes / 2).set(halfBits(data));
  } else if (type === 'int8' && scales) {
    const width = dims[dims.length - 1];
    const rows = new Int8Array(buffer, address, bytes);
    const scaleBytes = new Int8Array(scales.buffer);
    for (let row = 0, at = 0; at < bytes; row++, at += 4 + width) {
      rows.set(scaleBytes.subarray(4 * row, 4 * row + 4), at);
      rows.set(data.subarray(row * width, (row + 1) * width), at + 4);
    }
  } else if (type === 'Uint8Array') {
    new Uint8Array(buffer, address, bytes).set(data);
  } else {
    new Float32Array(buffer, address, bytes / bytesPerFloat).set(data);
  }
}

/**
 * An error message of the module, in which fields, {query}, become the caller's names for their tensors.
 *
 * @type {(message: string, inputs: Inputs) => string}
 */
const worded = (message, inputs) =>
  message.replace(/\{(.+?)\}/g, (_, /** @type {string} */ field) => {
    const tensor = /** @type {TensorInput | undefined} */ (inputs[field]);
    return tensor?.name ?? field;
  });

/** @type {(inputs: Inputs, name: string) => readonly number[] | null | undefined} */
const listIn = (inputs, name) => /** @type {readonly number[] | null | undefined} */ (inputs[name]);

export class Heap {
  /** @type {WasmExports} */
  #module;
  /** @type {WebAssembly.Memory} */
  #memory;
  /** @type {number} */
  #kernels; // address of the list
  /** @type {{ address: number, bytes: number } | undefined} */
  #stack; // of kernels that have their own
  /** @type {Map<string, Signature>} */
  #signatures; // by name of a function
  /** @type {Fields} */
  #fields;
  #record = 0; // address of the record, followed by the lists of the call
  #recordDoubles = 0;
  #buffer = new ArrayBuffer(0); // of the memory; replaced when it grows
  #view = new Float64Array(0); // of the record
  #floats = new Float32Array(0); // all of the memory
  #smallBlock = 0; // address of the retained block, or 0
  // The error that was thrown out of the module. Set without a function call: the stack may be full.
  /** @type {unknown} */
  #interruption = null;
  /** @type {Map<number, number> | undefined} */
  #sizes; // with the option `wipe`: sizes of blocks in bytes, by address

  /**
   * @param {WasmExports} module
   * @param {WebAssembly.Memory} memory
   * @param {{ kernels: number, stack?: { address: number, bytes: number } }} list address of the kernels, and the stack of
   *   those that have their own
   * @param {boolean | undefined} wipe
   */
  constructor(module, memory, { kernels, stack }, wipe) {
    this.#module = module;
    this.#memory = memory;
    this.#kernels = kernels;
    this.#stack = stack;
    if (wipe) this.#sizes = new Map();
    const { fields, enums, functions } = readDescription(module.describe());
    this.#fields = fields;
    this.#signatures = functions;
    /** Buffers for results. */
    this.released = new ReleasedMemory();
    /** The module's enumerations: enums.Similarity.gaussian. */
    this.enums = enums;
    this.#reserveRecord(Math.max(...[...functions.values()].map(({ size }) => size)));
  }

  /** Size of the module's memory in bytes. Wasm memory grows when a call needs more, and never shrinks. */
  get size() {
    return this.#memory.buffer.byteLength;
  }

  /**
   * Runs a function of the module. All arguments but the contents of typed arrays have been read before: none of the
   * caller's code runs in this thread during the call. Other threads may write to shared memory, or grow it.
   *
   * @param {string} name
   * @param {Inputs} inputs
   * @returns {Record<string, Result>} the results
   */
  call(name, inputs) {
    return this.#checked(name, inputs, (call) =>
      call.ranges ? this.#runRanges(call, call.ranges) : this.#run(call),
    );
  }

  /**
   * The facts about a call, without running it.
   *
   * @param {string} name
   * @param {Inputs} inputs
   */
  facts(name, inputs) {
    return this.#checked(name, inputs, ({ signature }) => this.#factsOf(signature));
  }

  /**
   * The facts about a call, and the dims of its results by name, without running it.
   *
   * @param {string} name
   * @param {Inputs} inputs
   */
  plan(name, inputs) {
    return this.#checked(name, inputs, ({ signature }) => {
      /** @type {Record<string, number[]>} */
      const dims = Object.create(null);
      for (const { name: result, dims: sizes } of this.#resultsOf(signature)) dims[result] = sizes;
      return { facts: this.#factsOf(signature), dims };
    });
  }

  /**
   * Runs a function that creates an object; returns the facts about it, with its address as `object`.
   *
   * @param {string} name
   * @param {Inputs} inputs
   */
  create(name, inputs) {
    return this.#checked(name, inputs, (call) => this.#make(call));
  }

  /**
   * The result of use(call) for a checked call; with the option `wipe`, clears the memory afterwards.
   *
   * @template Value
   * @param {string} name
   * @param {Inputs} inputs
   * @param {(call: CheckedCall) => Value} use
   */
  #checked(name, inputs, use) {
    try {
      return use(this.#check(name, inputs));
    } finally {
      this.#wipe();
    }
  }

  #make(/** @type {CheckedCall} */ call) {
    const facts = this.#factsOf(call.signature);
    facts.object = this.#allocate(facts.objectBytes);
    try {
      this.#fields.writeNumber(
        this.#doubles(),
        entryOf(call.signature.inputs, 'object'),
        facts.object,
      );
      this.#run(call);
    } catch (error) {
      this.free(facts.object);
      throw error;
    }
    return facts;
  }

  /** Frees an object of create(). */
  free(/** @type {number} */ address) {
    if (this.#interruption !== null) return;
    this.#zero(address);
    this.#enter('release', address);
  }

  /** Fills a block with zeros if the option `wipe` is set. */
  #zero(/** @type {number} */ address) {
    const bytes = this.#sizes?.get(address);
    if (bytes) new Uint8Array(this.#memory.buffer, address, bytes).fill(0);
  }

  /** If the option `wipe` is set, clears retained memory after a call; all memory after an interrupted one. */
  #wipe() {
    if (!this.#sizes) return;
    if (this.isInterrupted) {
      new Uint8Array(this.#memory.buffer).fill(0); // on a full stack this throws, and the next call does it
    } else {
      this.#zero(this.#record);
      this.#zero(this.#smallBlock);
      this.#enter('wipeStack');
      if (this.#stack) {
        const { address, bytes } = this.#stack;
        new Uint8Array(this.#memory.buffer, address, bytes).fill(0);
      }
    }
  }

  /**
   * True if a call was interrupted, by a stack overflow or a failure of the module. Its memory may be inconsistent, so
   * no further calls are allowed.
   */
  get isInterrupted() {
    return this.#interruption !== null;
  }

  /**
   * The result of a function that enters the module. An error that it throws interrupts this instance.
   *
   * @template {keyof WasmExports} Name
   * @param {Name} name
   * @param {Parameters<WasmExports[Name]>} values
   * @returns {ReturnType<WasmExports[Name]>}
   */
  #enter(name, ...values) {
    /** @type {{ [Each in keyof WasmExports]: (...values: Parameters<WasmExports[Each]>) => ReturnType<WasmExports[Each]> }} */
    const module = this.#module;
    try {
      return module[name](...values);
    } catch (error) {
      this.#interruption = error;
      throw error;
    }
  }

  #requireUsable() {
    if (!this.isInterrupted) return;
    throw new Error(
      `a call was interrupted (${messageOf(this.#interruption)}), so this instance cannot be used any more: loadAttention() returns a new one`,
      { cause: this.#interruption },
    );
  }

  /** A block of at least `bytes` bytes. */
  #blockFor(/** @type {number} */ bytes) {
    if (bytes > smallBlockBytes) return this.#allocate(bytes);
    if (this.#smallBlock === 0) this.#smallBlock = this.#allocate(smallBlockBytes);
    return this.#smallBlock;
  }

  #allocate(/** @type {number} */ bytes) {
    const address = this.#enter('allocate', bytes);
    if (address === 0) {
      const mebibytes = Math.ceil(bytes / 2 ** 20);
      throw new OutOfMemoryError(
        `out of memory: could not allocate ${mebibytes} MiB for this call`,
      );
    }
    this.#sizes?.set(address, bytes);
    return address;
  }

  #reserveRecord(/** @type {number} */ doubles) {
    if (doubles <= this.#recordDoubles) return;
    const record = this.#allocate(doubles * bytesPerDouble);
    if (this.#record !== 0) this.free(this.#record);
    this.#record = record;
    this.#recordDoubles = doubles;
  }

  /** The record. Its view is created anew when the memory has grown, which sets the length of views to 0. */
  #doubles() {
    if (this.#view.length !== this.#recordDoubles) {
      this.#buffer = this.#memory.buffer;
      this.#view = new Float64Array(this.#buffer, this.#record, this.#recordDoubles);
      this.#floats = new Float32Array(this.#buffer);
    }
    return this.#view;
  }

  /**
   * The record, filled with zeros, with space for the lists of a call.
   *
   * @param {Signature} signature
   * @param {Inputs} inputs
   */
  #emptyRecord({ size, lists }, inputs) {
    let doubles = size;
    for (const name of lists) doubles += listIn(inputs, name)?.length ?? 0;
    this.#reserveRecord(doubles);
    return this.#doubles().fill(0, 0, size);
  }

  #factsOf(/** @type {Signature} */ signature) {
    const record = this.#doubles();
    /** @type {Facts} */
    const facts = Object.create(null);
    for (const { name, slot } of signature.facts) facts[name] = record[slot];
    return facts;
  }

  /**
   * Writes a call into the record, and has the module check it.
   *
   * @param {string} name
   * @param {Inputs} inputs
   * @returns {CheckedCall}
   */
  #check(name, inputs) {
    this.#requireUsable();
    const signature = entryOf(this.#signatures, name);
    const record = this.#emptyRecord(signature, inputs);
    /** @type {TensorField[]} */
    const tensors = [];
    let end = signature.size;
    for (const field of Object.keys(inputs)) {
      const value = inputs[field];
      if (value == null) continue;
      const into = entryOf(signature.inputs, field);
      if (into.kind === 'tensor') {
        const tensor = /** @type {TensorInput} */ (value);
        const length = typedArrayLength(tensor.name, tensor.data, '.data');
        const data = ofFixedLength(tensor.data, length);
        this.#fields.writeTensor(record, into, tensor, length);
        tensors.push({ into, value: tensor, data });
      } else if (into.kind === 'list') {
        const list = /** @type {readonly number[]} */ (value);
        this.#fields.writeList(record, into, list.length, this.#record + end * bytesPerDouble);
        record.set(list, end);
        end += list.length;
      } else {
        const number =
          typeof value === 'object' ? addressIn(this, /** @type {ModuleObject} */ (value)) : value;
        this.#fields.writeNumber(record, into, number);
      }
    }
    const isValid = this.#enter('check', signature.index, this.#record);
    /** @type {CheckedCall} */
    const call = { signature, name, inputs, tensors, ranges: undefined };
    const facts = this.#doubles(); // all 0 if a rule is broken
    if (facts[signature.bytes] > smallBlockBytes && facts[signature.isDivisible] !== 0) {
      const divisible = /** @type {AttentionCall} */ (inputs);
      call.ranges = memoryRanges(divisible, this.#factsOf(signature), this.enums);
    }
    // A call too large for the memory may still be computed in ranges.
    if (!isValid && !call.ranges) throw this.#problem(call);
    return call;
  }

  #problem(/** @type {CheckedCall} */ { signature, inputs }) {
    return new RangeError(worded(this.#enter('problem', signature.index, this.#record), inputs));
  }

  /** The results of the call in the record: the offset and count of their numbers in the block, and their dims. */
  #resultsOf(/** @type {Signature} */ { results }) {
    const record = this.#doubles();
    return results
      .filter((result) => this.#fields.isPresent(record, result))
      .map((result) => ({
        name: result.name,
        offset: this.#fields.offsetOf(record, result),
        count: this.#fields.countOf(record, result),
        dims: this.#fields.dimsOf(record, result),
      }));
  }

  /** Runs the checked call in the record. */
  #run(/** @type {CheckedCall} */ { signature, tensors }) {
    const block = this.#blockFor(this.#doubles()[signature.bytes]);
    /** @type {Record<string, Result>} */
    const copies = {};
    try {
      for (const tensor of tensors) this.#copyIn(tensor, block);
      this.#enter('run', signature.index, this.#kernels, this.#record, block);
      const record = this.#doubles();
      // #resultsOf() would take longer than all other steps of a small call.
      for (const result of signature.results) {
        if (!this.#fields.isPresent(record, result)) continue;
        const first = (block + this.#fields.offsetOf(record, result)) / bytesPerFloat;
        const last = first + this.#fields.countOf(record, result);
        const data = this.released.copyOf(this.#floats, first, last);
        copies[result.name] = { data, dims: this.#fields.dimsOf(record, result) };
      }
      return copies;
    } finally {
      if (block !== this.#smallBlock) this.free(block);
    }
  }

  /**
   * Runs a checked call range by range: each is a separate call in the same block.
   *
   * @param {CheckedCall} call
   * @param {CallRange[]} ranges
   */
  #runRanges({ signature, name, inputs, tensors }, ranges) {
    const facts = this.#factsOf(signature);
    /** @type {Record<string, Result>} */
    const results = {};
    for (const { name: result, dims } of this.#resultsOf(signature)) {
      results[result] = { data: this.released.allocate(sizeOf(dims)), dims };
    }
    /** @type {Inputs} */
    const copied = { __proto__: null, ...inputs };
    for (const { into, value, data } of tensors) copied[into.name] = { ...value, data };
    const fields = /** @type {AttentionCall} */ (copied);
    let block = 0;
    let bytes = 0; // size of the block
    let previousBytes = 0; // bytes that the previous range needed
    /** @type {Map<TensorInput, number>} */
    const addresses = new Map(); // of the tensors in the block
    try {
      let index = 0;
      for (const rangeInputs of callsOfRanges(fields, ranges, facts)) {
        const range = ranges[index++];
        const call = this.#check(name, rangeInputs);
        const needed = this.#doubles()[signature.bytes];
        if (needed > bytes) {
          if (bytes > smallBlockBytes) this.free(block);
          bytes = 0;
          block = this.#blockFor(needed);
          bytes = needed;
        }
        if (needed !== previousBytes) addresses.clear();
        previousBytes = needed;
        for (const tensor of call.tensors) this.#copyIn(tensor, block, addresses);
        this.#enter('run', signature.index, this.#kernels, this.#record, block);
        for (const { name: result, offset, count } of this.#resultsOf(signature)) {
          const first = (block + offset) / bytesPerFloat;
          const numbers = this.#floats.subarray(first, first + count);
          writeResult(result, results[result], range, numbers, fields, facts, this.enums);
        }
      }
      return results;
    } finally {
      if (bytes > smallBlockBytes) this.free(block);
    }
  }

  /**
   * Copies a tensor's numbers into a block, unless they are there. Low-precision ones again: runs convert them in place.
   *
   * @param {TensorField} tensor
   * @param {number} block
   * @param {Map<TensorInput, number>} [addresses]
   */
  #copyIn({ into, value, data }, block, addresses) {
    const record = this.#doubles();
    const address = block + this.#fields.offsetOf(record, into);
    if (addresses?.get(value) === address && value.type === 'Float32Array') return;
    addresses?.set(value, address);
    writeNumbers(this.#buffer, address, this.#fields.bytesOf(record, into), value, data);
  }
}
