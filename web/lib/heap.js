// The airlock to the module's memory: a call is written into a record of doubles, checked there,
// given one block, and its tensors are copied in and out. No other file sees the memory.
//
// Views are made after the last thing that may grow the memory and dropped before the next.
import { typedArrayLength } from './typed_array.js';

const bytesPerDouble = 8;
const results = ['output', 'weights', 'scores', 'logSumExp'];

export class Heap {
  #module;
  #memory;
  #reference;
  #record = 0; // address of a Request, followed by the lists of the call
  #recordDoubles = 0;

  constructor(module, memory, reference) {
    this.#module = module;
    this.#memory = memory;
    this.#reference = reference;
    this.#reserveRecord(module.requestSlots);
  }

  /** Bytes of the module's memory. It grows when a call needs more and, as all wasm memory, never shrinks. */
  get size() {
    return this.#memory.buffer.byteLength;
  }

  /**
   * Runs one call. All of the request has been read: no code of the caller runs from here on.
   *
   * @param {object} request
   * @param {number} request.step
   * @param {Record<string, { name: string, data: ArrayBufferView, type: string, dims: number[] }>} request.tensors
   * @param {Record<string, number[]>} request.lists
   * @param {Record<string, number>} request.optional numbers that may be absent
   * @param {Record<string, number>} request.numbers
   * @returns {Record<string, { data: Float32Array, dims: number[] }>}
   */
  call(request) {
    const tensors = Object.entries(request.tensors).map(([field, tensor]) => ({
      ...tensor,
      field,
      length: typedArrayLength(`${tensor.name}.data`, tensor.data),
    }));
    this.#write(request, tensors);
    const problem = this.#module.check(this.#record);
    if (problem) throw new RangeError(problem);

    const block = this.#allocate(this.#doubles()[this.#module.bytes]);
    try {
      this.#copyIn(tensors, block);
      this.#module.run(this.#reference, this.#record, block);
      return this.#copyOut(block);
    } finally {
      this.#module.release(block);
    }
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

  #write({ step, lists, optional, numbers }, tensors) {
    const slots = this.#module;
    const { requestSlots } = slots;
    const listed = Object.entries(lists);
    this.#reserveRecord(listed.reduce((sum, [, list]) => sum + list.length, requestSlots));
    const record = this.#doubles();
    record.fill(0, 0, requestSlots);
    record[slots.step] = step;
    for (const { field, dims, length } of tensors) {
      const slot = slots[field];
      record[slot] = 1;
      record[slot + slots.tensorRank] = dims.length;
      record.set(dims.slice(0, slots.maximumRank), slot + slots.tensorDims);
      record[slot + slots.tensorCount] = length;
    }
    let end = requestSlots;
    for (const [field, list] of listed) {
      const slot = slots[field];
      record[slot] = 1;
      record[slot + slots.listCount] = list.length;
      record[slot + slots.listAddress] = this.#record + end * bytesPerDouble;
      record.set(list, end);
      end += list.length;
    }
    for (const [field, value] of Object.entries(optional)) {
      record[slots[field]] = 1;
      record[slots[field] + slots.numberValue] = value;
    }
    for (const [field, value] of Object.entries(numbers)) record[slots[field]] = value;
  }

  #copyIn(tensors, block) {
    const record = this.#doubles();
    const { buffer } = this.#memory;
    for (const { field, data, type, length } of tensors) {
      const place = block + record[this.#module[field] + this.#module.tensorPlace];
      const View = type === 'Uint8Array' ? Uint8Array : Float32Array;
      new View(buffer, place, length).set(data);
    }
  }

  #copyOut(block) {
    const record = this.#doubles();
    const slots = this.#module;
    const copied = {};
    for (const field of results) {
      const slot = slots[field];
      if (record[slot] === 0) continue;
      const dims = slot + slots.tensorDims;
      const place = block + record[slot + slots.tensorPlace];
      copied[field] = {
        data: new Float32Array(
          this.#memory.buffer,
          place,
          record[slot + slots.tensorCount],
        ).slice(),
        dims: Array.from(record.subarray(dims, dims + record[slot + slots.tensorRank])),
      };
    }
    return copied;
  }
}
