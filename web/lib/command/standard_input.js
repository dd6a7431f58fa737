// Reads standard input as one text, line by line or by sentences. It may be endless, so the amount buffered is limited.

import process from 'node:process';
import { isBlank } from '../text/segment_words.js';
import { limits, requireLength } from './limits.js';
import { UsageError } from './shell_options.js';

/** True if standard input is a terminal, where reading would wait for the user. */
export const isTerminal = () => process.stdin.isTTY === true;

async function* chunks() {
  const decoder = new TextDecoder();
  for await (const bytes of process.stdin) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

/** The whole text; name: its name in the error for a text beyond the limit. */
export async function readInput(name) {
  let text = '';
  for await (const chunk of chunks()) {
    text += chunk;
    requireLength(name, text);
  }
  return text;
}

/** Yields lines; a line beyond the limit is yielded unfinished, as the last.  */
export async function* readLines() {
  let unfinished = '';
  for await (const chunk of chunks()) {
    const lines = chunk.split('\n');
    lines[0] = unfinished + lines[0];
    unfinished = lines.pop() ?? '';
    yield* lines;
    if (unfinished.length > limits.lineCharacters) break;
  }
  if (unfinished !== '') yield unfinished;
}

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
