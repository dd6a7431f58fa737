// The mutants of many files, by which each is known wherever its line moves to: the file, the line's text, what becomes
// of what, and which of those it is, should there be several.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Mutants of a file's text as `make` finds them, with line and what they are known by. */
export function mutantsOf(file, text, make) {
  const lines = text.split('\n');
  const seen = new Map();
  return make(text).map((mutant) => {
    const line = text.slice(0, mutant.from).split('\n').length;
    const known = { file, text: lines[line - 1].trim(), change: mutant.change };
    const key = JSON.stringify(known);
    seen.set(key, (seen.get(key) ?? 0) + 1);
    return { ...mutant, ...known, line, nth: seen.get(key) };
  });
}

/** Those of all the files below root, numbered. */
export function allMutants(root, files, make) {
  return files
    .flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8'), make))
    .map((mutant, n) => ({ ...mutant, n }));
}

/** What a list of equivalent mutants names it by. */
export const keyOf = ({ file, text, change, nth = 1 }) => JSON.stringify([file, text, change, nth]);
