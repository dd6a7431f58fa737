// Standard input as text: all of it, or its lines as they come.

import process from 'node:process';

/** Whether somebody would have to type it, and perhaps does not know. */
export const isTyped = () => process.stdin.isTTY === true;

async function* pieces() {
  const decoder = new TextDecoder();
  for await (const chunk of process.stdin) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

export async function readInput() {
  let text = '';
  for await (const piece of pieces()) text += piece;
  return text;
}

export async function* readLines() {
  let unfinished = '';
  for await (const piece of pieces()) {
    const lines = piece.split('\n');
    lines[0] = unfinished + lines[0];
    unfinished = lines.pop();
    yield* lines;
  }
  if (unfinished !== '') yield unfinished;
}
