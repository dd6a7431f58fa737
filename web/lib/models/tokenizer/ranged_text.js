// A text that knows where it came from: each character has its range in a source text, through all changes. Positions are
// indices of UTF-16 units. The ranges of changed characters are those of the Rust library's NormalizedString.
import { spend } from './budget.js';
import { unitsAt } from './characters.js';

const isHigh = (unit) => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit) => unit >= 0xdc00 && unit < 0xe000;

export class RangedText {
  #at; // index of the first unit in the ranges or characters; without both, its position in the source
  #starts;
  #ends;
  #spelled; // the text of which this spells each character
  #characters;

  /**
   * @param {string} text
   * @param {number} origin position in the source of characters that are inserted before the first
   * @param {object} ranges { at, starts, ends }: the range of unit n is starts[at + n] to ends[at + n]; or
   *   { at, spelled, characters }: that of the character of unit characters[at + n] of a RangedText; with `at` alone, the text
   *   is a part of the source from there on
   */
  constructor(text, origin = 0, { at = origin, starts, ends, spelled, characters } = {}) {
    this.text = text;
    this.origin = origin;
    this.#at = at;
    this.#starts = starts;
    this.#ends = ends;
    this.#spelled = spelled;
    this.#characters = characters;
  }

  get length() {
    return this.text.length;
  }

  /** Start in the source of the character of a unit; behind the last one, its end. */
  startOf(unit) {
    if (unit >= this.length) return unit === 0 ? this.origin : this.endOf(this.length - 1);
    if (this.#starts) return this.#starts[this.#at + unit];
    if (this.#spelled) return this.#spelled.startOf(this.#characters[this.#at + unit]);
    const isSecond = isLow(this.text.charCodeAt(unit));
    return this.#at + unit - (isSecond ? 1 : 0);
  }

  /** End in the source of the character of a unit. */
  endOf(unit) {
    if (this.#ends) return this.#ends[this.#at + unit];
    if (this.#spelled) return this.#spelled.endOf(this.#characters[this.#at + unit]);
    const isFirst = isHigh(this.text.charCodeAt(unit));
    return this.#at + unit + (isFirst ? 2 : 1);
  }

  /** Appends the ranges of units to arrays of starts and ends. */
  copyRanges(from, to, starts, ends) {
    for (let unit = from; unit < to; unit++) {
      starts.push(this.startOf(unit));
      ends.push(this.endOf(unit));
    }
  }

  slice(from, to) {
    const origin = from < this.length ? this.startOf(from) : this.origin;
    return new RangedText(this.text.slice(from, to), origin, this.#rangesFrom(from));
  }

  /** The same ranges with other characters, one for each and of as many units. */
  withCharacters(text) {
    return new RangedText(text, this.origin, this.#rangesFrom(0));
  }

  /** Other characters, with the ranges of these: that at index n is part of the one at characters[n]. */
  spelledAs(text, characters) {
    spend(text.length);
    return new RangedText(text, this.origin, { at: 0, spelled: this, characters });
  }

  #rangesFrom(unit) {
    return {
      at: this.#at + unit,
      starts: this.#starts,
      ends: this.#ends,
      spelled: this.#spelled,
      characters: this.#characters,
    };
  }

  edit() {
    return new TextEdit(this);
  }
}

/** A new text made from an old one: its units are kept or dropped in order, others are inserted between them. */
class TextEdit {
  #old;
  #position = 0; // in the old text
  #texts = [];
  #starts = [];
  #ends = [];

  constructor(old) {
    this.#old = old;
  }

  get position() {
    return this.#position;
  }

  /** Keeps the old text up to an index. */
  keep(end) {
    const old = this.#old;
    if (end <= this.#position) return this;
    this.#texts.push(old.text.slice(this.#position, end));
    old.copyRanges(this.#position, end, this.#starts, this.#ends);
    this.#position = end;
    return this;
  }

  /** Drops the old text up to an index. */
  drop(end) {
    this.#position = Math.min(Math.max(end, this.#position), this.#old.length);
    return this;
  }

  /** Inserts characters with the range of the old character before them; at the start, with an empty range. */
  insert(text) {
    spend(text.length);
    const before = this.#position - 1;
    const start = before < 0 ? this.#old.origin : this.#old.startOf(before);
    const end = before < 0 ? this.#old.origin : this.#old.endOf(before);
    this.#texts.push(text);
    for (let unit = 0; unit < text.length; unit++) {
      this.#starts.push(start);
      this.#ends.push(end);
    }
    return this;
  }

  /** Drops a character and inserts others with its range. */
  replaceCharacter(text) {
    return this.drop(this.#position + unitsAt(this.#old.text, this.#position)).insert(text);
  }

  /** The new text; the rest of the old one is kept. */
  finish() {
    this.keep(this.#old.length);
    const ranges = { at: 0, starts: this.#starts, ends: this.#ends };
    return new RangedText(this.#texts.join(''), this.#old.origin, ranges);
  }
}

/** One text of several, with the ranges that each has. */
export function concatenated(texts) {
  if (texts.length === 1) return texts[0];
  const starts = [];
  const ends = [];
  for (const text of texts) {
    text.copyRanges(0, text.length, starts, ends);
  }
  const whole = texts.map(({ text }) => text).join('');
  return new RangedText(whole, texts[0]?.origin ?? 0, { at: 0, starts, ends });
}
