// Text for a terminal: display width, shortening, and removal of control characters.

import { replaceInvisible } from '../heatmap/invisible.js';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

// East Asian Width W and F (Unicode Standard Annex 11) without emoji, which have a Unicode property.
const wide = new RegExp(
  '[\\u1100-\\u115f\\u2329\\u232a\\u2e80-\\u303e\\u3041-\\u3247\\u3250-\\ua4cf\\ua960-\\ua97f' +
    '\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe10-\\ufe19\\ufe30-\\ufe6f\\uff01-\\uff60\\uffe0-\\uffe6' +
    '\\u{16fe0}-\\u{18d1e}\\u{1aff0}-\\u{1b2ff}\\u{1f200}-\\u{1f265}\\u{20000}-\\u{3fffd}]',
  'u',
);
// Zero-width: combining marks, default-ignorable characters, Korean vowels and finals.
const zeroWidth = /[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\ud7b0-\ud7fb]/u;
const emoji =
  /^(?!\p{RI})\p{Emoji_Presentation}|\p{Emoji}(\p{Emoji_Modifier}|\ufe0f)|\p{Emoji}\u{200d}|^\p{RI}{2}/u;
// Hebrew, Arabic and other right-to-left scripts.
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * The text without control characters: C0 controls become control pictures (␛), others �. Invisible characters are
 * removed: some change the direction of the line, and some terminals give others a column.
 */
export function printable(text) {
  return replaceInvisible(text, '').replace(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, (control) => {
    const point = control.codePointAt(0);
    if (point === 0x7f) return '\u2421';
    return String.fromCodePoint(point < 0x20 ? 0x2400 + point : 0xfffd);
  });
}

/** The width of a printable text in terminal columns. */
export function displayWidth(text) {
  let columns = 0;
  for (const { segment } of graphemes.segment(text)) columns += graphemeWidth(segment);
  return columns;
}

function graphemeWidth(grapheme) {
  if (emoji.test(grapheme)) return 2;
  let columns = 0;
  for (const character of grapheme) {
    if (!zeroWidth.test(character)) columns += wide.test(character) ? 2 : 1;
  }
  return columns;
}

/** The text, truncated with an ellipsis to at most `columns` columns. */
export function shorten(text, columns) {
  if (displayWidth(text) <= columns) return text;
  let short = '';
  let available = columns - 1;
  for (const { segment } of graphemes.segment(text)) {
    available -= graphemeWidth(segment);
    if (available < 0) break;
    short += segment;
  }
  return `${short}…`;
}

/** The text, right-aligned in `columns` columns. */
export function alignRight(text, columns) {
  const space = ' '.repeat(Math.max(0, columns - displayWidth(text)));
  // Left-to-right marks keep terminals with bidirectional text from reordering the whole line.
  return rightToLeft.test(text) ? `${space}\u200e${text}\u200e` : space + text;
}

/** Wraps a sentence to lines of at most `columns` columns. */
export function wrap(sentence, columns) {
  const lines = [''];
  for (const word of sentence.split(' ')) {
    const line = lines.at(-1);
    const longer = line ? `${line} ${word}` : word;
    if (line && displayWidth(longer) > columns) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
