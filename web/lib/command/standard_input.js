// Standard input as text: all of it, or its lines as they come. It may never end, so what is held of it is limited.

import process from 'node:process';
import { limits, requireLength } from './limits.js';

/** Whether somebody would have to type it, and perhaps does not know. */
export const isTyped = () => process.stdin.isTTY === true;

async function* pieces() {
  const decoder = new TextDecoder();
  for await (const chunk of process.stdin) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** All of it; name: what it is in the sentence that refuses more than the limit. */
export async function readInput(name) {
  let text = '';
  for await (const piece of pieces()) {
    text += piece;
    requireLength(name, text);
  }
  return text;
}

/** Its lines; of one that is too long no more than that is known. */
export async function* readLines() {
  let unfinished = '';
  for await (const piece of pieces()) {
    const lines = piece.split('\n');
    lines[0] = unfinished + lines[0];
    unfinished = lines.pop();
    yield* lines;
    if (unfinished.length > limits.lineCharacters) break;
  }
  if (unfinished !== '') yield unfinished;
}
