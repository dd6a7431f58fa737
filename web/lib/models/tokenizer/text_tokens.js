// Encodes a text to token ids and decodes ids as a tokenizer.json describes, with the tokenizers of Hugging Face; adds the
// span of each token in the text.
import { describe } from '../../arguments/describe.js';
import { BoundedTokenizer } from './bounded_tokenizer.js';
import { spansOfByteTokens, spansOfSubwords } from './token_spans.js';

const anywhere = (description, pattern) => pattern.test(JSON.stringify(description ?? null));

/** Names tokenizer.json in errors of the tokenizer library. */
function withContext(use) {
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
  #special;
  #model;

  /** @param {object} description tokenizer.json; config: tokenizer_config.json; size: largest id + 1 */
  constructor(description, config, size) {
    this.size = size;
    const defaults = { added_tokens: [], normalizer: null, pre_tokenizer: null };
    const full = { ...defaults, post_processor: null, decoder: null, ...description };
    // For WordLevel models the library reads the unknown token from the config.
    const unknown = { unk_token: full.model.unk_token ?? config.unk_token };
    const settings = { clean_up_tokenization_spaces: false, ...config, ...unknown };
    this.#tokenizer = withContext(() => new BoundedTokenizer(full, settings));
    const { pre_tokenizer: split, decoder, normalizer, added_tokens: added, model } = full;
    this.#isBytes = anywhere([split, decoder], /"type":"ByteLevel"/);
    this.#form = /"type":"(NFK?C)"/.exec(JSON.stringify(normalizer))?.[1];
    this.#literal = new Set(added.map(({ content }) => content));
    this.#special = new Set(added.filter((one) => one.special).map(({ content }) => content));
    this.#model = model;
    this.#requireUnknown();
  }

  /** Throws if unknown words cannot be encoded: there must be an unknown token, unless all bytes have tokens. */
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
    return withContext(() => this.#tokenizer.encode(text, options));
  }

  #plain(text) {
    return this.#read(text, { add_special_tokens: false });
  }

  #spans(text, tokens) {
    if (this.#isBytes) {
      return spansOfByteTokens(text, tokens, { literal: this.#literal, form: this.#form });
    }
    const { continuing_subword_prefix: prefix, end_of_word_suffix: suffix } = this.#model;
    return spansOfSubwords(text, tokens, { unknown: this.#model.unk_token, prefix, suffix });
  }

  /**
   * { ids, typeIds, tokens, spans, parts }, with the model's special tokens. spans: the span of each token in its text,
   * empty for special tokens; parts: 0 for tokens of the first text, 1 for the second.
   */
  encode(text, second) {
    const { ids, token_type_ids: typeIds } = this.#read(text, {
      text_pair: second ?? null,
      return_token_type_ids: true,
    });
    const spans = [];
    const parts = [];
    [text, second].forEach((source, number) => {
      if (source === undefined) return;
      const plain = this.#plain(source);
      const first = indexOfList(plain.ids, ids, spans.length);
      // Special tokens between the texts belong to the first.
      const before = number === 0 ? 0 : text.length;
      while (spans.length < first) {
        spans.push([before, before]);
        parts.push(0);
      }
      // Not push(...spans): long texts have more tokens than a call may have arguments.
      for (const span of this.#spans(source, plain.tokens)) spans.push(span);
      while (parts.length < spans.length) parts.push(number);
    });
    const end = (second ?? text).length;
    while (spans.length < ids.length) {
      spans.push([end, end]);
      parts.push(second === undefined ? 0 : 1);
    }
    return {
      ids,
      // Templates may omit type ids.
      typeIds: ids.map((_, n) => (typeIds?.length === ids.length && typeIds[n]) || 0),
      tokens: ids.map((id) => this.tokenOf(id)),
      spans,
      parts,
    };
  }

  /** Ids of a text without special tokens. */
  encodePlain(text) {
    return this.#plain(text).ids;
  }

  /** The token with this id in the vocabulary; '' if there is none. */
  tokenOf(id) {
    return this.#tokenizer.id_to_token(id) ?? '';
  }

  /** { text, spans }: the text of ids and the span of each token in it; special tokens have an empty span. */
  locate(ids) {
    const tokens = ids.map((id) => this.tokenOf(id));
    const isText = (token) => !this.#special.has(token);
    const text = this.decode(ids);
    const textSpans = this.#spans(text, tokens.filter(isText));
    let next = 0;
    const spans = tokens.map((token) =>
      isText(token) ? textSpans[next++] : Array(2).fill(textSpans[next - 1]?.[1] ?? 0),
    );
    return { text, spans };
  }

  /** The text of ids; special tokens have none. */
  decode(ids) {
    if (ids.length === 0) return '';
    const how = { skip_special_tokens: true, clean_up_tokenization_spaces: false };
    return withContext(() => this.#tokenizer.decode([...ids], how));
  }
}

/** The index of the list `slice` in `whole`, from `from` on; `from` if it is not found. */
function indexOfList(slice, whole, from) {
  for (let at = from; at + slice.length <= whole.length; at++) {
    if (slice.every((id, n) => id === whole[at + n])) return at;
  }
  return from;
}
