// Characters without a shape of their own: those that Unicode calls default ignorable. Some turn the direction of the
// text around them (U+202E, U+2066), some hide what a text says (U+200B, U+00AD, tags). Left alone is one that a
// visible character beside it needs: a joiner within emoji, or after a letter of a script that joins (Persian, the
// scripts of India); a variation selector; the tags of a flag; a filler of Korean letters.

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

/** [index, character] of each of them. */
export const invisibleIn = (text) =>
  Array.from(text.matchAll(pattern))
    .filter(([, needed]) => needed === undefined)
    .map(({ index, 0: character }) => [index, character]);

/** The text with `sign` for each of them. */
export const replaceInvisible = (text, sign) =>
  // Most words have none, and many are drawn at every letter that is typed.
  /[^ -~]/.test(text) ? text.replace(pattern, (_, needed) => needed ?? sign) : text;
