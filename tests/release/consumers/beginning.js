// Code of the guides, unchanged: their files, and their blocks with a file name.

import { readFileSync } from 'node:fs';

const guides = new URL('../../../web/reference/guides/', import.meta.url);
const read = (path) => readFileSync(new URL(path, guides), 'utf8');

/** A file of the guides' examples. */
export const beginning = (name) => read(`examples/${name}`);

/** The block of code of a guide under a file name; `text` is in it. */
export function blockOf(guide, name, text = '') {
  const blocks = Array.from(
    read(guide).matchAll(/^```\w+ (\S+)\n([^]*?)^```$/gm),
    ([, file, code]) => ({ file, code }),
  );
  const found = blocks.filter(({ file, code }) => file === name && code.includes(text));
  if (found.length !== 1) throw new Error(`${guide} has ${found.length} blocks of ${name}`);
  return found[0].code;
}

/** A part of a package.json that "Where it runs" shows. */
export const manifestWith = (field) => JSON.parse(blockOf('runtimes.md', 'package.json', field));

/** 'same' if the program printed what its comment says, otherwise its output. */
export function kept(name, printed) {
  const [, promise] = /; \/\/ (.*)$/m.exec(beginning(name));
  return promise === printed.trim() ? 'same' : `${name} printed ${printed}`;
}
