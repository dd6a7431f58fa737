// Added tokens: texts that become one token each, before the model sees them. Some match the text as it is written, others
// its normalized form; the longest match at a position counts.
import { isSpaceAt, wordClass } from './characters.js';
import { flag, id, isObject, listOf, optional, readFields, shortText } from './fields.js';
import { RangedText } from './ranged_text.js';
import { Trie } from './trie.js';

const maxTokenLength = 4096;

const fields = {
  id,
  content: shortText(maxTokenLength),
  single_word: optional(flag, false),
  lstrip: optional(flag, false),
  rstrip: optional(flag, false),
  normalized: optional(flag, undefined),
  special: optional(flag, false),
};

const addedToken = (value, label) => {
  const token = readFields(value, fields, label);
  return { ...token, normalized: token.normalized ?? !token.special };
};

/** Added tokens of tokenizer.json, and those of tokenizer_config.json's added_tokens_decoder (by id) that it lacks. */
export function readAddedTokens(description, config) {
  const listed = listOf(addedToken)(description ?? [], 'added_tokens');
  const more = isObject(config?.added_tokens_decoder) ? config.added_tokens_decoder : {};
  const configured = Object.entries(more).map(([key, token]) => {
    // The class of the object in Python, in files of some versions.
    const { __type: _, ...entry } = isObject(token) ? token : {};
    return addedToken(
      { id: Number(key), ...entry },
      `added_tokens_decoder[${key}] of tokenizer_config.json`,
    );
  });
  const contents = new Set(listed.map(({ content }) => content));
  return [...listed, ...configured.filter(({ content }) => !contents.has(content))];
}

const endsWithWord = new RegExp(`${wordClass}$`, 'u');
const beginsWithWord = new RegExp(`^${wordClass}`, 'u');

/** The last two units of a text before a position: its last character. */
const before = (text, at) => text.slice(Math.max(0, at - 2), at);
const after = (text, at) => text.slice(at, at + 2);

export class AddedTokens {
  #tokens;
  #byId = new Map();
  #literal = new Trie();
  #normalized = new Trie();
  #normalize;

  /**
   * @param {object[]} tokens of readAddedTokens()
   * @param {Vocabulary} vocabulary of the model
   * @param {(text: RangedText) => RangedText} normalize
   */
  constructor(tokens, vocabulary, normalize) {
    this.#tokens = tokens;
    this.#normalize = normalize;
    const special = new Set(tokens.filter((one) => one.special).map(({ content }) => content));
    tokens.forEach((token, index) => {
      if (token.content === '') return;
      const known = vocabulary.idOf(token.content);
      if (known !== undefined && known !== token.id) {
        throw new RangeError(
          `the added token '${token.content}' has id ${token.id}, but the vocabulary of the model has it with id ${known}`,
        );
      }
      const text = this.#add(token, index);
      // A special token is not segment of a decoded text, so its name is its content.
      this.#byId.set(token.id, {
        name: token.special ? token.content : text,
        isSpecial: token.special || special.has(text), // the library looks for the text
      });
    });
  }

  /** Adds a token to those that are searched for; returns the text to find, normalized or as it is written. */
  #add(token, index) {
    const trie = token.normalized ? this.#normalized : this.#literal;
    const text = token.normalized
      ? this.#normalize(new RangedText(token.content)).text
      : token.content;
    if (text === '') {
      throw new RangeError(`the normalizer leaves nothing of the added token '${token.content}'`);
    }
    const same = trie.longestPrefix(text, 0);
    const isTaken = same?.end === text.length && !comesFirst(token, this.#tokens[same.value]);
    if (!isTaken) trie.set(text, index);
    return text;
  }

  /** The largest id; -1 if there are none. */
  get largest() {
    return [...this.#byId.keys()].reduce((a, b) => Math.max(a, b), -1);
  }

  /** The token of an id, normalized if it matches the normalized text; undefined if none is added. */
  tokenOf(tokenId) {
    return this.#byId.get(tokenId)?.name;
  }

  /** Whether the id is of a special token, which decoding leaves out. */
  isSpecial(tokenId) {
    return this.#byId.get(tokenId)?.isSpecial === true;
  }

  /** The id of the special token with this text; undefined if there is none. */
  specialIdOf(text) {
    return this.#tokens.find((token) => token.special && token.content === text)?.id;
  }

  /** The segments of a source text: { text, id? } each; those without an id are normalized. */
  split(source) {
    if (source.length === 0) return []; // not normalized either
    return this.#matches(source, this.#literal).flatMap((segment) => {
      if (segment.id !== undefined) return [segment];
      return this.#matches(this.#normalize(segment.text), this.#normalized);
    });
  }

  #matches(source, trie) {
    const { text } = source;
    const segments = [];
    let last = 0; // end of the last token
    const add = (from, to, tokenId) => {
      if (from < to) segments.push({ text: source.slice(from, to), id: tokenId });
    };
    for (let at = 0; at < text.length;) {
      const match = trie.longestPrefix(text, at);
      if (!match) {
        at++;
        continue;
      }
      const token = this.#tokens[match.value];
      const start = at;
      at = match.end;
      const isInWord =
        endsWithWord.test(before(text, start)) || beginsWithWord.test(after(text, at));
      if (token.single_word && isInWord) continue;
      const from = token.lstrip ? Math.max(last, startOfSpaces(text, start)) : start;
      const to = token.rstrip ? endOfSpaces(text, at) : at;
      add(last, from);
      add(from, to, token.id);
      last = to;
    }
    add(last, text.length);
    return segments;
  }
}

/** Whether a token is matched rather than another one with the same text: special tokens first. */
const comesFirst = (token, other) => token.special && !other.special;

function startOfSpaces(text, end) {
  let at = end;
  while (at > 0 && isSpaceAt(text, at - 1)) at--;
  return at;
}

function endOfSpaces(text, start) {
  let at = start;
  while (at < text.length && isSpaceAt(text, at)) at++;
  return at;
}
