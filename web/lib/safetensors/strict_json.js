// A strict JSON parser. Unlike JSON.parse, objects are Maps, a repeated name is an error, and numbers that are not written
// as integers (4.0) stay text.
import { malformed, quoted } from './malformed.js';

const maxDepth = 127; // as the reference reader; a file cannot exhaust the stack
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const literals = Object.entries({ true: true, false: false, null: null });

/** False for text with a lone surrogate, which UTF-8 cannot encode. */
export const isWellFormed = (text) => !/\p{Cs}/u.test(text);

export function parseJson(text) {
  let at = 0;

  /**
   * @param {string} expected
   * @returns {never}
   */
  function fail(expected) {
    const found = at < text.length ? quoted(text.slice(at, at + 12)) : 'its end';
    throw malformed(
      `the header is not JSON: at character ${at} it has ${found} instead of ${expected}`,
    );
  }

  function skipSpace() {
    while (at < text.length && ' \t\n\r'.includes(text[at])) ++at;
  }

  function skip(character) {
    skipSpace();
    if (text[at] !== character) return false;
    ++at;
    return true;
  }

  function readValue(depth) {
    skipSpace();
    if (depth > maxDepth) fail(`less than ${maxDepth} levels`);
    if (text[at] === '{') return readObject(depth);
    if (text[at] === '[') return readArray(depth);
    if (text[at] === '"') return readString();
    for (const [word, value] of literals) {
      if (!text.startsWith(word, at)) continue;
      at += word.length;
      return value;
    }
    return readNumber();
  }

  function readObject(depth) {
    const members = new Map();
    skip('{');
    if (skip('}')) return members;
    do {
      skipSpace();
      if (text[at] !== '"') fail('a name');
      const name = readString();
      if (members.has(name)) throw malformed(`the header has the name ${quoted(name)} twice`);
      if (!skip(':')) fail("':'");
      members.set(name, readValue(depth + 1));
    } while (skip(','));
    if (!skip('}')) fail("',' or '}'");
    return members;
  }

  function readArray(depth) {
    const items = [];
    skip('[');
    if (skip(']')) return items;
    do items.push(readValue(depth + 1));
    while (skip(','));
    if (!skip(']')) fail("',' or ']'");
    return items;
  }

  // Finds the closing quote; JSON.parse decodes the escapes.
  function readString() {
    const start = at++;
    while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    let value;
    try {
      value = JSON.parse(text.slice(start, at + 1));
    } catch {
      at = start;
      fail('a string');
    }
    if (!isWellFormed(value)) {
      throw malformed(`the string ${quoted(value)} of the header has a lone surrogate`);
    }
    ++at;
    return value;
  }

  function readNumber() {
    number.lastIndex = at;
    const [written] = number.exec(text) ?? fail('a value');
    at += written.length;
    // Other numbers become a String object with the original text: neither a number nor a string.
    return /^[0-9]+$/.test(written) ? Number(written) : Object(written);
  }

  const value = readValue(1);
  skipSpace();
  if (at < text.length) fail('its end');
  return value;
}
