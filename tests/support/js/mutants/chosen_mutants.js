// Which mutants are run: a random part, the same for the same word, spread over all files.
import { createHash } from 'node:crypto';

import { keyOf } from './all_mutants.js';

/** A number from 0 to 1 that a mutant has under a seed, wherever its line moves to. */
function lot(mutant, seed) {
  const hash = createHash('sha256').update(seed).update(keyOf(mutant)).digest();
  return hash.readUInt32LE() / 2 ** 32;
}

/** `count` of the mutants: of each file as large a part as of all, as near as may be. */
export function chosenMutants(mutants, count, seed) {
  const byFile = new Map();
  for (const mutant of mutants) {
    if (!byFile.has(mutant.file)) byFile.set(mutant.file, []);
    byFile.get(mutant.file).push({ mutant, drawn: lot(mutant, seed) });
  }
  const placed = Array.from(byFile.values()).flatMap((drawn) =>
    drawn
      .sort((a, b) => a.drawn - b.drawn)
      .map(({ mutant, drawn: place }, index) => ({ mutant, at: (index + place) / drawn.length })),
  );
  return placed
    .sort((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}
