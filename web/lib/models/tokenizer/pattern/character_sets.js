// Sets of characters as Oniguruma defines them, as source of JavaScript classes (flag u): the text between the brackets.
// Compared with Oniguruma for all code points in tests/js/models/tokenizer.

const word = String.raw`\p{Alphabetic}\p{M}\p{Nd}\p{Pc}`;
const visible = String.raw`^\p{White_Space}\p{Cc}\p{Cn}\p{Cs}`;

/** \d, \s, … and names of [[:name:]] and \p{name}. A leading ^ makes the complement. */
const sets = new Map(
  Object.entries({
    alnum: String.raw`\p{Alphabetic}\p{Nd}`,
    alpha: String.raw`\p{Alphabetic}`,
    any: String.raw`\p{Any}`,
    ascii: String.raw`\0-\x7f`,
    blank: String.raw`\p{Zs}\t`,
    cntrl: String.raw`\p{Cc}`,
    digit: String.raw`\p{Nd}`,
    graph: visible,
    hex: '0-9A-Fa-f',
    lower: String.raw`\p{Lowercase}`,
    newline: String.raw`\n`,
    print: String.raw`^\t-\r\x85\u2028\u2029\p{Cc}\p{Cn}\p{Cs}`,
    punct: String.raw`\p{P}\p{S}`,
    space: String.raw`\p{White_Space}`,
    upper: String.raw`\p{Uppercase}`,
    word,
    xdigit: '0-9A-Fa-f',
  }),
);

// Oniguruma's own list for the first 256 characters, which it uses for \w, \W and \b outside of brackets.
const latinNumbers = String.raw`\xb2\xb3\xb9\xbc-\xbe`;
export const wordCharacters = `[${word}${latinNumbers}]`;

const isSource = (source) => {
  try {
    return new RegExp(source, 'u').test('') || true;
  } catch {
    return false;
  }
};

const plainName = (name) => name.toLowerCase().replaceAll(/[ _-]/g, '');
const titleCase = (name) =>
  name
    .toLowerCase()
    .replaceAll(/[ -]/g, '_')
    .replaceAll(/(?<![a-z])[a-z]/g, (initial) => initial.toUpperCase());

// Sets whose definition has changed since the version of Unicode that Oniguruma has.
const changed = new Set(['extendedpictographic', 'extpict']);

/** The inside of a class for \p{name}: a category, a binary property or a script. */
function propertySet(name) {
  const plain = plainName(name);
  if (plain === 'posixpunct') return sets.get('punct');
  if (plain !== 'hex' && plain !== 'newline' && sets.has(plain)) return sets.get(plain);
  const spellings = [name, titleCase(name), name.toUpperCase()];
  const sources = spellings.flatMap((one) => [`\\p{${one}}`, `\\p{sc=${one}}`]);
  const source = changed.has(plain) ? undefined : sources.find(isSource);
  if (source !== undefined) return source;
  throw new RangeError(`\\p{${name}}, which is not supported`);
}

/** The inside of a class for a CharacterSet of the parsed pattern, without its negation. */
export function insideOfSet({ kind, value }, isInBrackets) {
  const known = sets.get(kind === 'posix' ? value : kind);
  const inside = /** @type {string} */ (kind === 'property' ? propertySet(value) : known); // the parser has no other sets
  return inside === word && !isInBrackets ? word + latinNumbers : inside;
}

/** Complement of an inside. */
export const complement = (inside) => (inside.startsWith('^') ? inside.slice(1) : `^${inside}`);

/** A character as source inside and outside of brackets. */
export function characterSource(code) {
  const character = String.fromCodePoint(code);
  if (/[\p{L}\p{N}]/u.test(character)) return character;
  return `\\u{${code.toString(16)}}`;
}
