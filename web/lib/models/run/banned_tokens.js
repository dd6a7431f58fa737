// Tokens that generation may not choose, from 'bad_words_ids': single tokens never, the last token of a longer list only
// after the others.

export class BannedTokens {
  #always;
  #sequences;

  /** lists: arrays of token ids; ends: ids of end tokens, which are never banned alone, as in Hugging Face transformers. */
  constructor(lists, ends) {
    this.#always = new Set(lists.flatMap((ids) => (ids.length === 1 ? ids : [])));
    for (const id of ends) this.#always.delete(id);
    this.#sequences = lists.filter((ids) => ids.length > 1);
  }

  /** The Set of ids that may not follow a list of ids; pieces: parts of the list, in order. */
  after(...pieces) {
    if (this.#sequences.length === 0) return this.#always;
    const ids = pieces.flat();
    const isAtEnd = (before) => before.every((id, n) => id === ids[ids.length - before.length + n]);
    const last = this.#sequences
      .filter((one) => isAtEnd(one.slice(0, -1)))
      .map((one) => one.at(-1));
    return last.length === 0 ? this.#always : new Set([...this.#always, ...last]);
  }
}
