// Bytes of tokens: byte-level vocabularies write each byte as one character; other vocabularies have byte tokens such as
// <0xE2>.

const isPrintable = (byte) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);

/** The byte of each character of GPT-2's byte-level vocabulary (Radford et al., 2019). */
function bytesByCharacter() {
  const bytes = new Map();
  let others = 0;
  for (let byte = 0; byte < 256; byte++) {
    bytes.set(String.fromCodePoint(isPrintable(byte) ? byte : 256 + others++), byte);
  }
  return bytes;
}

const byteOf = /* @__PURE__ */ bytesByCharacter();

/** The bytes of a byte-level token. */
export const byteLevelBytes = (token) =>
  Array.from(token, (character) => byteOf.get(character) ?? 0x3f);

/** The byte of a byte token, or undefined. */
export function byteOfToken(token) {
  const digits = /^<0x([0-9A-F]{2})>$/i.exec(token)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}

/** Length in bytes of the UTF-8 character that begins with this byte. */
const characterLength = (first) => (first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4);

/** The number of byte tokens of one character that begin at index `start`; 0 if that token is not a byte. */
export function byteGroupLength(tokens, start) {
  const first = byteOfToken(tokens[start]);
  if (first === undefined) return 0;
  let end = start + 1;
  while (end < start + characterLength(first) && (byteOfToken(tokens[end] ?? '') & 0xc0) === 0x80) {
    end++;
  }
  return end - start;
}
