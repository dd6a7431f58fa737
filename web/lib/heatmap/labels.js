// Tokens as labels: replaces invisible characters by signs, measures text, and truncates it with an ellipsis between
// grapheme clusters.

import { replaceInvisible } from './invisible.js';

const graphemes =
  typeof Intl.Segmenter === 'function'
    ? new Intl.Segmenter('en', { granularity: 'grapheme' })
    : null;

// Maximum UTF-16 units of a label, more than any layout shows. Segmenting takes quadratic time in some engines.
const maxLabelLength = 1000;

const signs = { ' ': '␣', '\u00a0': '␣', '\n': '↵', '\r': '↵', '\t': '⇥' };

const signOf = (space) => signs[space] ?? '␣';

/** A token for display: signs replace white space at its ends, control and invisible characters. */
export function visible(text) {
  if (text === '') return '∅';
  if (/^[!-~]+$/.test(text)) return text; // fast path
  const plain = replaceInvisible(text.replace(/\r\n/g, '\n'), '�');
  // Without a regular expression: \s+$ takes quadratic time on inner white space.
  const inner = plain.trimStart();
  const middle = inner.trimEnd();
  const ends = [plain.slice(0, plain.length - inner.length), inner.slice(middle.length)];
  const [before, after] = ends.map((space) => space.replace(/\s/g, signOf));
  return `${before}${middle.replace(/[\n\r\t]/g, signOf)}${after}`.replace(
    /[\p{Cc}\p{Cs}\u2028\u2029\ufffe\uffff]/gu,
    '�',
  );
}

/** A text truncated to the maximum length of a label, between code points. */
export function shortened(text) {
  if (text.length <= maxLabelLength) return text;
  return `${text.slice(0, maxLabelLength).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** True if a text is right-to-left: the direction of its first letter, as in the Unicode bidirectional algorithm. */
export function isRightToLeft(text) {
  const first = /\p{L}/u.exec(text)?.[0];
  return (
    first !== undefined &&
    /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(first)
  );
}

/** Cached functions: widthOf(text, size, weight), and fit(text, width, size, weight), which truncates. */
export function createLabels(measure) {
  const widths = new Map();
  const fitted = new Map();

  function widthOf(fullText, size, weight = 400) {
    const text = shortened(fullText);
    return cached(widths, `${size} ${weight} ${text}`, () => measure(text, size, weight));
  }

  function fit(fullText, width, size, weight = 400) {
    const text = shortened(fullText);
    if (widthOf(text, size, weight) <= width) return text;
    return cached(fitted, `${size} ${weight} ${Math.floor(width)} ${text}`, () =>
      cut(text, (shortText) => measure(shortText, size, weight) <= width),
    );
  }

  return { widthOf, fit };
}

function cut(text, fits) {
  const characters = graphemes
    ? Array.from(graphemes.segment(text), ({ segment }) => segment)
    : Array.from(text);
  let [low, high] = [0, characters.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(`${characters.slice(0, middle).join('')}…`)) low = middle;
    else high = middle - 1;
  }
  return `${characters.slice(0, low).join('')}…`;
}

/** Estimated width of a text without a canvas: 1.05 em for wide scripts and emoji, about half for others. */
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

function cached(map, key, make) {
  let value = map.get(key);
  if (value === undefined) {
    if (map.size > 5000) map.clear();
    map.set(key, (value = make()));
  }
  return value;
}
