// Random normalizers, pre-tokenizers, post-processors and decoders of tokenizer.json, of all types, with all fields.
import { characterMapBytes } from './character_map_bytes.js';

const raw = String.raw;
const behaviors = ['Removed', 'Isolated', 'MergedWithPrevious', 'MergedWithNext', 'Contiguous'];
const patterns = [
  ...[
    raw`\s+`,
    raw`\w+|[^\w\s]+`,
    raw`\p{L}+`,
    raw`\d`,
    '.',
    raw`\n`,
    'a|b',
    raw`[^\s]+`,
    raw`\s+(?!\S)|\s+`,
    raw`(?i:'s)`,
  ],
  ...[
    raw` ?\p{L}+`,
    raw`(?<=\p{L})\p{N}`,
    raw`\b`,
    'a*',
    raw`\p{M}`,
    '^.',
    '.$',
    '[aб-я一-龥]+',
    raw`\p{Lu}`,
    raw`a{2,}`,
  ],
];
const strings = ['a', ' ', 'ab', '-', '▁', '', '中', '😀', "'", '\n', 'é', '.'];
const contents = ['', 'a', ' ', '▁', 'xy', '中b', '😀', '\u0301', 'é'];
const map = characterMapBytes([
  ...[
    ['ﬁ', 'fi'],
    ['ｶﾞ', 'ガ'],
    ['ｶ', 'カ'],
    ['½', '1/2'],
    ['\u00a0', ' '],
    ['\u200b', ''],
    ['é', 'e'],
    ['E\u0301', 'É'],
  ],
  ...[
    ['ab', 'x'],
    ['中', '国中'],
    ['😀', ':)'],
    ['👩🏽‍🚀', 'woman'],
    ['\t', ' '],
    ['Ω', 'Ω'],
    ['가', '가나'],
    ['ß', 'ss'],
    ['ﷺ', 'صلى'],
  ],
]);

export class RandomComponents {
  #random;
  /** @param {object} random, special: [token, id] pairs of the vocabulary */
  constructor(random, special) {
    this.#random = random;
    this.special = special;
  }

  pick = (list) => list[this.#random.integer(0, list.length - 1)];
  chance = (percent) => this.#random.integer(0, 99) < percent;
  flag = () => this.chance(50);
  list = (least, most, one) => Array.from({ length: this.#random.integer(least, most) }, one);

  /** An object without some of its optional fields. */
  #some = (required, optional) => ({
    ...required,
    ...Object.fromEntries(Object.entries(optional).filter(() => this.chance(75))),
  });

  pattern() {
    return this.flag() ? { String: this.pick(strings) } : { Regex: this.pick(patterns) };
  }

  #maybe(least, most) {
    return this.#random.integer(least, most);
  }

  normalizer(depth = 2) {
    const types = {
      BertNormalizer: () => ({
        ...{ clean_text: this.flag(), handle_chinese_chars: this.flag() },
        ...{ strip_accents: this.pick([null, true, false]), lowercase: this.flag() },
      }),
      ByteLevel: () => ({}),
      Lowercase: () => ({}),
      ...{ NFC: () => ({}), NFD: () => ({}), NFKC: () => ({}), NFKD: () => ({}), Nmt: () => ({}) },
      Precompiled: () => ({ precompiled_charsmap: map }),
      Prepend: () => ({ prepend: this.pick(['▁', ' ', 'ab', '😀']) }),
      Replace: () => ({ pattern: this.pattern(), content: this.pick(contents) }),
      Strip: () => ({ strip_left: this.flag(), strip_right: this.flag() }),
      StripAccents: () => ({}),
      Sequence: () => ({ normalizers: this.list(1, 3, () => this.normalizer(depth - 1)) }),
    };
    return this.#typed(types, depth);
  }

  #typed(types, depth) {
    const type = this.pick(Object.keys(types).filter((name) => name !== 'Sequence' || depth > 0));
    return { type, ...types[type]() };
  }

  #metaspace() {
    const replacement = this.pick(['▁', '▁', '_']);
    return this.chance(25)
      ? this.#some({ replacement, add_prefix_space: this.flag() }, { str_rep: replacement })
      : this.#some(
          { replacement, prepend_scheme: this.pick(['always', 'first', 'never']) },
          { split: this.flag() },
        );
  }

  preTokenizer(depth = 2) {
    const types = {
      BertPreTokenizer: () => ({}),
      ByteLevel: () =>
        this.#some(
          { add_prefix_space: this.flag(), trim_offsets: this.flag() },
          { use_regex: this.flag() },
        ),
      CharDelimiterSplit: () => ({ delimiter: this.pick([' ', 'a', '-', '中', '😀']) }),
      Digits: () => ({ individual_digits: this.flag() }),
      FixedLength: () => this.#some({}, { length: this.#maybe(1, 5) }),
      Metaspace: () => this.#metaspace(),
      Punctuation: () => this.#some({}, { behavior: this.pick(behaviors) }),
      Split: () => ({
        pattern: this.pattern(),
        behavior: this.pick(behaviors),
        invert: this.flag(),
      }),
      UnicodeScripts: () => ({}),
      Whitespace: () => ({}),
      WhitespaceSplit: () => ({}),
      Sequence: () => ({ pretokenizers: this.list(1, 3, () => this.preTokenizer(depth - 1)) }),
    };
    return this.#typed(types, depth);
  }

  #template(isPair) {
    const one = () =>
      this.flag()
        ? { SpecialToken: { id: this.pick(this.special)[0], type_id: this.#maybe(0, 2) } }
        : { Sequence: { id: isPair ? this.pick(['A', 'B']) : 'A', type_id: this.#maybe(0, 2) } };
    const pieces = this.list(0, 5, one);
    // Rust wants each text of a pair in its template.
    for (const id of isPair ? ['A', 'B'] : []) {
      if (!pieces.some(({ Sequence }) => Sequence?.id === id))
        pieces.push({ Sequence: { id, type_id: 0 } });
    }
    return pieces;
  }

  postProcessor(depth = 1) {
    const [cls, sep] = [this.pick(this.special), this.pick(this.special)];
    const types = {
      BertProcessing: () => ({ cls, sep }),
      ByteLevel: () =>
        this.#some(
          { add_prefix_space: this.flag(), trim_offsets: this.flag() },
          { use_regex: this.flag() },
        ),
      RobertaProcessing: () => ({
        cls,
        sep,
        trim_offsets: this.flag(),
        add_prefix_space: this.flag(),
      }),
      TemplateProcessing: () => ({
        single: this.#template(false),
        pair: this.#template(true),
        special_tokens: Object.fromEntries(
          this.special.map(([token, id]) => {
            const all = this.chance(20) ? [[token, id], this.pick(this.special)] : [[token, id]];
            const [tokens, ids] = [0, 1].map((n) => all.map((one) => one[n]));
            return [token, { id: token, ids, tokens }];
          }),
        ),
      }),
      Sequence: () => ({ processors: this.list(1, 2, () => this.postProcessor(depth - 1)) }),
    };
    return this.#typed(types, depth);
  }

  decoder(depth = 2) {
    const types = {
      BPEDecoder: () => ({ suffix: this.pick(['</w>', '', 'b', '##']) }),
      ByteFallback: () => ({}),
      ByteLevel: () =>
        this.#some(
          { add_prefix_space: this.flag(), trim_offsets: this.flag() },
          { use_regex: this.flag() },
        ),
      CTC: () => ({
        pad_token: this.pick(['a', '<pad>']),
        word_delimiter_token: this.pick(['|', 'b', '▁']),
        cleanup: this.flag(),
      }),
      Fuse: () => ({}),
      Metaspace: () => this.#metaspace(),
      Replace: () => ({ pattern: this.pattern(), content: this.pick(contents) }),
      Strip: () => ({
        content: this.pick([' ', 'a', '▁', '中']),
        start: this.#maybe(0, 3),
        // The library panics where a token is shorter.
        stop: this.chance(5) ? this.#maybe(1, 3) : 0,
      }),
      WordPiece: () => ({ prefix: this.pick(['##', '▁', 'a']), cleanup: this.flag() }),
      Sequence: () => ({ decoders: this.list(1, 3, () => this.decoder(depth - 1)) }),
    };
    return this.#typed(types, depth);
  }
}
