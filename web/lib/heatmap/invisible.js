// Invisible characters: those with the Unicode property Default_Ignorable_Code_Point. Some change the direction of the
// text around them (U+202E, U+2066), some hide text (U+200B, U+00AD, tags). Excluded are those that a visible character
// needs: joiners within emoji, or after letters of a joining script (Persian, the scripts of India); variation selectors;
// the tags of a flag; Hangul fillers.

const joiningScripts =
  'Arab Syrc Mand Mong Phag Nkoo Rohg Adlm Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt';

function createPattern() {
  const joining = joiningScripts.replace(/\w+ ?/g, (script) => `\\p{scx=${script.trim()}}`);
  const ignorable = '\\p{Default_Ignorable_Code_Point}';
  const needed = [
    '\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]?\\u200d(?=\\p{Extended_Pictographic})',
    '\\u{1f3f4}[\\u{e0030}-\\u{e007a}]+\\u{e007f}',
    `(?!${ignorable})[${joining}][\\u200c\\u200d]`,
    '[\\u1100-\\u11ff\\ua960-\\ud7fb]?[\\u115f\\u1160](?=[\\u1160-\\u11ff])',
    `(?!${ignorable})\\S\\p{Variation_Selector}`,
  ];
  return new RegExp(`(${needed.join('|')})|${ignorable}`, 'gu');
}

const pattern = /* @__PURE__ */ createPattern();

// Fast path: labels are processed at every keystroke, and ASCII is visible.
const isPlain = (text) => !/[^ -~]/.test(text);

/** [index, character] of each invisible character. */
export function invisibleIn(text) {
  if (isPlain(text)) return [];
  return Array.from(text.matchAll(pattern))
    .filter(([, needed]) => needed === undefined)
    .map(({ index, 0: character }) => [index, character]);
}

/** The text with every invisible character replaced by `sign`. */
export const replaceInvisible = (text, sign) =>
  isPlain(text) ? text : text.replace(pattern, (_, needed) => needed ?? sign);
