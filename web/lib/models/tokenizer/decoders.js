// The decoders of tokenizer.json: functions from a list of texts, one for each token, to the list of texts that, joined,
// are the decoded text. The texts are RangedTexts, so that each character knows its tokens.
import { byteLevelBytes, byteOfToken } from './byte_characters.js';
import { readComponent } from './components.js';
import { character, flag, integer, listOf, optional, string } from './fields.js';
import { metaspaceFields, metaspaceScheme } from './metaspace.js';
import { concatenated, RangedText } from './ranged_text.js';
import { literalMatches, replaceMatches } from './text_matches.js';
import { textPattern } from './text_pattern.js';
import { utf8Characters } from './utf8_characters.js';

const none = () => ({});

/** As str::replace() of Rust, which finds the empty text once in an empty one. */
function replaceAll(text, literal, content) {
  const matches =
    text.text === literal ? [[0, literal.length]] : literalMatches(text.text, literal);
  return replaceMatches(text, matches, content);
}

/** Spaces that English does not have: before punctuation, around apostrophes. */
const cleanups = [
  ...['.', '?', '!', ','].map((mark) => [` ${mark}`, mark]),
  [" ' ", "'"],
  ...["n't", "'m"].map((end) => [` ${end}`, end]),
  [' do not', " don't"],
  ...["'s", "'ve", "'re"].map((end) => [` ${end}`, end]),
];

const cleaned = (text) =>
  cleanups.reduce((result, [spaced, content]) => replaceAll(result, spaced, content), text);

/** The text of bytes; of[n]: the text whose range byte n has. */
function textOfBytes(bytes, of) {
  const starts = [];
  const ends = [];
  let text = '';
  for (const one of utf8Characters(bytes)) {
    text += one.character;
    for (let unit = 0; unit < one.character.length; unit++) {
      starts.push(of[one.from].startOf(0));
      ends.push(of[one.to - 1].endOf(of[one.to - 1].length - 1));
    }
  }
  return new RangedText(text, of[0]?.origin ?? 0, { at: 0, starts, ends });
}

function byteLevel(texts) {
  const bytes = [];
  const of = [];
  for (const text of texts) {
    for (const byte of byteLevelBytes(text.text)) {
      bytes.push(byte);
      of.push(text);
    }
  }
  return [textOfBytes(bytes, of)];
}

/** Neighboring byte tokens become their text; if they are no valid UTF-8, one U+FFFD each. */
function byteFallback(texts) {
  const result = [];
  let group = [];
  const finish = () => {
    const bytes = group.map(({ text }) => byteOfToken(text));
    const isValid = utf8Characters(bytes).every(({ isValid: is }) => is);
    if (isValid && group.length > 0) result.push(textOfBytes(bytes, group));
    else {
      // One by one: a call cannot have as many arguments as a group may have bytes.
      for (const text of group) {
        result.push(text.edit().drop(text.length).insert('\ufffd').finish());
      }
    }
    group = [];
  };
  for (const text of texts) {
    if (byteOfToken(text.text) !== undefined) {
      group.push(text);
      continue;
    }
    finish();
    result.push(text);
  }
  finish();
  return result;
}

function wordPiece({ prefix, cleanup }) {
  return (texts) =>
    texts.map((text, n) => {
      let result = text;
      if (n > 0) {
        const continues = text.text.startsWith(prefix);
        result = continues
          ? text.slice(prefix.length, text.length)
          : text.edit().insert(' ').finish();
      }
      return cleanup ? cleaned(result) : result;
    });
}

function metaspace({ replacement, ...fields }) {
  const scheme = metaspaceScheme(fields);
  return (texts) =>
    texts.map((text, n) => replaceAll(text, replacement, n === 0 && scheme !== 'never' ? '' : ' '));
}

function ctc({ pad_token: pad, word_delimiter_token: delimiter, cleanup }) {
  return (texts) =>
    texts
      .filter((text, n) => text.text !== texts[n - 1]?.text)
      .map((text) => {
        const result = replaceAll(text, pad, '');
        return cleanup ? replaceAll(cleaned(result), delimiter, ' ') : result;
      })
      .filter((text) => text.length > 0);
}

/** Drops up to `start` characters at the start and `stop` at the end that are the content. */
function strip({ content, start, stop }) {
  return (texts) =>
    texts.map((text) => {
      const characters = [...text.text];
      let first = 0;
      while (first < Math.min(start, characters.length) && characters[first] === content) first++;
      let last = characters.length;
      const min = Math.max(first, last - stop);
      while (last > min && characters[last - 1] === content) last--;
      return text.slice(
        first * content.length,
        text.length - (characters.length - last) * content.length,
      );
    });
}

/** By type. */
export const decoders = {
  BPEDecoder: {
    fields: () => ({ suffix: optional(string, '</w>') }),
    create:
      ({ suffix }) =>
      (texts) =>
        texts.map((text, n) => replaceAll(text, suffix, n === texts.length - 1 ? '' : ' ')),
  },
  ByteFallback: { fields: none, create: () => byteFallback },
  ByteLevel: { fields: none, create: () => byteLevel },
  CTC: {
    fields: () => ({
      pad_token: optional(string, '<pad>'),
      word_delimiter_token: optional(string, '|'),
      cleanup: optional(flag, true),
    }),
    create: ctc,
  },
  Fuse: { fields: none, create: () => (texts) => [concatenated(texts)] },
  Metaspace: { fields: () => metaspaceFields, create: metaspace },
  Replace: {
    fields: () => ({ pattern: textPattern, content: string }),
    create:
      ({ pattern, content }) =>
      (texts) =>
        texts.map((text) => replaceMatches(text, pattern(text.text), content)),
  },
  Sequence: {
    fields: (read) => ({ decoders: listOf(read) }),
    create:
      ({ decoders: steps }) =>
      (texts) =>
        steps.reduce((result, step) => step(result), texts),
  },
  Strip: {
    fields: () => ({ content: character, start: integer(0), stop: integer(0) }),
    create: strip,
  },
  WordPiece: {
    fields: () => ({ prefix: optional(string, '##'), cleanup: optional(flag, true) }),
    create: wordPiece,
  },
};

/** Words with spaces between them. */
const spaced = (texts) =>
  texts.map((text, n) => (n === 0 ? text : text.edit().insert(' ').finish()));
const sizeOf = (texts) => texts.reduce((sum, text) => sum + text.length, texts.length);

/** The function of the field `decoder`. */
export const readDecoder = (description) =>
  readComponent(description, 'decoder', decoders, sizeOf) ?? spaced;
