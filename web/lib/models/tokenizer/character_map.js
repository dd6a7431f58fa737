// The map of SentencePiece's normalizer, precompiled_charsmap: length of a trie in bytes, a double array (Darts) of UTF-8
// keys, and replacements that end with NUL; the values of the trie are positions of replacements.
// Source: google/sentencepiece, normalizer.cc; the search is that of the Rust library.

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const maxKeyBytes = 256; // a longer search would take quadratic time in a map that has no end

const hasLeaf = (unit) => ((unit >>> 8) & 1) === 1;
const labelOf = (unit) => (unit & 0x800000ff) >>> 0;
const offsetOf = (unit) => (unit >>> 10) << ((unit & 0x200) >>> 6);
const valueOf = (unit) => unit & 0x7fffffff;

export class CharacterMap {
  #trie;
  #texts;
  #found = new Map();

  /** @param {Uint8Array} bytes the decoded precompiled_charsmap */
  constructor(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const size = bytes.length < 4 ? -1 : view.getUint32(0, true);
    if (size < 4 || size > bytes.length - 4) {
      throw new RangeError(
        `precompiled_charsmap has ${bytes.length} bytes, which is too short for its trie`,
      );
    }
    this.#trie = Uint32Array.from({ length: Math.floor(size / 4) }, (_, n) =>
      view.getUint32(4 + 4 * n, true),
    );
    this.#texts = bytes.subarray(4 + 4 * Math.floor(size / 4));
  }

  /** { length, text } of the longest key, in bytes, that begins at a byte, and its replacement; undefined if there is none. */
  longest(bytes, start) {
    let found;
    let node = offsetOf(this.#trie[0]);
    const last = Math.min(bytes.length, start + maxKeyBytes);
    for (let at = start; at < last && bytes[at] !== 0; at++) {
      node ^= bytes[at];
      const unit = this.#trie[node];
      if (unit === undefined || labelOf(unit) !== bytes[at]) break;
      node ^= offsetOf(unit);
      if (hasLeaf(unit) && node < this.#trie.length) {
        found = { length: at + 1 - start, value: valueOf(this.#trie[node]) };
      }
    }
    return found && { length: found.length, text: this.#textAt(found.value) };
  }

  /** The position of the replacement of the shortest prefix of these bytes that has one; undefined if none has. */
  #search(bytes) {
    let node = offsetOf(this.#trie[0]);
    for (const byte of bytes) {
      if (byte === 0) return undefined;
      node ^= byte;
      const unit = this.#trie[node];
      if (unit === undefined || labelOf(unit) !== byte) return undefined;
      node ^= offsetOf(unit);
      if (hasLeaf(unit)) return node < this.#trie.length ? valueOf(this.#trie[node]) : undefined;
    }
    return undefined;
  }

  /** The replacement at a position. */
  #textAt(start) {
    const end = this.#texts.indexOf(0, start);
    const bytes = this.#texts.subarray(start, end < 0 ? this.#texts.length : end);
    return decoder.decode(bytes);
  }

  /** The replacement of some characters; undefined if they have none. */
  get(characters) {
    if (this.#found.has(characters)) return this.#found.get(characters);
    const start = this.#search(encoder.encode(characters));
    let text;
    if (start !== undefined && start <= this.#texts.length) text = this.#textAt(start);
    if (this.#found.size < 10_000) this.#found.set(characters, text);
    return text;
  }
}

// Engines without Intl.Segmenter: a character and its marks.
const withMarks = /\r\n|\P{M}[\p{M}\u200d]*|\p{M}+/gsu;
const segmenter = /* @__PURE__ */ (() =>
  globalThis.Intl?.Segmenter && new Intl.Segmenter(undefined, { granularity: 'grapheme' }))();

const windowLength = 256;

/**
 * The graphemes of a text, in windows: V8 copies the whole text for each of its segments. A window begins where a grapheme
 * does; the last grapheme of a window may go on beyond it, so the next one begins with it.
 */
function* segmentsOf(text) {
  let length = windowLength;
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + length, text.length);
    if (end < text.length && text.codePointAt(end - 1) > 0xffff) end++; // not within a character
    let at = start;
    for (const { segment } of segmenter.segment(text.slice(start, end))) {
      if (at + segment.length === end && end < text.length) break;
      yield segment;
      at += segment.length;
    }
    length = at === start ? 2 * length : windowLength;
    start = at;
  }
}

function* graphemes(text) {
  if (/^[\x20-\x7e]*$/.test(text)) yield* text;
  else if (segmenter) yield* segmentsOf(text);
  else for (const [grapheme] of text.matchAll(withMarks)) yield grapheme;
}

const maxGraphemeBytes = 5; // longer ones are looked up by character

/** Replaces the next characters of an edit, as many as `old` has, by others: one by one, then what is left of either. */
export function replaceNext(edit, old, text) {
  const end = edit.position + old.length;
  for (const character of text) {
    if (edit.position < end) edit.replaceCharacter(character);
    else edit.insert(character);
  }
  edit.drop(end);
}

/** The text with graphemes and characters replaced by those of the map. */
export function mapCharacters(source, map) {
  const edit = source.edit();
  let at = 0;
  for (const grapheme of graphemes(source.text)) {
    const isShort = grapheme.length === 1 || encoder.encode(grapheme).length <= maxGraphemeBytes;
    const whole = isShort ? map.get(grapheme) : undefined;
    for (const old of whole === undefined ? grapheme : [grapheme]) {
      const text = whole ?? map.get(old);
      edit.keep(at);
      at += old.length;
      if (text !== undefined) replaceNext(edit, old, text);
    }
  }
  return edit.finish();
}
