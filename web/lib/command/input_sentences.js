// The sentences of a request, one per line.

import { isBlank } from '../text/segment_words.js';
import { limits, requireLength } from './limits.js';
import { UsageError } from './shell_options.js';
import { isTerminal, readLines } from './standard_input.js';

/**
 * Yields { text, where } for each line, for standard input as soon as it is complete. text is '' for lines without words;
 * `where` is a prefix for error messages. singleOption: an option that accepts a single sentence only, or undefined.
 */
export async function* sentences({ text, singleOption }) {
  if (text === undefined && isTerminal()) throw new UsageError('missing text');
  const lines = text === undefined || text === '-' ? readLines() : text.split('\n');
  const all = withLocations(lines, lines.length === 1);
  yield* singleOption ? [await singleSentence(all, singleOption)] : all;
}

async function* withLocations(lines, isSingle) {
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
        `the text has more consecutive lines without words than the limit of ${limits.blankLines}`,
      );
    }
    yield { text: hasWords ? line : '', where };
  }
  if (isEmpty) throw new UsageError('the text has no words');
}

async function singleSentence(all, option) {
  let only;
  for await (const sentence of all) {
    if (sentence.text === '') continue;
    if (only) {
      throw new UsageError(
        `${option} accepts one sentence, but the text has several (one per line)`,
      );
    }
    only = sentence;
  }
  return only;
}
