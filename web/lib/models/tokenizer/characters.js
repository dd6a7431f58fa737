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

/** The runs of white space of a text. Searches in all positions take linear time together: each unit is passed once. */
export class SpaceRuns {
  #text;
  #ends; // of the run of each unit; 0 if it is not known
  #starts; // of the run of each unit, + 1; 0 if it is not known

  constructor(text) {
    this.#text = text;
  }

  /** The end of the white space that begins at an index; the index if there is none. */
  endFrom(index) {
    const text = this.#text;
    if (index >= text.length || !isSpaceAt(text, index)) return index;
    const ends = (this.#ends ??= new Int32Array(text.length));
    let at = index;
    while (at < text.length && ends[at] === 0 && isSpaceAt(text, at)) at++;
    const end = ends[at] || at;
    ends.fill(end, index, at);
    return end;
  }

  /** The start of the white space that ends before an index; the index if there is none. */
  startBefore(index) {
    const text = this.#text;
    if (index === 0 || !isSpaceAt(text, index - 1)) return index;
    const starts = (this.#starts ??= new Int32Array(text.length));
    let at = index;
    while (at > 0 && starts[at - 1] === 0 && isSpaceAt(text, at - 1)) at--;
    const start = at > 0 && starts[at - 1] > 0 ? starts[at - 1] - 1 : at;
    starts.fill(start + 1, at, index);
    return start;
  }

  /** [start, end] without the white space at both ends; the same if it has no other characters. */
  trimmed([start, end]) {
    const first = this.endFrom(start);
    return first < end ? [first, this.startBefore(end)] : [start, end];
  }
}
