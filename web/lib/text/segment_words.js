// The words of a text one by one, as Intl.Segmenter finds them.
import { describe } from '../arguments/describe.js';

// White space, controls, and what Unicode calls ignorable (zero-width space, soft hyphen, …).
const nothingToSee = /^[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}]*$/u;

// Engines copy the text they segment for each segment, so a long text is segmented part by part. Between a
// space and a letter or digit there is a word boundary, whatever the characters around (Unicode Standard Annex 29).
const partLength = 1024;
const partEnd = /[ \n](?=[\p{L}\p{N}])/gu;

/** Whether the text has no words. */
export const isBlank = (text) => nothingToSee.test(text);

export function* segmentWords(text, locale) {
  const segmenter = wordSegmenter(locale);
  for (let start = 0; start < text.length;) {
    partEnd.lastIndex = start + partLength;
    const space = partEnd.exec(text);
    const end = space ? space.index + 1 : text.length;
    for (const { segment } of segmenter.segment(text.slice(start, end))) {
      if (!isBlank(segment)) yield segment;
    }
    start = end;
  }
}

function wordSegmenter(locale) {
  if (typeof Intl !== 'object' || typeof Intl.Segmenter !== 'function') {
    throw new Error('words() needs Intl.Segmenter, which this JavaScript engine does not have');
  }
  try {
    return new Intl.Segmenter(locale, { __proto__: null, granularity: 'word' });
  } catch {
    throw new RangeError(`locale must be a language tag such as 'th', found ${describe(locale)}`);
  }
}
