// From a text to the ids of its tokens and back, as tokenizer.json describes it: Hugging Face's own tokenizers do it;
// here is added where each token stands in the text.
import { describe } from '../../arguments/describe.js';
import { BoundedTokenizer } from './bounded_tokenizer.js';
import { placesOfBytes, placesOfPieces } from './token_places.js';

const anywhere = (description, pattern) => pattern.test(JSON.stringify(description ?? null));

/** What the tokenizers throw is of their insides: it is said whose fault it is. */
function tried(use) {
  try {
    return use();
  } catch (cause) {
    throw new RangeError(`tokenizer.json cannot be used: ${cause.message}`, { cause });
  }
}

export class TextTokens {
  #tokenizer;
  #isBytes;
  #form;
  #literal;
  #model;

  /** @param {object} description tokenizer.json; config: tokenizer_config.json; size: one more than the largest id */
  constructor(description, config, size) {
    this.size = size;
    const parts = { added_tokens: [], normalizer: null, pre_tokenizer: null };
    const whole = { ...parts, post_processor: null, decoder: null, ...description };
    // Of a model of whole words the tokenizers look for the unknown one there.
    const unknown = { unk_token: whole.model.unk_token ?? config.unk_token };
    const how = { clean_up_tokenization_spaces: false, ...config, ...unknown };
    this.#tokenizer = tried(() => new BoundedTokenizer(whole, how));
    const { pre_tokenizer: split, decoder, normalizer, added_tokens: added, model } = whole;
    this.#isBytes = anywhere([split, decoder], /"type":"ByteLevel"/);
    this.#form = /"type":"(NFK?C)"/.exec(JSON.stringify(normalizer))?.[1];
    this.#literal = new Set(added.map(({ content }) => content));
    this.#model = model;
    this.#requireUnknown();
  }

  /** Words that have no tokens become the unknown one, unless bytes have tokens or such words are left out. */
  #requireUnknown() {
    const { unk_token: unknown, tokens_to_ids: ids } = this.#tokenizer.model;
    if (this.#isBytes || ids.has(unknown) || this.#literal.has(unknown)) return;
    const { merges, unk_token: name, unk_id: id } = this.#model;
    if (merges && !name) return;
    throw new RangeError(
      `the unknown token of tokenizer.json must be in its vocabulary, found ${describe(name ?? id)}`,
    );
  }

  #read(text, options) {
    return tried(() => this.#tokenizer.encode(text, options));
  }

  #plain(text) {
    return this.#read(text, { add_special_tokens: false });
  }

  #places(text, tokens) {
    if (this.#isBytes) {
      return placesOfBytes(text, tokens, { literal: this.#literal, form: this.#form });
    }
    const { continuing_subword_prefix: prefix, end_of_word_suffix: suffix } = this.#model;
    return placesOfPieces(text, tokens, { unknown: this.#model.unk_token, prefix, suffix });
  }

  /**
   * { ids, typeIds, tokens, spans, parts }: with the special tokens that the model expects. spans: where each token
   * stands in its text, special ones at the empty place where they were put; parts: which of the two texts it is of.
   */
  encode(text, second) {
    const { ids, token_type_ids: typeIds } = this.#read(text, {
      text_pair: second ?? null,
      return_token_type_ids: true,
    });
    const spans = [];
    const parts = [];
    [text, second].forEach((part, number) => {
      if (part === undefined) return;
      const plain = this.#plain(part);
      const first = placeOf(plain.ids, ids, spans.length);
      // What stands between two texts ends the first.
      const before = number === 0 ? 0 : text.length;
      while (spans.length < first) {
        spans.push([before, before]);
        parts.push(0);
      }
      // Not spread: a long text has more tokens than a call may have arguments.
      for (const span of this.#places(part, plain.tokens)) spans.push(span);
      while (parts.length < spans.length) parts.push(number);
    });
    const end = (second ?? text).length;
    while (spans.length < ids.length) {
      spans.push([end, end]);
      parts.push(second === undefined ? 0 : 1);
    }
    return {
      ids,
      // Templates may name no type.
      typeIds: ids.map((_, n) => (typeIds?.length === ids.length && typeIds[n]) || 0),
      tokens: ids.map((id) => this.tokenOf(id)),
      spans,
      parts,
    };
  }

  /** Ids of a text without the special tokens around it. */
  encodePlain(text) {
    return this.#plain(text).ids;
  }

  /** The token of an id, as the vocabulary spells it. */
  tokenOf(id) {
    return this.#tokenizer.id_to_token(id) ?? '';
  }

  /** The text of ids; special tokens have none. */
  decode(ids) {
    if (ids.length === 0) return '';
    const how = { skip_special_tokens: true, clean_up_tokenization_spaces: false };
    return tried(() => this.#tokenizer.decode([...ids], how));
  }
}

/** Where `part` stands in `whole`, from `from` on. */
function placeOf(part, whole, from) {
  for (let at = from; at + part.length <= whole.length; at++) {
    if (part.every((id, n) => id === whole[at + n])) return at;
  }
  return from;
}
