// Base class of objects whose numbers are in the module's memory until delete(): caches and layers.
import { requireRaw } from '../arguments/raw_object.js';
import { DeletedError } from './errors.js';
import { finalizationRegistry } from './finalization.js';

/**
 * @import { Facts, Heap, Inputs } from './heap.js'
 */

// The heap of all facts that make() returned and no object owns yet.
/** @type {WeakMap<Facts, Heap>} */
const unclaimed = new WeakMap();

const registry = /* @__PURE__ */ finalizationRegistry(
  (/** @type {{ heap: Heap, address: number }} */ { heap, address }) => heap.free(address),
);

/**
 * Creates an object in the module; returns the facts about it, an argument of the constructor of its class.
 *
 * @param {Heap} heap
 * @param {string} name
 * @param {Inputs} inputs
 */
export function make(heap, name, inputs) {
  const facts = heap.create(name, inputs);
  unclaimed.set(facts, heap);
  return facts;
}

export class ModuleObject {
  /** @type {Heap} */
  #heap;
  /** @type {string} */
  #name;
  /** @type {Facts} */
  #facts;
  #isDeleted = false;

  /**
   * @param {Heap} heap
   * @param {string} name of the class, for error messages
   * @param {Facts} facts returned by make(): facts about the object, and the address of its memory, which
   *   this object owns from now on
   * @param {string[]} makers names of the static methods that create objects
   */
  constructor(heap, name, facts, makers) {
    if (unclaimed.get(facts) !== heap) {
      throw new TypeError(`a ${name} is made by ${name}.${makers.join('() or .')}()`);
    }
    unclaimed.delete(facts);
    this.#heap = heap;
    this.#name = name;
    this.#facts = facts;
    registry.register(this, { heap, address: facts.object }, this);
  }

  /** Frees the memory. Further calls have no effect. */
  delete() {
    requireRaw(#heap in this, 'this object');
    if (this.#isDeleted) return;
    this.#isDeleted = true;
    registry.unregister(this);
    this.#heap.free(this.#facts.object);
  }

  /**
   * Throws for an object of this package that is behind a proxy.
   *
   * @param {unknown} value
   * @param {string} name
   */
  static requireRawObject(value, name) {
    if (value instanceof ModuleObject) requireRaw(#heap in value, name);
  }

  /**
   * The facts about an object of a class; throws if it was deleted.
   *
   * @param {unknown} object
   * @param {abstract new (...values: never[]) => ModuleObject} Class
   * @param {string} [name]
   */
  static factsOf(object, Class, name) {
    if (!(object instanceof Class)) throw new TypeError('this is a method of another class');
    requireRaw(#heap in object, name ?? 'this object');
    if (object.#isDeleted) throw new DeletedError(`${name ?? `this ${object.#name}`} was deleted`);
    return object.#facts;
  }

  /**
   * The address of an object; throws if it is not in the module of `heap`.
   *
   * @param {Heap} heap
   * @param {ModuleObject} object
   * @param {string} [name]
   */
  static addressIn(heap, object, name) {
    const noun = name ?? 'this object';
    requireRaw(#heap in object, noun);
    if (object.#heap !== heap) {
      throw new TypeError(`${noun} belongs to another loadAttention()`);
    }
    return ModuleObject.factsOf(object, ModuleObject, name).object;
  }
}

export const { factsOf, addressIn, requireRawObject } = ModuleObject;

if (Symbol.dispose) {
  /** @this {ModuleObject} */
  const dispose = function dispose() {
    this.delete();
  };
  Reflect.set(ModuleObject.prototype, Symbol.dispose, dispose);
}
