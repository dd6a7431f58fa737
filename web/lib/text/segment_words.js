// Yields the words of a text, by Intl.Segmenter.
import { describe } from '../arguments/describe.js';

// White space, control and default ignorable characters (zero-width space, soft hyphen, …).
const invisible = /^[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}]*$/u;

// Engines copy the segmented text for each segment, so a long text is segmented in chunks. A chunk ends between a space
// and a letter or digit, which is always a word boundary (Unicode Standard Annex 29).
const chunkLength = 1024;
const chunkEnd = /[ \n](?=[\p{L}\p{N}])/gu;

/** True if the text has no words. */
export const isBlank = (text) => invisible.test(text);

export function* segmentWords(text, locale) {
  const segmenter = wordSegmenter(locale);
  for (let start = 0; start < text.length;) {
    chunkEnd.lastIndex = start + chunkLength;
    const space = chunkEnd.exec(text);
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
    /** @type {Intl.SegmenterOptions & { __proto__: null }} */
    const options = { __proto__: null, granularity: 'word' };
    return new Intl.Segmenter(locale, options);
  } catch {
    throw new RangeError(`locale must be a language tag such as 'th', found ${describe(locale)}`);
  }
}
