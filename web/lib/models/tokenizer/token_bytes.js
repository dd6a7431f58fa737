// The bytes of tokens: of byte-level vocabularies, which spell each byte as a character of its own, and of pieces
// such as <0xE2>, which stand for one byte that has no token.

const isPrintable = (byte) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);

/** The character of each byte that GPT-2 gave it (Radford et al., 2019), turned round. */
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
export const bytesOfToken = (token) =>
  Array.from(token, (character) => byteOf.get(character) ?? 0x3f);

/** The byte of a piece that is one, or undefined. */
export function pieceByte(token) {
  const digits = /^<0x([0-9A-F]{2})>$/i.exec(token)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}
