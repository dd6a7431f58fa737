// Encodes a text to token ids and decodes ids, as a tokenizer.json describes. The reference is the Rust library
// `tokenizers` of Hugging Face, 0.23.
import { requireRaw } from '../../arguments/raw_object.js';
import { messageOf } from '../../arguments/message_of.js';
import { allow, spend } from './budget.js';
import { SpaceRuns } from './characters.js';
import { inLowerCase } from './normalizers.js';
import { joinedEncodings } from './post_processors.js';
import { concatenated, RangedText } from './ranged_text.js';
import { readDescription } from './read_description.js';
import { truncated } from './truncation.js';

/** Names the file in errors. */
function withContext(file, use) {
  try {
    return use();
  } catch (cause) {
    throw new RangeError(`${file} cannot be used: ${messageOf(cause)}`, { cause });
  }
}

/** The text with U+FFFD for units that are half a character. */
const wellFormed = (text) => text.replace(/\p{Surrogate}/gu, '\ufffd');

export class TextTokens {
  #steps;
  #lowerCases;
  #file;

  /**
   * @param {object} description tokenizer.json
   * @param {object} config tokenizer_config.json
   * @param {object} options lowerCases: whether texts become lower case before anything else; components: of
   *   readDescription(); file: name of the file that the description is from
   */
  constructor(
    description,
    config,
    { lowerCases = false, components, file = 'tokenizer.json' } = {},
  ) {
    this.#file = file;
    this.#steps = withContext(this.#file, () => readDescription(description, config, components));
    this.#lowerCases = lowerCases;
    /** Largest id + 1. */
    this.size = Math.max(this.#steps.model.vocabulary.largest, this.#steps.added.largest) + 1;
  }

  /** { ids, spans } of a text, without special tokens of the model. */
  #tokens(text) {
    const { added, model, preTokenize } = this.#steps;
    const source = wellFormed(text);
    const ids = [];
    const spans = [];
    const spaces = new SpaceRuns(source);
    const add = (id, word, start, end) => {
      ids.push(id);
      spans.push(spaces.trimmed([word.startOf(start), word.endOf(end - 1)]));
    };
    const whole = new RangedText(source);
    for (const segment of added.split(this.#lowerCases ? inLowerCase(whole) : whole)) {
      if (segment.id !== undefined) {
        add(segment.id, segment.text, segment.start, segment.end);
        continue;
      }
      for (const word of preTokenize(segment.text)) {
        const tokens = model.encode(word.text);
        spend(tokens.ids.length);
        tokens.ids.forEach((id, n) => add(id, word, tokens.starts[n], tokens.ends[n]));
      }
    }
    return { ids, spans };
  }

  /** Number of ids that this many texts may have within a limit, beside the special tokens. */
  #roomWithin(limit, count) {
    if (limit === Infinity) return limit;
    const special = withContext(this.#file, () => {
      allow(0);
      const empty = { ids: [], typeIds: [], spans: [], texts: [] };
      return joinedEncodings(this.#steps.postProcess(Array(count).fill(empty))).ids.length;
    });
    if (special <= limit) return limit - special;
    throw new RangeError(`the limit is ${limit} tokens, but ${special} special tokens are added`);
  }

  #encode(texts, room) {
    allow(texts.reduce((sum, text) => sum + text.length, 0));
    let encodings = texts.map((text, number) => {
      const { ids, spans } = this.#tokens(text);
      return { ids, typeIds: ids.map(() => number), spans, texts: [[number, 0]] };
    });
    if (room < Infinity) encodings = truncated(encodings, room, this.#steps.truncationSide);
    return joinedEncodings(this.#steps.postProcess(encodings));
  }

  /**
   * { ids, typeIds, tokens, spans, parts }, with the model's special tokens. spans: the span of each token in its text,
   * empty for special tokens; parts: 0 for tokens of the first text, 1 for the second. limit: maximum number of ids.
   */
  encode(text, second, limit = Infinity) {
    requireRaw(#steps in this, 'the tokenizer');
    const texts = second === undefined ? [text] : [text, second];
    const room = this.#roomWithin(limit, texts.length);
    const {
      ids,
      typeIds,
      spans,
      texts: starts,
    } = withContext(this.#file, () => this.#encode(texts, room));
    const parts = [];
    let number; // of the last text that began
    let next = 0;
    const located = spans.map((span, n) => {
      for (; starts[next]?.[1] <= n; next++) number = starts[next][0];
      parts.push(number ?? 0);
      const position = texts[number]?.length ?? 0;
      return span ?? [position, position];
    });
    const tokens = ids.map((id) => this.tokenOf(id));
    return { ids, typeIds, tokens, spans: located, parts };
  }

  /** Ids of a text without special tokens. */
  encodePlain(text) {
    requireRaw(#steps in this, 'the tokenizer');
    return withContext(this.#file, () => {
      allow(text.length);
      return this.#tokens(text).ids;
    });
  }

  /** The token with this id in the vocabulary; '' if there is none. */
  tokenOf(id) {
    requireRaw(#steps in this, 'the tokenizer');
    return this.#steps.added.tokenOf(id) ?? this.#steps.model.vocabulary.tokenOf(id) ?? '';
  }

  /** The id of a special token with this text; undefined if there is none. */
  specialIdOf(text) {
    requireRaw(#steps in this, 'the tokenizer');
    return this.#steps.added.specialIdOf(text);
  }

  /** The decoded text, a RangedText whose source are the tokens of ids; special tokens have none. */
  #decode(ids) {
    const texts = [];
    let start = 0;
    for (const id of ids) {
      const token = this.tokenOf(id);
      if (this.#steps.added.isSpecial(id) || !this.#has(id)) continue;
      texts.push(new RangedText(token, start));
      start += token.length;
    }
    return withContext(this.#file, () => {
      allow(start + ids.length);
      return concatenated(this.#steps.decode(texts));
    });
  }

  #has(id) {
    const { added, model } = this.#steps;
    return (added.tokenOf(id) ?? model.vocabulary.tokenOf(id)) !== undefined;
  }

  /** { text, spans }: the text of ids and the span of each token in it; special tokens have an empty span. */
  locate(ids) {
    requireRaw(#steps in this, 'the tokenizer');
    const decoded = this.#decode(ids);
    const { text } = decoded;
    const spaces = new SpaceRuns(text);
    const spans = [];
    let first = 0; // of the characters that end behind the start of the token
    let start = 0; // of the token among all
    for (const id of ids) {
      const length = this.#steps.added.isSpecial(id) ? 0 : this.tokenOf(id).length;
      const end = start + length;
      while (first < text.length && decoded.endOf(first) <= start) first++;
      let last = first;
      while (last < text.length && decoded.startOf(last) < end) last++;
      const previous = spans.at(-1)?.[1] ?? 0;
      spans.push(length > 0 && first < last ? spaces.trimmed([first, last]) : [previous, previous]);
      start = end;
    }
    return { text, spans };
  }

  /** The text of ids; special tokens have none. */
  decode(ids) {
    requireRaw(#steps in this, 'the tokenizer');
    return this.#decode(ids).text;
  }
}
