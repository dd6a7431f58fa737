// The tokenizer of the English→French model: byte-pair encoding within words; a character without a token becomes the
// tokens of its UTF-8 bytes. The general tokenizers of models are five times larger.
import { describe } from '../arguments/describe.js';
import { BPE } from '../models/tokenizer/hugging_face.js';
import { byteGroupLength, byteOfToken } from '../models/tokenizer/token_bytes.js';
import { clean } from './normalize_text.js';

const space = '\u2581'; // a space in the vocabulary
const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

function requireTokenizer(description, vocabularySize) {
  const { model, pre_tokenizer: split, added_tokens: special } = description ?? {};
  const isKnown = model?.type === 'BPE' && model.byte_fallback && Array.isArray(model.merges);
  if (!isKnown || !split?.pattern?.Regex || !Array.isArray(special)) {
    throw new TypeError(
      `tokenizer must be the parsed tokenizer.json of the weights: BPE with byte_fallback and a Split; found ${describe(description)}`,
    );
  }
  const largest = Math.max(...Object.values(model.vocab), ...special.map(({ id }) => id));
  if (largest < vocabularySize) return;
  throw new RangeError(
    `the tokenizer has ids up to ${largest}, but the embedding of the model has ${vocabularySize} rows`,
  );
}

export class BytePairTokenizer {
  #model;
  #ids;
  #tokens = [];
  #special;
  #sections; // special tokens between texts
  #words;

  /**
   * @param {object} description tokenizer.json
   * @param {number} vocabularySize rows of the model's embedding
   */
  constructor(description, vocabularySize) {
    requireTokenizer(description, vocabularySize);
    const { model, pre_tokenizer: split, added_tokens: special } = description;
    this.#model = new BPE(model);
    this.#ids = new Map(Object.entries(model.vocab));
    for (const { content, id } of special) this.#ids.set(content, id);
    for (const [token, id] of this.#ids) this.#tokens[id] = token;
    const names = special.map(({ content }) => content);
    this.#special = new Set(names);
    this.#sections = new RegExp(`(${names.map(escaped).join('|')})`);
    this.#words = new RegExp(split.pattern.Regex, 'gu');
  }

  get size() {
    return this.#tokens.length;
  }

  /** The ids of a text, without a start or an end; special tokens that the text spells out are themselves. */
  encode(text) {
    const sections = text.split(this.#sections).filter((section) => section !== '');
    const tokens = sections.flatMap((section) => {
      if (this.#special.has(section)) return section;
      const words = `${space}${clean(section).replaceAll(' ', space)}`.match(this.#words);
      return this.#model.encode(words);
    });
    return tokens.map((token) => this.#ids.get(token));
  }

  /** The token of an id, as the vocabulary spells it. */
  tokenOf(id) {
    return this.#tokens[id] ?? '';
  }

  /** The text of ids; special tokens have none. */
  decode(ids) {
    return this.locate(ids).text;
  }

  /**
   * { text, spans }: the text of ids and the span of each token in it, without the space before a word; all bytes of a
   * character have its span, special tokens an empty one.
   */
  locate(ids) {
    const tokens = ids.map((id) => this.tokenOf(id));
    const spans = [];
    let text = '';
    for (let n = 0; n < tokens.length; n = spans.length) {
      const count = byteGroupLength(tokens, n) || 1;
      const spelled = this.#spell(tokens.slice(n, n + count));
      text += spelled;
      const end = text.length;
      const start = end - spelled.trimStart().length;
      for (let i = 0; i < count; i++) spans.push([start, end]);
    }
    // The space before the first word is not part of the text.
    const dropped = text.startsWith(' ') ? 1 : 0;
    const shifted = (position) => Math.max(position - dropped, 0);
    return { text: text.slice(dropped), spans: spans.map((span) => span.map(shifted)) };
  }

  /** The text of one token, or of the tokens of one character's bytes. */
  #spell(tokens) {
    if (this.#special.has(tokens[0])) return '';
    if (byteOfToken(tokens[0]) === undefined) return tokens[0].replaceAll(space, ' ');
    return new TextDecoder().decode(Uint8Array.from(tokens, byteOfToken));
  }
}
