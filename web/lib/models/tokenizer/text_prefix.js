// A prefix of a text, with the range of its first character.
import { unitsAt } from './characters.js';

/** The text after a prefix; an empty text stays empty. */
export function withPrefix(source, prefix) {
  if (source.length === 0 || prefix === '') return source;
  const first = source.text.slice(0, unitsAt(source.text, 0));
  return source
    .edit()
    .replaceCharacter(prefix + first)
    .finish();
}
