// SentencePiece's normalizer: maps characters (the longest key of the map at each position), removes extra spaces, writes
// spaces as ▁ and adds one before the text. User-defined symbols stay as they are. Source: google/sentencepiece,
// normalizer.cc.
import { spend } from '../../budget.js';
import { CharacterMap, replaceNext } from '../../character_map.js';
import { unitsAt } from '../../characters.js';
import { withPrefix } from '../../text_prefix.js';
import { LongestMatches } from '../../trie.js';

const mark = '\u2581';
const encoder = new TextEncoder();

/** Byte length in UTF-8 of a character. */
const bytesOf = (character) => encoder.encode(character).length;

/** The steps { end, text } through a text: a user-defined symbol, a key of the map or a character, and what replaces it. */
function* stepsOf(source, symbols, map) {
  const bytes = map && encoder.encode(source);
  const matches = symbols.in(source);
  let next = 0; // of the matches
  let byte = 0;
  for (let at = 0; at < source.length;) {
    while (matches[next]?.start < at) next++;
    const symbol = matches[next]?.start === at ? matches[next] : undefined;
    const mapped = symbol ? undefined : map?.longest(bytes, byte);
    if (mapped) spend(mapped.text.length); // of which spaces may be removed again
    let end = symbol?.end ?? at + unitsAt(source, at);
    if (map) {
      const last = byte + (mapped?.length ?? 0);
      byte += bytesOf(source.slice(at, end));
      for (; byte < last; end += unitsAt(source, end)) {
        byte += bytesOf(source.slice(end, end + unitsAt(source, end)));
      }
    }
    yield { at, end, text: mapped?.text ?? source.slice(at, end) };
    at = end;
  }
}

/** The mapped text without the spaces that are to be removed; the others are `space`. */
function mapped(source, steps, { removesSpaces }, space) {
  const edit = source.edit();
  let isBeginning = removesSpaces;
  let isAfterSpace = removesSpaces;
  for (const { at, end, text } of steps) {
    const isDropped = isBeginning && text === ' ';
    if (!isDropped) {
      isBeginning = false;
      const remaining = isAfterSpace ? text.replace(/^ +/, '') : text;
      if (remaining !== '') isAfterSpace = removesSpaces && remaining.endsWith(' ');
      const written = remaining.replaceAll(' ', space);
      const old = source.text.slice(at, end);
      if (written === old) edit.keep(end);
      else if (written !== '') replaceNext(edit, old, written);
    }
    edit.drop(end);
  }
  return isBeginning ? undefined : edit.finish();
}

function withoutSpacesAtEnd(text, space) {
  let end = text.length;
  while (end > 0 && text.text[end - 1] === space) end--;
  return end === text.length ? text : text.slice(0, end);
}

const withSuffix = (text, suffix) => text.edit().keep(text.length).insert(suffix).finish();

/**
 * The normalizer of a model.
 * @param {object} normalizer of readModelFile(); symbols: user-defined ones; scheme: 'first' if only a text's beginning
 *   gets the space, not what follows a special token
 */
export function sentencePieceNormalizer({ symbols: texts, scheme, ...options }) {
  const symbols = new LongestMatches();
  texts.forEach((text, index) => symbols.set(text, index));
  const map = options.map && new CharacterMap(options.map);
  const space = options.escapesSpaces ? mark : ' ';
  return (source) => {
    if (source.length === 0) return source;
    let text = mapped(source, stepsOf(source.text, symbols, map), options, space);
    if (text === undefined) return source.slice(0, 0); // nothing but spaces
    const addsSpace = options.addsPrefix && (scheme !== 'first' || source.origin === 0);
    if (addsSpace && !options.isSuffix) {
      text = text.length === 0 ? withSuffix(text, space) : withPrefix(text, space);
    }
    if (options.removesSpaces) text = withoutSpacesAtEnd(text, space);
    return addsSpace && options.isSuffix ? withSuffix(text, space) : text;
  };
}
