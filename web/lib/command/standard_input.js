// Reads standard input as one text or line by line. It may be endless, so the amount buffered is limited.

import process from 'node:process';
import { limits, requireLength } from './limits.js';

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
    unfinished = lines.pop();
    yield* lines;
    if (unfinished.length > limits.lineCharacters) break;
  }
  if (unfinished !== '') yield unfinished;
}
