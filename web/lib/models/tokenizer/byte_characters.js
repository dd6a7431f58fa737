// Bytes as characters: byte-level vocabularies (GPT-2) write each byte as one character; others have byte tokens such as
// <0xE2>.
import { cached } from './encoded_word.js';

const isPrintable = (byte) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);

/** The character of each byte in GPT-2's byte-level vocabulary (Radford et al., 2019). */
function byteCharacters() {
  let others = 0;
  return Array.from({ length: 256 }, (_, byte) =>
    String.fromCodePoint(isPrintable(byte) ? byte : 256 + others++),
  );
}

const characters = /* @__PURE__ */ byteCharacters();
const byteOf = /* @__PURE__ */ (() => new Map(characters.map((character, n) => [character, n])))();
const encoder = new TextEncoder();

/** The bytes of a byte-level token; those of UTF-8 if it has a character that stands for no byte. */
export function byteLevelBytes(token) {
  const bytes = Array.from(token, (character) => byteOf.get(character));
  return bytes.includes(undefined) ? encoder.encode(token) : bytes;
}

/** { text, characters }: the characters of a word's bytes, and the index of the character that each is part of. */
const spelled = /* @__PURE__ */ cached((word) => {
  let text = '';
  const parts = [];
  let at = 0;
  for (const character of word) {
    for (const byte of encoder.encode(character)) {
      text += characters[byte];
      parts.push(at);
    }
    at += character.length;
  }
  return { text, characters: parts };
});

/** A RangedText with the characters of its bytes. */
export function inByteCharacters(source) {
  const { text, characters: parts } = spelled(source.text);
  return text.length === source.length
    ? source.withCharacters(text)
    : source.spelledAs(text, parts);
}

/** The byte of a byte token, or undefined. */
export function byteOfToken(token) {
  const digits = /^<0x([0-9A-F]{2})>$/i.exec(token)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}

/** The byte tokens of a vocabulary: ids by byte. */
export const byteTokenIds = (vocabulary) =>
  Array.from({ length: 256 }, (_, byte) =>
    vocabulary.idOf(`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`),
  );
