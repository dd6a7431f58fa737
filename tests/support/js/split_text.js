// The pieces of a text: the matches of a RegExp and what lies between them.

/** [start, end] of each piece in UTF-16 units, without empty ones. */
export function splitByPattern(pattern, text) {
  const pieces = [];
  let at = 0;
  const add = (end) => {
    if (end > at) pieces.push([at, end]);
    at = Math.max(at, end);
  };
  for (const { index, 0: match } of text.matchAll(pattern)) {
    // V8 finds empty matches between the two units of a character.
    if (/^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(0, index - 1), index + 1)))
      continue;
    add(index);
    add(index + match.length);
  }
  add(text.length);
  return pieces;
}
