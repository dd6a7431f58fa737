// Tokens of a sentence with what a reader needs to know of them: their text, the word they are a piece
// of, and where they stand.
import { Tokenizer } from '../models/tokenizer/hugging_face.js';

export const specialTokens = { pad: 0, start: 1, end: 2 };

const space = '\u2581'; // what the vocabulary has for a space
const bytePattern = /^<0x([0-9A-F]{2})>$/;

const byteOf = (token) => {
  const digits = bytePattern.exec(token)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
};

/** Bytes of a UTF-8 character that begins with this one. */
const bytesFrom = (first) => (first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4);

const isWordCharacter = /[\p{L}\p{M}]/u;

export class Tokens {
  #tokenizer;
  #continuing; // for each token whether it goes on with a word of letters or digits

  /** @param {object} description a tokenizer.json */
  constructor(description) {
    this.#tokenizer = new Tokenizer(description, { clean_up_tokenization_spaces: false });
  }

  encode(text) {
    return this.#tokenizer.encode(text, { add_special_tokens: false }).ids;
  }

  /** The text of token ids; special ones have none. */
  decode(ids) {
    return ids.length === 0 ? '' : this.#tokenizer.decode(ids, { skip_special_tokens: true });
  }

  /**
   * { text, tokens } of ids: for each token its id, what it spells, the number of its word, whether it
   * is a special one, and from where to where it stands in the text (of special ones: null).
   *
   * @param {number[]} ids
   * @param {boolean} joinsApostrophes whether don't is one word, as in English, or l'eau two, as in French
   */
  describe(ids, joinsApostrophes) {
    const tokens = [];
    let text = '';
    let word = -1;
    for (let n = 0; n < ids.length; n++) {
      const token = this.#tokenizer.id_to_token(ids[n]);
      if (ids[n] <= specialTokens.end) {
        tokens.push({
          id: ids[n],
          text: token,
          word: ++word,
          special: true,
          start: null,
          end: null,
        });
        continue;
      }
      const bytes = this.#bytesAt(ids, n);
      const spelt = bytes ? this.decode(bytes) : token.replaceAll(space, ' ');
      const shown = spelt.trimStart();
      const startsWord = spelt !== shown || !continuesWord(text, shown, joinsApostrophes);
      if (startsWord || tokens.length === 0) word++;
      if (text !== '' && spelt.startsWith(' ')) text += ' ';
      const start = text.length;
      text += shown;
      // All bytes of a character stand where it stands.
      for (const id of bytes ?? [ids[n]]) {
        tokens.push({ id, text: shown, word, special: false, start, end: text.length });
      }
      n += (bytes?.length ?? 1) - 1;
    }
    return { text, tokens };
  }

  /** For each token whether it begins another word after these, in French; the end does. */
  startsWord(ids) {
    const last = lastCharacter(this.describe(ids, false).text);
    this.#continuing ??= this.#findContinuing();
    const isOpen = last !== undefined && isInWord(last);
    return this.#continuing.map((continues) => !(isOpen && continues));
  }

  #findContinuing() {
    const count = this.#tokenizer.get_vocab().size;
    return Array.from({ length: count }, (_, id) => {
      if (id <= specialTokens.end) return false;
      const token = this.#tokenizer.id_to_token(id);
      const byte = byteOf(token);
      // Bytes of a larger character are those of a letter, as a rule.
      if (byte !== undefined) return byte >= 0x80 || goesOn(String.fromCharCode(byte));
      return !token.startsWith(space) && goesOn(token);
    });
  }

  /** The bytes of the character that begins at ids[n], undefined where a piece does. */
  #bytesAt(ids, n) {
    const byteAt = (at) =>
      at < ids.length ? byteOf(this.#tokenizer.id_to_token(ids[at])) : undefined;
    const first = byteAt(n);
    if (first === undefined) return undefined;
    let end = n + 1;
    while (end < n + bytesFrom(first) && (byteAt(end) & 0xc0) === 0x80) end++;
    return ids.slice(n, end);
  }
}

function continuesWord(text, piece, joinsApostrophes) {
  const last = lastCharacter(text);
  if (last === undefined) return false;
  if (last === "'") return joinsApostrophes && isWordCharacter.test(piece) && text.length > 1;
  return isInWord(last) && goesOn(piece);
}

/** Of two halves of one the pair is looked at, and no more of the text. */
const lastCharacter = (text) => [...text.slice(-2)].at(-1);

const isInWord = (character) => isWordCharacter.test(character) || /\p{N}/u.test(character);

/** Whether a piece goes on with a word of letters or digits. */
const goesOn = (piece) => isInWord([...piece][0]) || piece.startsWith("'");
