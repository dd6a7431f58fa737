// The normalizers of tokenizer.json: functions from a RangedText to another.
import { inByteCharacters } from './byte_characters.js';
import { CharacterMap, mapCharacters } from './character_map.js';
import { ideographs, isSpaceAt } from './characters.js';
import { readComponent } from './components.js';
import { flag, listOf, nullable, optional, refuse, string } from './fields.js';
import { patternMatches, replaceMatches } from './text_matches.js';
import { withPrefix } from './text_prefix.js';
import { textPattern } from './text_pattern.js';
import { inForm } from './unicode_forms.js';

const none = () => ({});
const removed = (text, pattern) => replaceMatches(text, patternMatches(text.text, pattern), '');
// One space for each unit, so that all ranges stay: the patterns match characters of one unit.
const asSpaces = (text, pattern) => text.withCharacters(text.text.replace(pattern, ' '));

/** Lower case by character: a Σ at the end of a word is no other than elsewhere. */
export function lowercased(source) {
  const { text } = source;
  const lower = text.includes('Σ')
    ? Array.from(text, (character) => character.toLowerCase()).join('')
    : text.toLowerCase();
  if (lower.length === text.length) return source.withCharacters(lower);
  const edit = source.edit();
  for (const character of text) edit.replaceCharacter(character.toLowerCase());
  return edit.finish();
}

/** Lower case of a whole text, as of Python's str.lower(): a Σ at the end of a word becomes ς. */
export function inLowerCase(source) {
  const edit = source.edit();
  // The only character whose lower case has another length.
  for (const [start] of patternMatches(source.text, /İ/gu))
    edit.keep(start).replaceCharacter('i\u0307');
  const text = edit.finish();
  return text.withCharacters(text.text.toLowerCase());
}

function stripped(text, { strip_left: left, strip_right: right }) {
  const from = left ? (/^\p{White_Space}*/u.exec(text.text)?.[0].length ?? 0) : 0;
  const spaces = right ? lengthOfSpacesAtEnd(text.text) : 0;
  const to = Math.max(from, text.length - spaces);
  return from === 0 && to === text.length
    ? text
    : text.edit().drop(from).keep(to).drop(text.length).finish();
}

/** A search from the end: /\p{White_Space}*$/ takes quadratic time. */
function lengthOfSpacesAtEnd(text) {
  let at = text.length;
  while (at > 0 && isSpaceAt(text, at - 1)) at--;
  return text.length - at;
}

const nul = String.raw`\0\ufffd`;
const bertControls = new RegExp(`[${nul}]|(?![\\t\\n\\r])[\\p{Cc}\\p{Cf}\\p{Co}]`, 'gu');

function aroundIdeographs(source) {
  const matches = patternMatches(source.text, ideographs);
  if (matches.length === 0) return source;
  const edit = source.edit();
  for (const [start, end] of matches) {
    edit.keep(start).replaceCharacter(` ${source.text.slice(start, end)} `);
  }
  return edit.finish();
}

function bert({ clean_text, handle_chinese_chars, strip_accents, lowercase }) {
  const stripsAccents = strip_accents ?? lowercase;
  return (source) => {
    let text = source;
    if (clean_text) text = asSpaces(removed(text, bertControls), /\p{White_Space}/gu);
    if (handle_chinese_chars) text = aroundIdeographs(text);
    if (stripsAccents) text = removed(inForm(text, 'NFD'), /\p{Mn}/gu);
    return lowercase ? lowercased(text) : text;
  };
}

/** The bytes of a text in base64. */
function base64(value, label) {
  try {
    return Uint8Array.from(atob(string(value, label)), (character) => character.charCodeAt(0));
  } catch {
    return refuse(label, 'a map in base64', value);
  }
}

const form = (name) => ({ fields: none, create: () => (text) => inForm(text, name) });

// The characters that SentencePiece's NMT rules drop, and those that they turn into spaces.
// eslint-disable-next-line no-control-regex
const nmtDropped = /[\x01-\x08\x0b\x0e-\x1f\x7f\x8f\x9f]/gu;
const nmtSpaces = /[\t\n\f\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]/gu;

/** By type. */
export const normalizers = {
  BertNormalizer: {
    fields: () => ({
      clean_text: optional(flag, true),
      handle_chinese_chars: optional(flag, true),
      strip_accents: optional(nullable(flag), null),
      lowercase: optional(flag, true),
    }),
    create: bert,
  },
  ByteLevel: { fields: none, create: () => inByteCharacters },
  Lowercase: { fields: none, create: () => lowercased },
  NFC: form('NFC'),
  NFD: form('NFD'),
  NFKC: form('NFKC'),
  NFKD: form('NFKD'),
  Nmt: { fields: none, create: () => (text) => asSpaces(removed(text, nmtDropped), nmtSpaces) },
  Precompiled: {
    fields: () => ({ precompiled_charsmap: base64 }),
    create: ({ precompiled_charsmap: bytes }) => {
      const map = new CharacterMap(bytes);
      return (text) => mapCharacters(text, map);
    },
  },
  Prepend: {
    fields: () => ({ prepend: string }),
    create:
      ({ prepend }) =>
      (text) =>
        withPrefix(text, prepend),
  },
  Replace: {
    fields: () => ({ pattern: textPattern, content: string }),
    create:
      ({ pattern, content }) =>
      (text) =>
        replaceMatches(text, pattern(text.text), content),
  },
  Sequence: {
    fields: (read) => ({ normalizers: listOf(read) }),
    create:
      ({ normalizers: steps }) =>
      (text) =>
        steps.reduce((result, step) => step(result), text),
  },
  Strip: {
    fields: () => ({ strip_left: optional(flag, true), strip_right: optional(flag, true) }),
    create: (sides) => (text) => stripped(text, sides),
  },
  StripAccents: { fields: none, create: () => (text) => removed(text, /\p{M}/gu) },
};

const unchanged = (text) => text;

/** The function of the field `normalizer`; more: components beside those of tokenizer.json. */
export const readNormalizer = (description, more = {}) =>
  readComponent(description, 'normalizer', { ...normalizers, ...more }, (text) => text.length) ??
  unchanged;
