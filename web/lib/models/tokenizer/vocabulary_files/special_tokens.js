// Special tokens of a folder without tokenizer.json: those of the tokenizer's class, as tokenizer_config.json and
// special_tokens_map.json change them, and the templates in which they stand.
import { isObject } from '../fields.js';

const flags = ['single_word', 'lstrip', 'rstrip', 'normalized'];

/** { content, lstrip… } of a token, which files write as a text or an object; undefined for null. */
function tokenOf(value) {
  if (typeof value === 'string') return { content: value };
  return isObject(value) && typeof value.content === 'string' ? value : undefined;
}

export class SpecialTokens {
  #byRole;
  #ids;
  #added = new Map();

  /**
   * @param {object} defaults tokens by role, such as { cls_token: '<s>' }
   * @param {object} files { config, map, added }: tokenizer_config.json, special_tokens_map.json and added_tokens.json
   * @param {Map<string, number>} ids of the tokens of the vocabulary; added_tokens.json has ids of more
   */
  constructor(defaults, { config, map, added }, ids) {
    const configured = { ...defaults, ...map, ...config };
    const roles = Object.keys({ ...defaults, ...map }).concat(
      Object.keys(config).filter((name) => /^[a-z]+_token$/.test(name)),
    );
    const token = (role) => [role, tokenOf(configured[role])];
    this.#byRole = new Map(roles.map(token).filter(([, found]) => found !== undefined));
    this.#ids = new Map([...ids, ...Object.entries(added)]);
    for (const content of Object.keys(added)) this.#add({ content }, false);
    for (const more of [configured.additional_special_tokens ?? []].flat()) this.add(tokenOf(more));
    for (const one of this.#byRole.values()) this.add(one);
  }

  #add(token, special) {
    const id = this.#ids.get(token.content);
    if (id === undefined) return;
    const chosen = flags.filter((name) => typeof token[name] === 'boolean');
    const own = Object.fromEntries(chosen.map((name) => [name, token[name]]));
    const { content } = token;
    this.#added.set(content, { normalized: !special, ...own, id, content, special });
  }

  /** Whether a token was added. */
  has(content) {
    return this.#added.has(content);
  }

  /** Adds a special token, if it has an id. */
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
    const id = this.#ids.get(content);
    if (id !== undefined) return [content, id];
    throw new RangeError(
      content === undefined
        ? `tokenizer_config.json has no '${role}'`
        : `the vocabulary has no token '${content}', which is its '${role}'`,
    );
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
