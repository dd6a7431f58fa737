// UTF-8 bytes as characters with the bytes of each. Invalid bytes become U+FFFD as the WHATWG Encoding Standard says: one
// for each sequence that could still have become a character.

/** Length of the sequence that a byte begins, and the range of the second byte: [length, min, max]; undefined: invalid. */
function sequenceOf(first) {
  if (first < 0x80) return [1, 0, 0];
  if (first < 0xc2 || first > 0xf4) return undefined;
  if (first < 0xe0) return [2, 0x80, 0xbf];
  if (first < 0xf0) return [3, first === 0xe0 ? 0xa0 : 0x80, first === 0xed ? 0x9f : 0xbf];
  return [4, first === 0xf0 ? 0x90 : 0x80, first === 0xf4 ? 0x8f : 0xbf];
}

/** { character, from, to, isValid } of each character. */
export function utf8Characters(bytes) {
  const characters = [];
  for (let from = 0; from < bytes.length;) {
    const [length, min, max] = sequenceOf(bytes[from]) ?? [0];
    let code = length < 2 ? bytes[from] : bytes[from] & (0x7f >> length);
    let to = from + 1;
    for (; to < from + length; to++) {
      const isSecond = to === from + 1;
      if (!(bytes[to] >= (isSecond ? min : 0x80) && bytes[to] <= (isSecond ? max : 0xbf))) break;
      code = code * 64 + (bytes[to] & 0x3f);
    }
    const isValid = length > 0 && to === from + length;
    characters.push({
      ...{ character: isValid ? String.fromCodePoint(code) : '\ufffd' },
      ...{ from, to, isValid },
    });
    from = to;
  }
  return characters;
}
