// Bytes as characters: byte-level vocabularies (GPT-2) write each byte as one character; others have byte tokens such as
// <0xE2>.

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

const asCharacters = (text) =>
  Array.from(encoder.encode(text), (byte) => characters[byte]).join('');

/** The bytes of a byte-level token; those of UTF-8 if it has a character that stands for no byte. */
export function byteLevelBytes(token) {
  const bytes = Array.from(token, (character) => byteOf.get(character));
  return bytes.includes(undefined) ? encoder.encode(token) : bytes;
}

/** A RangedText with the characters of its bytes. */
export function inByteCharacters(source) {
  const { text } = source;
  if (/^[\0-\x7f]*$/.test(text)) return source.withCharacters(asCharacters(text));
  const edit = source.edit();
  for (const character of text) edit.replaceCharacter(asCharacters(character));
  return edit.finish();
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
