// Random patterns in Oniguruma's syntax, and texts with the characters they tell apart.

const raw = String.raw;
const characters = [
  'a',
  'b',
  'B',
  's',
  'é',
  'É',
  '1',
  '٣',
  '中',
  'я',
  '😀',
  ' ',
  raw`\n`,
  '_',
  '-',
  'σ',
  '²',
];
const sets = [
  ...[
    raw`\s`,
    raw`\S`,
    raw`\w`,
    raw`\W`,
    raw`\d`,
    raw`\D`,
    raw`\h`,
    raw`\H`,
    '.',
    raw`\N`,
    raw`\O`,
    raw`\R`,
  ],
  ...[
    raw`\p{L}`,
    raw`\P{L}`,
    raw`\p{^N}`,
    raw`\p{Lu}`,
    raw`\p{Punct}`,
    raw`\p{Han}`,
    raw`\p{greek}`,
  ],
];
const posix = [
  'alpha',
  'alnum',
  'digit',
  'lower',
  'upper',
  'punct',
  'space',
  'blank',
  'word',
  '^word',
  'graph',
  'print',
  'xdigit',
  'cntrl',
  'ascii',
];
const edges = ['^', '$', raw`\A`, raw`\z`, raw`\Z`, raw`\b`, raw`\B`];
const quantifiers = [
  '?',
  '*',
  '+',
  '{2}',
  '{1,2}',
  '{,2}',
  '{2,}',
  '{2}?',
  '{1,2}+',
  '??',
  '*?',
  '+?',
  '{1,3}?',
  '?+',
  '*+',
  '++',
];
const openings = [
  '(?:',
  '(',
  '(?>',
  '(?=',
  '(?!',
  '(?<=',
  '(?<!',
  '(?i:',
  '(?m:',
  '(?-i:',
  '(?<n>',
  '(?x: ',
];
const texts = [
  'a',
  'b',
  'B',
  's',
  'S',
  'é',
  'É',
  'e\u0301',
  '1',
  '٣',
  '中',
  'я',
  'Я',
  '😀',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '\u0085',
  '\ufeff',
  '_',
  '-',
  '.',
  'σ',
  'ς',
  'Σ',
  'ſ',
  'k',
  '\u212a',
  '²',
  'α',
  '\u2028',
];

export class RandomPatterns {
  #random;

  constructor(random) {
    this.#random = random;
  }

  #pick = (list) => list[this.#random.integer(0, list.length - 1)];
  #chance = (percent) => this.#random.integer(0, 99) < percent;
  #list = (most, one) => Array.from({ length: this.#random.integer(1, most) }, one);

  #member(depth) {
    const kind = this.#random.integer(0, 9);
    if (kind < 5) return this.#pick(characters);
    if (kind < 6) return this.#pick(['a-c', '0-9', 'а-я', 'A-Z']);
    if (kind < 7) return `[:${this.#pick(posix)}:]`;
    if (kind < 9) return this.#pick(sets.filter((set) => /^\\[swdhSWDHpP]/.test(set)));
    return depth > 0 ? this.#class(depth - 1) : 'x';
  }

  #class(depth = 1) {
    const members = () => this.#list(3, () => this.#member(depth)).join('');
    const all = this.#chance(10) ? `${members()}&&${members()}` : members();
    return `[${this.#chance(30) ? '^' : ''}${all}]`;
  }

  #atom(depth) {
    const kind = this.#random.integer(0, 19);
    if (kind < 7) return this.#pick(characters);
    if (kind < 10) return this.#pick(sets);
    if (kind < 13) return this.#class();
    if (kind < 14) return this.#pick(edges);
    return depth > 0
      ? `${this.#pick(openings)}${this.pattern(depth - 1)})`
      : this.#pick(characters);
  }

  #term(depth) {
    const atom = this.#atom(depth);
    return this.#chance(35) && !edges.includes(atom) ? atom + this.#pick(quantifiers) : atom;
  }

  pattern(depth = 2) {
    const flags = this.#chance(4) ? '(?i)' : '';
    return flags + this.#list(3, () => this.#list(3, () => this.#term(depth)).join('')).join('|');
  }

  text = () => this.#list(14, () => this.#pick(texts)).join('');
}
