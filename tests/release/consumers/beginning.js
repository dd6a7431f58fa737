// The beginnings that the API reference shows, in the places that they are for: its files, run as they stand there.

import { readFileSync } from 'node:fs';

const folder = new URL('../../../web/reference/runtimes/', import.meta.url);

export const beginning = (name) => readFileSync(new URL(name, folder), 'utf8');

/** 'same' if a beginning printed what its comment says, otherwise what it printed. */
export function kept(name, printed) {
  const [, promise] = /; \/\/ (.*)$/m.exec(beginning(name));
  return promise === printed.trim() ? 'same' : `${name} printed ${printed}`;
}
