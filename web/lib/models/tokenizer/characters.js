// Classes of characters as the Rust library has them: Unicode's properties, where JavaScript's \s and \w are others.

/** Number of UTF-16 units of the character at an index. */
export const unitsAt = (text, index) => (text.codePointAt(index) > 0xffff ? 2 : 1);

/** Whether the unit at an index is white space (White_Space of Unicode). */
export function isSpaceAt(text, index) {
  const code = text.charCodeAt(index);
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  if (code < 0x2000) return code === 0x85 || code === 0xa0 || code === 0x1680;
  return code <= 0x200a || otherSpaces.includes(code);
}

const otherSpaces = [0x2028, 0x2029, 0x202f, 0x205f, 0x3000];

/** \w of Rust's regular expressions. */
export const wordClass = String.raw`[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]`;

export const spaces = /\p{White_Space}/gu;
export const punctuation = /[!-/:-@[-`{-~\p{P}]/gu;
export const numerals = /\p{N}/gu;

/** Characters that BERT puts between spaces: the blocks of ideographs in its published tokenizer. */
export const ideographs =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;

/** [start, end] in a text without the white space at both ends; the same if it has no other characters. */
export function trimmedSpan(text, [start, end]) {
  let first = start;
  let last = end;
  while (first < last && isSpaceAt(text, first)) first++;
  while (first < last && isSpaceAt(text, last - 1)) last--;
  return first < last ? [first, last] : [start, end];
}
