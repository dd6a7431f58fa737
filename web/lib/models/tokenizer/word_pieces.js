// WordPiece: the longest token that begins a word, then the longest that continues it, and so on; a word without such
// tokens is unknown. WordLevel: whole words only.
/** @import { EncodedWord } from './encoded_word.js' */
import { cached, wholeWord } from './encoded_word.js';

/** The id of the unknown token. */
function unknownId(vocabulary, token) {
  const id = vocabulary.idOf(token);
  if (id !== undefined) return id;
  throw new RangeError(`the unknown token must be in the vocabulary, found '${token}'`);
}

export class WordPieces {
  #prefix;
  #maxCharacters;
  #unknown;
  #cached = cached((word) => this.#encode(word));

  /** @param {object} fields of the model; vocab: a Vocabulary */
  constructor({ vocab, unk_token, continuing_subword_prefix, max_input_chars_per_word }) {
    this.vocabulary = vocab;
    this.#unknown = unknownId(this.vocabulary, unk_token);
    this.#prefix = continuing_subword_prefix;
    this.#maxCharacters = max_input_chars_per_word;
  }

  /** The tokens of a word. */
  encode(word) {
    return this.#cached(word);
  }

  /** @param {string} word */
  #encode(word) {
    const bounds = [0];
    let end = 0;
    for (const character of word) bounds.push((end += character.length));
    if (bounds.length - 1 > this.#maxCharacters) return wholeWord(this.#unknown, word);
    /** @type {EncodedWord} */
    const result = { ids: [], starts: [], ends: [] };
    for (let first = 0; bounds[first] < word.length;) {
      const start = bounds[first];
      const prefix = start > 0 ? this.#prefix : '';
      const found = this.vocabulary.longest(prefix, word, start, bounds, first + 1);
      if (found === undefined) return wholeWord(this.#unknown, word);
      first = found.last;
      result.ids.push(found.id);
      result.starts.push(start);
      result.ends.push(bounds[first]);
    }
    return result;
  }
}

export class WholeWords {
  #unknown;

  /** @param {object} fields of the model; vocab: a Vocabulary */
  constructor({ vocab, unk_token }) {
    this.vocabulary = vocab;
    this.#unknown = unknownId(this.vocabulary, unk_token);
  }

  /** The token of a word. */
  encode(word) {
    return wholeWord(this.vocabulary.idOf(word) ?? this.#unknown, word);
  }
}
