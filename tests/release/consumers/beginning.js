// Runs the "getting started" files of the API reference unchanged, each in its runtime.

import { readFileSync } from 'node:fs';

const folder = new URL('../../../web/reference/runtimes/', import.meta.url);

export const beginning = (name) => readFileSync(new URL(name, folder), 'utf8');

/** 'same' if the program printed what its comment says, otherwise its output. */
export function kept(name, printed) {
  const [, promise] = /; \/\/ (.*)$/m.exec(beginning(name));
  return promise === printed.trim() ? 'same' : `${name} printed ${printed}`;
}
