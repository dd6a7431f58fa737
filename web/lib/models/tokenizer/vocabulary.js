// The tokens of a model and their ids.

export class Vocabulary {
  #ids = new Map();
  #tokens = [];

  /** @param {Iterable<[token: string, id: number]>} entries of equal tokens or ids the last one is valid */
  constructor(entries) {
    for (const [token, id] of entries) {
      this.#ids.set(token, id);
      this.#tokens[id] = token;
    }
    this.largest = this.#tokens.length - 1;
  }

  /** The id of a token, or undefined. */
  idOf(token) {
    return this.#ids.get(token);
  }

  /** The token of an id, or undefined. */
  tokenOf(id) {
    return this.#tokens[id];
  }

  /** [token, id] pairs. */
  entries() {
    return this.#ids.entries();
  }
}
