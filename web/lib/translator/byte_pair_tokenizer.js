// The tokenizer of the English→French model: byte-pair encoding within words; a character without a token becomes the
// tokens of its UTF-8 bytes. Models read any tokenizer.json; this one needs a tenth of that, and has the methods of
// theirs that a translator calls.
import { describe } from '../arguments/describe.js';
import { BytePairs, byteOfToken } from '../models/tokenizer/byte_pairs.js';
import { utf8Characters } from '../models/tokenizer/utf8_characters.js';
import { Vocabulary } from '../models/tokenizer/vocabulary.js';
import { clean } from './normalize_text.js';

const space = '\u2581'; // a space in the vocabulary
const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

function requireTokenizer(description) {
  const { model, pre_tokenizer: split, added_tokens: special } = description ?? {};
  const isKnown = model?.type === 'BPE' && model.byte_fallback && Array.isArray(model.merges);
  if (isKnown && split?.pattern?.Regex && Array.isArray(special)) return;
  throw new TypeError(
    `tokenizer must be the parsed tokenizer.json of the weights: BPE with byte_fallback and a Split; found ${describe(description)}`,
  );
}

/** Neighboring bytes as characters; if they are no valid UTF-8, one U+FFFD each, as the decoder of tokenizer.json. */
function spellBytes(bytes) {
  const characters = utf8Characters(bytes);
  return characters.every(({ isValid }) => isValid)
    ? characters.map(({ character, from, to }) => ({ spelled: character, count: to - from }))
    : bytes.map(() => ({ spelled: '\ufffd', count: 1 }));
}

export class BytePairTokenizer {
  #model;
  #vocabulary;
  #special;
  #sections; // special tokens between texts
  #words;

  /** @param {object} description tokenizer.json */
  constructor(description) {
    requireTokenizer(description);
    const { model, pre_tokenizer: split, added_tokens: special } = description;
    const names = special.map(({ content }) => content);
    const tokens = [...Object.keys(model.vocab), ...names];
    const ids = [...Object.values(model.vocab), ...special.map(({ id }) => id)];
    this.#vocabulary = new Vocabulary(tokens, ids);
    this.#model = new BytePairs({ ...model, vocab: this.#vocabulary });
    this.#special = new Set(names);
    this.#sections = new RegExp(`(${names.map(escaped).join('|')})`);
    this.#words = new RegExp(split.pattern.Regex, 'gu');
  }

  get size() {
    return this.#vocabulary.largest + 1;
  }

  /** The ids of a text, without a start or an end; special tokens that the text spells out are themselves. */
  encodePlain(text) {
    const sections = text.split(this.#sections).filter((section) => section !== '');
    return sections.flatMap((section) => {
      if (this.#special.has(section)) return this.#vocabulary.idOf(section);
      const cleaned = clean(section);
      if (cleaned === '') return [];
      const words = `${space}${cleaned.replaceAll(' ', space)}`.match(this.#words);
      return (words ?? []).flatMap((word) => this.#model.encode(word).ids);
    });
  }

  /** The token of an id, as the vocabulary spells it. */
  tokenOf(id) {
    return this.#vocabulary.tokenOf(id) ?? '';
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
    for (const { spelled, count } of this.#spell(tokens)) {
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

  /** { spelled, count }: the text of each token, or of the `count` byte tokens of a character. */
  #spell(tokens) {
    const parts = [];
    for (let n = 0; n < tokens.length;) {
      let end = n;
      while (end < tokens.length && byteOfToken(tokens[end]) !== undefined) end++;
      if (end > n) {
        parts.push(...spellBytes(tokens.slice(n, end).map(byteOfToken)));
        n = end;
        continue;
      }
      const token = tokens[n++];
      const spelled = this.#special.has(token) ? '' : token.replaceAll(space, ' ');
      parts.push({ spelled, count: 1 });
    }
    return parts;
  }
}
