// Tokens of a SentencePiece model: the pieces of a text, bytes instead of what is unknown where the model has byte pieces,
// and else one unknown token for neighbors.
/** @import { EncodedWord } from '../../encoded_word.js' */
import { byteTokenIds } from '../../byte_characters.js';
import { cached } from '../../encoded_word.js';
import { Vocabulary } from '../../vocabulary.js';
import { PairTokens } from './pair_tokens.js';
import { UnigramTokens } from './unigram_tokens.js';

const encoder = new TextEncoder();

/** The kinds of models. */
export const kinds = {
  unigram: (pieces) => new UnigramTokens(pieces),
  bpe: (pieces) => new PairTokens(pieces, { merges: true }),
  char: (pieces) => new PairTokens(pieces, { merges: false }),
};

export class SentencePieceTokens {
  #list;
  #byteIds;

  /** kind: of the table above; pieces: by id */
  constructor({ kind, pieces, hasBytes }) {
    this.vocabulary = new Vocabulary(pieces.map(({ text }) => text));
    this.#list = kinds[kind](pieces);
    if (hasBytes) this.#byteIds = byteTokenIds(this.vocabulary);
    this.encode = cached((text) => this.#encode(text));
  }

  #encode(text) {
    /** @type {EncodedWord} */
    const result = { ids: [], starts: [], ends: [] };
    const { unknown } = this.#list;
    const add = (
      /** @type {number} */ start,
      /** @type {number} */ end,
      /** @type {number} */ id,
    ) => {
      result.ids.push(id);
      result.starts.push(start);
      result.ends.push(end);
    };
    for (const [start, end, id] of this.#list.encode(text)) {
      const bytes = id === unknown && this.#byteIds;
      if (bytes) {
        for (const byte of encoder.encode(text.slice(start, end))) add(start, end, bytes[byte]);
      } else if (id === unknown && result.ids.at(-1) === unknown) {
        result.ends[result.ends.length - 1] = end;
      } else add(start, end, id);
    }
    return result;
  }
}
