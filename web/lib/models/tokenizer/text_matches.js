// Matches in a text, [start, end] each in order; and the five ways to split a text at them.

/** Whether an index is between the two units of a character. */
const isInCharacter = (text, index) => index > 0 && text.codePointAt(index - 1) > 0xffff;

/**
 * Matches of a pattern with the flags g and u, as Oniguruma lists them: no empty match at the end of the match before, nor
 * within a character, where V8 finds some. An empty text has no match in the Rust library.
 */
export function patternMatches(text, pattern) {
  if (text === '') return [];
  const matches = [];
  let last = -1;
  for (const { 0: match, index } of text.matchAll(pattern)) {
    if (match.length === 0 && isInCharacter(text, index)) continue;
    const end = index + match.length;
    if (match.length > 0 || index !== last) matches.push([index, end]);
    last = end;
  }
  return matches;
}

/** Matches of a text; the empty text matches at each boundary of characters. */
export function literalMatches(text, literal) {
  if (literal === '') return patternMatches(text, /(?:)/gu);
  const matches = [];
  let at = text.indexOf(literal);
  while (at >= 0) {
    matches.push([at, at + literal.length]);
    at = text.indexOf(literal, at + literal.length);
  }
  return matches;
}

/** { from, to, isMatch }[]: the matches and what lies between them, the whole text. */
function segmentsOf(length, matches, invert) {
  const segments = [];
  const add = (from, to, isMatch) => segments.push({ from, to, isMatch: isMatch !== invert });
  let at = 0;
  for (const [start, end] of matches) {
    if (at < start) add(at, start, false);
    add(start, end, true);
    at = end;
  }
  if (at < length) add(at, length, false);
  return segments;
}

/** Appends segments to the one before where joins(segment, wasMatch); wasMatch: whether that one was a match. */
function joined(segments, joins) {
  const result = [];
  let wasMatch = false;
  for (const segment of segments) {
    const last = result.at(-1);
    if (last && joins(segment, wasMatch)) {
      last.from = Math.min(last.from, segment.from);
      last.to = Math.max(last.to, segment.to);
    } else {
      result.push({ ...segment });
    }
    wasMatch = segment.isMatch;
  }
  return result;
}

const isFirstMatch = ({ isMatch }, wasMatch) => isMatch && !wasMatch;

/** What becomes of the matches of a split. */
export const behaviors = {
  Removed: (segments) => segments.filter(({ isMatch }) => !isMatch),
  Isolated: (segments) => segments,
  MergedWithPrevious: (segments) => joined(segments, isFirstMatch),
  MergedWithNext: (segments) => joined([...segments].reverse(), isFirstMatch).reverse(),
  Contiguous: (segments) => joined(segments, ({ isMatch }, wasMatch) => isMatch === wasMatch),
};

/** The parts of a RangedText, without empty ones. */
export function splitText(source, matches, behavior, invert = false) {
  const parts = behaviors[behavior](segmentsOf(source.length, matches, invert));
  return parts.filter(({ from, to }) => from < to).map(({ from, to }) => source.slice(from, to));
}

/** A RangedText with other text in place of its matches. */
export function replaceMatches(source, matches, content) {
  if (matches.length === 0) return source;
  // One unit for another, the most frequent case (▁ for a space): all ranges stay.
  if (content.length === 1 && matches.every(([start, end]) => end - start === 1)) {
    const units = source.text.split('');
    for (const [start] of matches) units[start] = content;
    return source.withCharacters(units.join(''));
  }
  const edit = source.edit();
  for (const [start, end] of matches) edit.keep(start).drop(end).insert(content);
  return edit.finish();
}
