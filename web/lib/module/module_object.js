// Objects whose numbers live in the module's memory until they are deleted: caches and layers.

/** What using a deleted object throws. */
class DeletedError extends Error {
  get name() {
    return 'DeletedError';
  }
}

export class ModuleObject {
  #heap;
  #name;
  #facts;
  #isDeleted = false;

  /**
   * @param {import('./heap.js').Heap} heap
   * @param {string} name of the class, for sentences
   * @param {{ object: number }} facts what heap.create() returned: the address of memory that this
   *   object owns from now on, and what is known of it
   * @param {string[]} makers the static methods that call this
   */
  constructor(heap, name, facts, makers) {
    if (!heap.hasMade(facts)) {
      throw new TypeError(`a ${name} is made by ${name}.${makers.join('() or .')}()`);
    }
    this.#heap = heap;
    this.#name = name;
    this.#facts = facts;
    heap.watch(this, facts.object);
  }

  /** Frees the memory. Deleting twice is harmless. */
  delete() {
    if (!this.#isDeleted) this.#heap.release(this, this.#facts.object);
    this.#isDeleted = true;
  }

  /** The address of an object of a class and what is known of it, if it is there still. */
  static factsOf(object, Class, name) {
    if (!(object instanceof Class)) throw new TypeError('this is a method of another class');
    if (object.#isDeleted) throw new DeletedError(`${name ?? `this ${object.#name}`} was deleted`);
    return object.#facts;
  }

  /** The address of an object that has to be in the module of `heap`. */
  static addressIn(heap, object, name) {
    if (object.#heap !== heap) {
      throw new TypeError(`${name} belongs to another loadAttention()`);
    }
    return ModuleObject.factsOf(object, ModuleObject, name).object;
  }
}

export const { factsOf, addressIn } = ModuleObject;

if (Symbol.dispose) {
  Object.defineProperty(ModuleObject.prototype, Symbol.dispose, {
    value() {
      this.delete();
    },
  });
}
