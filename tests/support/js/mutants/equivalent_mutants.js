// Mutants that no test can kill, or that change what is no promise, with the reason of each: equivalent_mutants.json.
import { keyOf } from './all_mutants.js';

/**
 * Of a list of { why, mutants } the names of those in the files; an entry that names no mutant of them is out of date and
 * an error.
 */
export function equivalentMutants(list, mutants) {
  const there = new Set(mutants.map(keyOf));
  const files = new Set(mutants.map(({ file }) => file));
  const equivalent = new Set();
  for (const { why, mutants: listed } of list) {
    for (const entry of listed.filter(({ file }) => files.has(file))) {
      const key = keyOf(entry);
      if (!why || !there.has(key) || equivalent.has(key)) {
        throw new Error(
          `equivalent_mutants.json names what is not there, or twice, or not why: ${key}`,
        );
      }
      equivalent.add(key);
    }
  }
  return equivalent;
}
