// Added tokens: texts that become one token each, before the model sees them. Some match the text as it is written, others
// its normalized form; the longest match at a position counts.
import { SpaceRuns, wordClass } from './characters.js';
import { flag, id, isObject, listOf, optional, readFields, shortText } from './fields.js';
import { RangedText } from './ranged_text.js';
import { LongestMatches } from './trie.js';

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

/**
 * @typedef {object} AddedToken
 * @property {number} id
 * @property {string} content
 * @property {boolean} single_word
 * @property {boolean} lstrip
 * @property {boolean} rstrip
 * @property {boolean} normalized
 * @property {boolean} special
 */

/** @type {(value: unknown, label: string) => AddedToken} */
const addedToken = (value, label) => {
  const token = /** @type {AddedToken} */ (readFields(value, fields, label));
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

/** Whether a character of a word is beside a range: the last of two units before it, the first of two behind it. */
const isInWord = (text, start, end) =>
  endsWithWord.test(text.slice(Math.max(0, start - 2), start)) ||
  beginsWithWord.test(text.slice(end, end + 2));

export class AddedTokens {
  #tokens;
  #byId = new Map();
  #literal = new LongestMatches();
  #normalized = new LongestMatches();
  #normalize;

  /**
   * @param {object[]} tokens of readAddedTokens()
   * @param {{ idOf(token: string): number | undefined }} vocabulary of the model
   * @param {(text: RangedText) => RangedText} normalize
   */
  constructor(tokens, vocabulary, normalize) {
    // A token of the vocabulary has its id there, whatever the file says.
    this.#tokens = tokens.map((one) => ({ ...one, id: vocabulary.idOf(one.content) ?? one.id }));
    this.#normalize = normalize;
    const special = new Set(tokens.filter((one) => one.special).map(({ content }) => content));
    this.#tokens.forEach((token, index) => {
      if (token.content === '') return;
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
    const set = token.normalized ? this.#normalized : this.#literal;
    const text = token.normalized
      ? this.#normalize(new RangedText(token.content)).text
      : token.content;
    if (text === '') {
      throw new RangeError(`the normalizer leaves nothing of the added token '${token.content}'`);
    }
    const same = set.get(text);
    if (same === undefined || comesFirst(token, this.#tokens[same])) set.set(text, index);
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

  /**
   * The segments of a source text: { text } between added tokens, normalized, and { text, start, end, id } of an added token
   * at a range of a text.
   */
  split(source) {
    if (source.length === 0) return []; // not normalized either
    return this.#segments(source, this.#literal).flatMap((segment) => {
      if (segment.id !== undefined) return [segment];
      return this.#segments(this.#normalize(segment.text), this.#normalized);
    });
  }

  #segments(source, set) {
    const { text } = source;
    const spaces = new SpaceRuns(text);
    const segments = [];
    let last = 0; // end of the last token with its spaces
    const addText = (end) => {
      if (last < end) segments.push({ text: source.slice(last, end) });
    };
    let next = 0; // end of the last match
    for (const { start, end, value } of set.in(text)) {
      if (start < next) continue;
      next = end;
      const token = this.#tokens[value];
      if (token.single_word && isInWord(text, start, end)) continue;
      const from = token.lstrip ? Math.max(last, spaces.startBefore(start)) : start;
      const to = token.rstrip ? spaces.endFrom(end) : end;
      addText(from);
      if (from < to) segments.push({ text: source, start: from, end: to, id: token.id });
      last = to;
    }
    addText(text.length);
    return segments;
  }
}

/** Whether a token is matched rather than another one with the same text: special tokens first. */
const comesFirst = (token, other) => token.special && !other.special;
