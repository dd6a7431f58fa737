// Special and added tokens of a folder without tokenizer.json, for all its forms: those of the tokenizer's class, as
// tokenizer_config.json and special_tokens_map.json change them, with those of added_tokens_decoder and added_tokens.json;
// and the templates in which they stand.
import { isObject } from '../fields.js';

const flags = ['single_word', 'lstrip', 'rstrip', 'normalized'];

// Special tokens without an id get the next ones in this order. Source: SPECIAL_TOKENS_ATTRIBUTES of transformers.
const roles = ['bos', 'eos', 'unk', 'sep', 'pad', 'cls', 'mask'].map((name) => `${name}_token`);

/** { content, lstrip… } of a token, which files write as a text or an object; undefined for null. */
function tokenOf(value) {
  const token = typeof value === 'string' ? { content: value } : value;
  return isObject(token) && typeof token.content === 'string' && token.content !== ''
    ? token
    : undefined;
}

/** The token of a role. A class that strips spaces beside it does so for any text that stands alone. */
const ofRole = (value, byDefault) =>
  tokenOf(
    typeof value === 'string' && isObject(byDefault) ? { ...byDefault, content: value } : value,
  );

/** The tokens of added_tokens_decoder, which readAddedTokens() checks. */
function decoderTokens({ added_tokens_decoder: byId }) {
  const tokens = Object.entries(isObject(byId) ? byId : {});
  return tokens.map(([id, token]) => ({ ...tokenOf(token), id: Number(id) }));
}

/** A list of tokens, or those of an object by name. */
const listed = (value) => (isObject(value) ? Object.values(value) : [value ?? []].flat());

export class SpecialTokens {
  #byRole;
  #ids;
  #next = 0; // the id of a token that has none
  #decoded; // tokens of added_tokens_decoder by content
  #added = new Map();

  /**
   * @param {object} defaults tokens by role, such as { cls_token: '<s>' }
   * @param {object} files { config, map, added }: tokenizer_config.json, special_tokens_map.json and added_tokens.json
   * @param {Map<string, number>} ids of the tokens of the vocabulary, which are valid; the files have ids of more
   */
  constructor(defaults, { config, map, added }, ids) {
    const configured = { ...defaults, ...map, ...config };
    const names = Object.keys(configured).filter(
      (name) => /^[a-z]+_token$/.test(name) && !roles.includes(name),
    );
    this.#byRole = new Map();
    for (const role of [...roles, ...names]) {
      const token = ofRole(configured[role], defaults[role]);
      if (token) this.#byRole.set(role, token);
    }
    const decoded = decoderTokens(config).filter(({ content }) => content !== undefined);
    this.#decoded = new Map(decoded.map((one) => [one.content, one]));
    this.#ids = new Map(Object.entries(added));
    for (const { content, id } of decoded) this.#ids.set(content, id);
    for (const [content, id] of ids) this.#ids.set(content, id);
    for (const id of this.#ids.values()) this.#next = Math.max(this.#next, id + 1);
    for (const content of Object.keys(added)) this.#add({ content }, false);
    for (const one of decoded) this.#add(one, one.special === true);
    for (const one of this.#byRole.values()) this.add(one);
    const { additional_special_tokens: additional, extra_special_tokens: extra } = configured;
    for (const more of [...listed(additional), ...listed(extra)]) this.add(tokenOf(more));
  }

  #add(token, special) {
    const { content } = token;
    if (!this.#ids.has(content)) this.#ids.set(content, this.#next++);
    const known = { ...token, ...this.#decoded.get(content) };
    const chosen = flags.filter((name) => typeof known[name] === 'boolean');
    const own = Object.fromEntries(chosen.map((name) => [name, known[name]]));
    const id = this.#ids.get(content);
    this.#added.set(content, { normalized: !special, ...own, id, content, special });
  }

  /** Whether a token was added. */
  has(content) {
    return this.#added.has(content);
  }

  /** Adds a special token, if there is one. */
  add(token) {
    if (token) this.#add(token, true);
  }

  /** The token of a role, or undefined. */
  contentOf(role) {
    return this.#byRole.get(role)?.content;
  }

  /** [token, id] of a role; throws if there is none. */
  require(role) {
    const content = this.contentOf(role);
    if (content !== undefined) return [content, this.#ids.get(content)];
    throw new RangeError(`tokenizer_config.json has no '${role}'`);
  }

  /** The field added_tokens of a tokenizer.json. */
  get added() {
    return [...this.#added.values()];
  }

  /**
   * A TemplateProcessing. single and pair: items with spaces between them, A, B, roles or tokens, each with its type if it
   * is not 0: 'cls_token A sep_token B:1 sep_token:1'.
   */
  template(single, pair) {
    const known = new Map();
    const item = (text) => {
      const [name, type = '0'] = text.split(':');
      const type_id = Number(type);
      if (name === 'A' || name === 'B') return { Sequence: { id: name, type_id } };
      const isRole = this.#byRole.has(name) || name.endsWith('_token');
      const [content, id] = isRole ? this.require(name) : [name, this.#idOf(name)];
      known.set(content, id);
      return { SpecialToken: { id: content, type_id } };
    };
    const items = (text) => text.trim().split(/ +/).map(item);
    return {
      ...{ type: 'TemplateProcessing', single: items(single), pair: items(pair) },
      special_tokens: Object.fromEntries(
        [...known].map(([token, id]) => [token, { id: token, ids: [id], tokens: [token] }]),
      ),
    };
  }

  #idOf(content) {
    const id = this.#ids.get(content);
    if (id !== undefined) return id;
    throw new RangeError(`the vocabulary has no token '${content}'`);
  }
}
