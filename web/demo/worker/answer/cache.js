// A cache of one value, valid as long as its key is the same.

/** @template Value */
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
