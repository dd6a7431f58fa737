// Caches of the worker: of one value, and of several up to a number of bytes.

import { buffersIn } from '../calls.js';

/**
 * A cache of one value, valid as long as its key is the same.
 * @template Value
 */
export class Cache {
  /** @type {string | undefined} */
  #key;
  /** @type {Value | undefined} */
  #value;

  /**
   * The value for `key`: the cached one, or what `make()` resolves to; a failed make() leaves no entry.
   * @param {string} key
   * @param {() => Value | Promise<Value>} make
   * @returns {Promise<Value>}
   */
  async get(key, make) {
    if (this.#key === key) return /** @type {Value} */ (this.#value);
    this.#key = undefined;
    this.#value = undefined;
    const value = await make();
    [this.#key, this.#value] = [key, value];
    return value;
  }
}

/** @param {object} value */
const bytesOf = (value) => {
  const buffers = /** @type {ArrayBuffer[]} */ (buffersIn(value));
  return buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
};

/**
 * A cache of the values that were used last. Their array buffers have at most `maxBytes` bytes together; the newest value
 * may have more.
 * @template {object} Value
 */
export class LargeCache {
  #maxBytes;
  /** @type {string | undefined} */
  #owner;
  /** @type {Map<string, Value>} the one that was used last is the last */
  #values = new Map();

  /** @param {number} maxBytes */
  constructor(maxBytes) {
    this.#maxBytes = maxBytes;
  }

  /**
   * The value for `key`. Values of another `owner` are dropped; a failed make() leaves no entry.
   * @param {string} owner
   * @param {string} key
   * @param {() => Value | Promise<Value>} make
   * @returns {Promise<Value>}
   */
  async get(owner, key, make) {
    if (this.#owner !== owner) this.#values.clear();
    this.#owner = owner;
    const known = this.#values.get(key);
    this.#values.delete(key);
    const value = known ?? (await make());
    if (this.#owner === owner) this.#values.set(key, value);
    this.#shrink();
    return value;
  }

  #shrink() {
    const [newest, ...others] = [...this.#values].reverse();
    let bytes = newest ? bytesOf(newest[1]) : 0;
    for (const [key, value] of others) {
      bytes += bytesOf(value);
      if (bytes > this.#maxBytes) this.#values.delete(key);
    }
  }
}
