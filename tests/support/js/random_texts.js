// Random texts of the characters that tokenizers treat in special ways.

export const letters = [
  'a',
  'b',
  'c',
  'A',
  'B',
  'é',
  'E\u0301',
  'ñ',
  'я',
  'Я',
  '中',
  '文',
  '가',
  'ب',
  'न',
  'ी',
  'σ',
  'Σ',
];
export const others = [
  ...[
    ' ',
    ' ',
    '  ',
    '\n',
    '\r\n',
    '\t',
    '\u0085',
    '\u00a0',
    '\u3000',
    '\ufeff',
    '\u200b',
    '\u2028',
    '\u0000',
    '\u0007',
  ],
  ...[
    '1',
    '23',
    '٣',
    '½',
    'Ⅷ',
    '४',
    '.',
    ',',
    '!',
    '?',
    '-',
    "'",
    "n't",
    "'s",
    '$',
    '+',
    '_',
    '、',
    '¿',
    '#',
  ],
  ...[
    '😀',
    '👩🏽‍🚀',
    '🇫🇷',
    '𠮷',
    '\ud83d',
    '\udc00',
    '\ufffd',
    '▁',
    'Ġ',
    'ﬁ',
    'ß',
    'İ',
    'ǆ',
    'ガ',
    'ｶﾞ',
    '각',
    '\u0301',
    'ﷺ',
    'Ω',
  ],
];

export class RandomTexts {
  #random;
  #more;

  /** @param {string[]} more pieces of text that the tokenizer has */
  constructor(random, more = []) {
    this.#random = random;
    this.#more = more;
  }

  #pick = (list) => list[this.#random.integer(0, list.length - 1)];

  #piece() {
    const kind = this.#random.integer(0, 9);
    if (kind < 4) return this.#pick(letters);
    return kind < 7 || this.#more.length === 0 ? this.#pick(others) : this.#pick(this.#more);
  }

  text(most = 16) {
    return Array.from({ length: this.#random.integer(0, most) }, () => this.#piece()).join('');
  }
}
