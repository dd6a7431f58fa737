// The text of a request as sentences: every line is one.

import { words } from '../text.js';
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
  let isEmpty = true;
  for await (const line of lines) {
    const hasWords = words(line).length > 0;
    if (hasWords) isEmpty = false;
    yield { text: hasWords ? line : '', where: isSingle ? '' : `line ${++number}: ` };
  }
  if (isEmpty) throw new UsageError('the text has no words in it');
}

async function theOnly(all, option) {
  const found = [];
  for await (const sentence of all) if (sentence.text !== '') found.push(sentence);
  if (found.length === 1) return found[0];
  throw new UsageError(
    `${option} goes with one sentence; the text has ${found.length}, one on each line`,
  );
}
