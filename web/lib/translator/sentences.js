// Tokens of a sentence with their text, the index of their word, and their span.

export const specialTokens = { pad: 0, start: 1, end: 2 };

const space = '\u2581'; // a space in the vocabulary
const replacement = '\ufffd'; // what decodes bytes that are not whole
const isSpecial = (id) => id <= specialTokens.end;

const isWordCharacter = /[\p{L}\p{M}]/u;
const isInWord = (character) => isWordCharacter.test(character) || /\p{N}/u.test(character);

/** The last character of a text, including surrogate pairs. */
const lastCharacter = (text) => [...text.slice(-2)].at(-1);

/** True if a token continues a word of letters or digits. */
const goesOn = (segment) =>
  segment !== '' && (isInWord([...segment][0]) || segment.startsWith("'"));

function continuesWord(text, segment, joinsApostrophes) {
  const last = lastCharacter(text);
  if (last === undefined) return false;
  if (last === "'") return joinsApostrophes && isWordCharacter.test(segment) && text.length > 1;
  return isInWord(last) && goesOn(segment);
}

const byteOf = (token) => {
  const digits = /^<0x([0-9A-F]{2})>$/.exec(token)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
};

export class Sentences {
  #tokenizer;
  #rows;
  #continuing; // for each token id, whether it continues a word
  #bytes; // for each, whether it is a further byte of a character

  /**
   * @param {object} tokenizer the model's: a BytePairTokenizer or a TextTokens
   * @param {number} rows number of tokens that the model can write
   */
  constructor(tokenizer, rows) {
    this.#tokenizer = tokenizer;
    this.#rows = rows;
  }

  encode(text) {
    return this.#tokenizer.encodePlain(text);
  }

  /** The text of ids; special tokens have none. */
  decode(ids) {
    return this.#tokenizer.decode(ids);
  }

  /**
   * { text, tokens } of ids: for each token its id, its text, the index of its word, whether it is special, and its span
   * in the text (null if it is special).
   *
   * @param {number[]} ids
   * @param {boolean} joinsApostrophes true for English, where don't is one word; false for French, where l'eau is two
   */
  describe(ids, joinsApostrophes) {
    const { text, spans } = this.#tokenizer.locate(ids);
    let word = -1;
    let before; // span of the token before
    const tokens = ids.map((id, n) => {
      if (isSpecial(id)) {
        const name = this.#tokenizer.tokenOf(id);
        return { id, text: name, word: ++word, special: true, start: null, end: null };
      }
      const [first, end] = spans[n];
      // A tokenizer may locate a token of a space alone at the space.
      const segment = text.slice(first, end).trimStart();
      const start = end - segment.length;
      // All byte tokens of a character have the same span.
      const isSame = before && before[0] === start && before[1] === end && end > start;
      const startsWord = text[start - 1] === ' ' || start === 0;
      const isRest = text[start - 1] === replacement && this.#isByte()[id];
      if (
        !isSame &&
        !isRest &&
        (startsWord || !continuesWord(text.slice(0, start), segment, joinsApostrophes))
      )
        word++;
      before = [start, end];
      return { id, text: segment, word, special: false, start, end };
    });
    return { text, tokens };
  }

  /** For each token of the vocabulary, whether it starts another word after these French ids; the end token does. */
  startsWord(ids) {
    const last = lastCharacter(this.decode(ids));
    // No word ends within a character.
    if (last === replacement) return this.#isByte().map((isByte) => !isByte);
    this.#continuing ??= Array.from({ length: this.#rows }, (_, id) => this.#isContinuing(id));
    const isOpen = last !== undefined && isInWord(last);
    return this.#continuing.map((continues) => !(isOpen && continues));
  }

  /** For each token, whether it is a further byte of a character. */
  #isByte() {
    this.#bytes ??= Array.from({ length: this.#rows }, (_, id) => {
      const byte = byteOf(this.#tokenizer.tokenOf(id));
      return byte !== undefined && byte >= 0x80 && byte < 0xc0;
    });
    return this.#bytes;
  }

  #isContinuing(id) {
    if (isSpecial(id)) return false;
    const token = this.#tokenizer.tokenOf(id);
    const byte = byteOf(token);
    // Bytes of non-ASCII characters usually belong to letters.
    if (byte !== undefined) return byte >= 0x80 || goesOn(String.fromCharCode(byte));
    return !token.startsWith(space) && goesOn(token);
  }
}

export const withEnd = (ids) => [...ids, specialTokens.end];
export const withStart = (ids) => [specialTokens.start, ...ids];
