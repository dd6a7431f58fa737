// Words as labels: what cannot be seen made visible, measured, and cut with an ellipsis where they do
// not fit, never through a character as people see it.

import { replaceInvisible } from './invisible.js';

const graphemes =
  typeof Intl.Segmenter === 'function'
    ? new Intl.Segmenter('en', { granularity: 'grapheme' })
    : null;

// UTF-16 units of a label: far more than there is room for. Segmenting takes quadratic time in some engines.
const longestLabel = 1000;

const signs = { ' ': '␣', '\u00a0': '␣', '\n': '↵', '\r': '↵', '\t': '⇥' };

const signOf = (space) => signs[space] ?? '␣';

/** A token as it can be shown: white space at its ends, control and invisible characters as signs. */
export function visible(text) {
  if (text === '') return '∅';
  if (/^[!-~]+$/.test(text)) return text; // as most words are
  const plain = replaceInvisible(text.replace(/\r\n/g, '\n'), '�');
  // Not by one expression: \s+$ takes quadratic time on white space within.
  const inner = plain.trimStart();
  const middle = inner.trimEnd();
  const ends = [plain.slice(0, plain.length - inner.length), inner.slice(middle.length)];
  const [before, after] = ends.map((space) => space.replace(/\s/g, signOf));
  return `${before}${middle.replace(/[\n\r\t]/g, signOf)}${after}`.replace(
    /[\p{Cc}\p{Cs}\u2028\u2029\ufffe\uffff]/gu,
    '�',
  );
}

/** As much of a text as a label may have, whole characters. */
export function shortened(text) {
  if (text.length <= longestLabel) return text;
  return `${text.slice(0, longestLabel).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Whether a label is read from right to left: by its first letter, as the Unicode algorithm does. */
export function isRightToLeft(text) {
  const first = /\p{L}/u.exec(text)?.[0];
  return (
    first !== undefined &&
    /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(first)
  );
}

/** `widthOf(text, size, weight)` and `fit(text, width, size, weight)`, remembering what was measured. */
export function createLabels(measure) {
  const widths = new Map();
  const fitted = new Map();

  function widthOf(given, size, weight = 400) {
    const text = shortened(given);
    return remembered(widths, `${size} ${weight} ${text}`, () => measure(text, size, weight));
  }

  function fit(given, width, size, weight = 400) {
    const text = shortened(given);
    if (widthOf(text, size, weight) <= width) return text;
    return remembered(fitted, `${size} ${weight} ${Math.floor(width)} ${text}`, () =>
      cut(text, (part) => measure(part, size, weight) <= width),
    );
  }

  return { widthOf, fit };
}

function cut(text, fits) {
  const parts = graphemes
    ? Array.from(graphemes.segment(text), ({ segment }) => segment)
    : Array.from(text);
  let [low, high] = [0, parts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(`${parts.slice(0, middle).join('')}…`)) low = middle;
    else high = middle - 1;
  }
  return `${parts.slice(0, low).join('')}…`;
}

/** A guess where nothing can be measured: wide scripts and emoji are square, the rest a bit over half. */
export function estimateWidth(text, size, weight = 400) {
  let units = 0;
  for (const character of text) {
    if (/[\p{M}\p{Cf}]/u.test(character)) continue;
    if (
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]|\p{Extended_Pictographic}/u.test(
        character,
      )
    )
      units += 1.05;
    else
      units += /[ijlI.,:;'’|! ]/.test(character) ? 0.3 : /[mwMW@%]/.test(character) ? 0.86 : 0.57;
  }
  return units * size * (weight > 500 ? 1.05 : 1);
}

function remembered(map, key, make) {
  let value = map.get(key);
  if (value === undefined) {
    if (map.size > 5000) map.clear();
    map.set(key, (value = make()));
  }
  return value;
}
