// Objects whose numbers live in the module's memory until they are deleted: caches and layers.
import { whenForgotten } from './forgotten.js';

/** Thrown by the use of a deleted object. */
class DeletedError extends Error {
  get name() {
    return 'DeletedError';
  }
}

// The facts that make() returned and no object has taken over yet, and the heap of each.
const made = new WeakMap();

const forgotten = /* @__PURE__ */ whenForgotten(({ heap, address }) => heap.free(address));

/** Has the module make an object: the facts about it, which the constructor of its class wants. */
export function make(heap, name, given) {
  const facts = heap.create(name, given);
  made.set(facts, heap);
  return facts;
}

export class ModuleObject {
  #heap;
  #name;
  #facts;
  #isDeleted = false;

  /**
   * @param {object} heap
   * @param {string} name of the class, for sentences
   * @param {{ object: number }} facts what make() returned: the address of memory that this object owns
   *   from now on, and what is known of it
   * @param {string[]} makers the static methods that call this
   */
  constructor(heap, name, facts, makers) {
    if (made.get(facts) !== heap) {
      throw new TypeError(`a ${name} is made by ${name}.${makers.join('() or .')}()`);
    }
    made.delete(facts);
    this.#heap = heap;
    this.#name = name;
    this.#facts = facts;
    forgotten.register(this, { heap, address: facts.object }, this);
  }

  /** Frees the memory. Deleting twice is harmless. */
  delete() {
    if (this.#isDeleted) return;
    this.#isDeleted = true;
    forgotten.unregister(this);
    this.#heap.free(this.#facts.object);
  }

  /** The facts about an object of a class, if it is there still. */
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
  ModuleObject.prototype[Symbol.dispose] = function dispose() {
    this.delete();
  };
}
