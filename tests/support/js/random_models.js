// Random models of tokenizer.json: vocabularies of few pieces that random texts contain.

const bytes = Array.from({ length: 256 }, (_, byte) => byte);
const isPrintable = (byte) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
let next = 256;
/** The characters of byte-level tokenizers, by byte (GPT-2). */
const byteCharacters = bytes.map((byte) => String.fromCodePoint(isPrintable(byte) ? byte : next++));
const byteTokens = bytes.map((byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);

const pieces = [
  'a',
  'b',
  'c',
  'A',
  'e',
  'é',
  'я',
  '中',
  '가',
  '1',
  '2',
  '.',
  ',',
  ' ',
  '▁',
  'Ġ',
  '😀',
  'σ',
  'n',
  "'",
  '-',
  'ب',
  '\u0301',
  '_',
];
const special = ['<s>', '</s>', '<pad>'];

export class RandomModels {
  #pick;
  #chance;
  #list;

  constructor({ pick, chance, list }) {
    this.#pick = pick;
    this.#chance = chance;
    this.#list = list;
  }

  #alphabet() {
    const some = pieces.filter(() => this.#chance(75));
    return this.#chance(50)
      ? [...new Set([...some, ...byteCharacters.filter(() => this.#chance(85))])]
      : some;
  }

  #vocabulary = (tokens) =>
    Object.fromEntries([...new Set(tokens)].map((token, id) => [token, id]));

  #words(alphabet, prefix = '') {
    return this.#list(5, 30, () => {
      const word = this.#list(1, 3, () => this.#pick(alphabet)).join('');
      return this.#chance(40) ? prefix + word : word;
    });
  }

  #bpe() {
    const prefix = this.#pick([null, null, '', '##', '▁', 'a']);
    const suffix = this.#pick([null, null, '', '</w>', '.']);
    const alphabet = this.#alphabet();
    const base = alphabet.flatMap((one) => [
      one,
      ...(prefix ? [prefix + one] : []),
      ...(suffix ? [one + suffix] : []),
      ...(prefix && suffix ? [prefix + one + suffix] : []),
    ]);
    const tokens = ['<unk>', ...special, ...base, ...(this.#chance(30) ? byteTokens : [])];
    const merges = [];
    for (let n = 0; n < 40; n++) {
      const [first, second] = [this.#pick(tokens.slice(4)), this.#pick(tokens.slice(4))];
      if (/^<0x/.test(first + second) || (prefix && !second.startsWith(prefix))) continue;
      if (merges.some(([a, b]) => a === first && b === second)) continue;
      const merged = first + second.slice(prefix?.length ?? 0);
      if (merged.length > 12) continue;
      merges.push([first, second]);
      if (!tokens.includes(merged)) tokens.push(merged);
    }
    const isOld = this.#chance(20) && !merges.flat().some((token) => /\s/.test(token));
    return {
      ...(this.#chance(80) && { type: 'BPE' }),
      dropout: null,
      unk_token: this.#pick(['<unk>', '<unk>', null]),
      ...{ continuing_subword_prefix: prefix, end_of_word_suffix: suffix },
      ...{
        fuse_unk: this.#chance(50),
        byte_fallback: this.#chance(50),
        ignore_merges: this.#chance(30),
      },
      vocab: this.#vocabulary(tokens),
      merges: isOld ? merges.map((pair) => pair.join(' ')) : merges,
    };
  }

  #unigram() {
    const alphabet = this.#alphabet();
    const tokens = [
      '<unk>',
      ...special,
      ...alphabet,
      ...this.#words(alphabet),
      ...(this.#chance(40) ? byteTokens : []),
    ];
    const unique = [...new Set(tokens)];
    return {
      type: 'Unigram',
      unk_id: this.#pick([0, 0, 0, null]),
      // Distinct sums of scores, so that few ways are equal; of few digits, which the Rust library reads exactly.
      vocab: unique.map((token, id) => [token, -1 - ((id * 7919) % 1009) / 100]),
      byte_fallback: this.#chance(50),
    };
  }

  #wordPiece() {
    const prefix = this.#pick(['##', '##', '', '▁']);
    const alphabet = this.#alphabet();
    const all = [
      ...alphabet,
      ...this.#words(alphabet, prefix),
      ...alphabet.filter(() => this.#chance(60)).map((one) => prefix + one),
    ];
    return {
      type: 'WordPiece',
      unk_token: '<unk>',
      continuing_subword_prefix: prefix,
      max_input_chars_per_word: this.#pick([100, 100, 4]),
      vocab: this.#vocabulary(['<unk>', ...special, ...all]),
    };
  }

  #wordLevel() {
    const alphabet = this.#alphabet();
    return {
      type: 'WordLevel',
      vocab: this.#vocabulary(['<unk>', ...special, ...alphabet, ...this.#words(alphabet)]),
      unk_token: '<unk>',
    };
  }

  model = () =>
    this.#pick([
      () => this.#bpe(),
      () => this.#bpe(),
      () => this.#unigram(),
      () => this.#wordPiece(),
      () => this.#wordLevel(),
    ])();
}

/** The tokens of a model, by id. */
export const tokensOf = ({ vocab }) =>
  Array.isArray(vocab)
    ? vocab.map(([token]) => token)
    : Object.keys(vocab).sort((a, b) => vocab[a] - vocab[b]);
