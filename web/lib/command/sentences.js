// The text of a request as sentences: every line is one.

import { isBlank } from '../text/segment_words.js';
import { limits, requireLength } from './limits.js';
import { UsageError } from './shell_options.js';
import { isTyped, readLines } from './standard_input.js';

/**
 * { text, where } for each line, those of standard input as they come; text is '' where a line has no
 * words, and `where` is the beginning of an error's sentence about it. aboutOne: an option that goes with a
 * single sentence only, or undefined.
 */
export async function* sentences({ text, aboutOne }) {
  if (text === undefined && isTyped()) throw new UsageError('no text given');
  const lines = text === undefined || text === '-' ? readLines() : text.split('\n');
  const all = located(lines, lines.length === 1);
  yield* aboutOne ? [await theOnly(all, aboutOne)] : all;
}

async function* located(lines, isSingle) {
  let number = 0;
  let blank = 0;
  let isEmpty = true;
  for await (const line of lines) {
    const where = isSingle ? '' : `line ${++number}: `;
    requireLength(`${where}text`, line, limits.lineCharacters);
    const hasWords = !isBlank(line);
    if (hasWords) isEmpty = false;
    blank = hasWords ? 0 : blank + 1;
    if (blank > limits.blankLines) {
      throw new UsageError(
        `the text has more lines without words in a row than the limit of ${limits.blankLines}`,
      );
    }
    yield { text: hasWords ? line : '', where };
  }
  if (isEmpty) throw new UsageError('the text has no words in it');
}

async function theOnly(all, option) {
  let only;
  for await (const sentence of all) {
    if (sentence.text === '') continue;
    if (only) {
      throw new UsageError(`${option} goes with one sentence; the text has more, one on each line`);
    }
    only = sentence;
  }
  return only;
}
