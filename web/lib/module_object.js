// Objects whose numbers live in the module's memory until they are deleted: caches and layers.

/** What using a deleted object throws. */
class DeletedError extends Error {
  get name() {
    return 'DeletedError';
  }
}

export class ModuleObject {
  #heap;
  #address;

  /** address: of memory that this object owns from now on. */
  constructor(heap, address) {
    this.#heap = heap;
    this.#address = address;
    heap.watch(this, address);
  }

  /** Frees the memory. Deleting twice is harmless. */
  delete() {
    if (this.#address !== 0) this.#heap.release(this, this.#address);
    this.#address = 0;
  }

  /** The address of an object, which must be there still and in the module of `heap`. */
  static addressIn(heap, object, name) {
    if (object.#heap !== heap) {
      throw new TypeError(`${name} belongs to another loadAttention()`);
    }
    if (object.#address === 0) throw new DeletedError(`${name} was deleted`);
    return object.#address;
  }
}

if (Symbol.dispose) {
  Object.defineProperty(ModuleObject.prototype, Symbol.dispose, {
    value() {
      this.delete();
    },
  });
}
