// Characters that are equal without their case: simple foldings become members of a class; foldings to several characters
// ('ß' and 'ss'), which Oniguruma knows too, are refused.
import { spendWork } from '../budget.js';

const lastCased = 0x1f000; // beyond it no character has a case
const caseWork = 8; // of a character that is compared without its case
let cased;

/** The text of all characters that change with their case. */
function casedCharacters() {
  if (cased === undefined) {
    const codes = Array.from({ length: lastCased }, (_, code) => code);
    const chunks = Array.from({ length: lastCased / 0x1000 }, (_, i) =>
      String.fromCodePoint(...codes.slice(i * 0x1000, (i + 1) * 0x1000)),
    );
    cased = chunks.flatMap((text) => text.match(/[\p{CWCM}\p{CWCF}]/gu) ?? []).join('');
  }
  return cased;
}

/** The characters equal to a member of the class, without their case. inside: the text between its brackets. */
export function casesOf(inside) {
  const characters = casedCharacters();
  spendWork(caseWork * characters.length);
  return characters.match(new RegExp(`[${inside}]`, 'giu')) ?? [];
}

const lower = (text) => text.toUpperCase().toLowerCase();
const isSeveral = (text) => [...text].length > 1;
let several;

/** Characters by the several characters that they are equal to: 'ss' → ['ß', 'ẞ'], … */
function severalFoldings() {
  if (several === undefined) {
    several = new Map();
    for (const character of casedCharacters()) {
      for (const text of [lower(character), character.toLowerCase()]) {
        if (isSeveral(text)) several.set(text, [...(several.get(text) ?? []), character]);
      }
    }
  }
  return several;
}

/** Throws if one of the characters, or several in a row, have a folding of another length. */
export function requireSimpleCases(text, characters = [...text]) {
  spendWork(caseWork * severalFoldings().size * (text.length + characters.length));
  const folded = Array.from(text, (character) =>
    isSeveral(lower(character)) ? character : lower(character),
  ).join('');
  for (const [sequence, equals] of severalFoldings()) {
    const single = equals.find((character) => characters.includes(character));
    if (!folded.includes(sequence) && single === undefined) continue;
    throw new RangeError(
      `'${single ?? sequence}' without its case, which equals '${single === undefined ? equals[0] : sequence}' of another length and is not supported`,
    );
  }
}
