// Positions in a text: of characters (Unicode code points) in UTF-16 units.

/** The first unit of each character, and the length of the text. */
export function unitsOfCharacters(text) {
  const units = [];
  let at = 0;
  for (const character of text) {
    units.push(at);
    at += character.length;
  }
  return [...units, at];
}
