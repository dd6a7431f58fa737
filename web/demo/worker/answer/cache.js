// A cache of one value, valid as long as its key is the same.

export class Cache {
  #key;
  #value;

  /** The value for `key`: the cached one, or what `make()` resolves to; a failed make() leaves no entry. */
  async get(key, make) {
    if (this.#key === key) return this.#value;
    this.#key = undefined;
    this.#value = undefined;
    const value = await make();
    [this.#key, this.#value] = [key, value];
    return value;
  }
}
