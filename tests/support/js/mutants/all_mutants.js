// The mutants of the sources, and a random sample of them. The key of a mutant is its file, the text of its line, the change,
// and its index among equal changes of this text, so it stays valid when the line moves.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Mutants of a file's text as `make` finds them, with line and key. */
function mutantsOf(file, text, make) {
  const lines = text.split('\n');
  const seen = new Map();
  return make(text).map((mutant) => {
    const line = text.slice(0, mutant.from).split('\n').length;
    const known = [file, lines[line - 1].trim(), mutant.change];
    const kind = JSON.stringify(known);
    seen.set(kind, (seen.get(kind) ?? 0) + 1);
    return {
      ...mutant,
      file,
      text: known[1],
      line,
      key: JSON.stringify([...known, seen.get(kind)]),
    };
  });
}

/** Mutants of all the files below root. */
export function allMutants(root, files, make) {
  return files.flatMap((file) => mutantsOf(file, readFileSync(join(root, file), 'utf8'), make));
}

/** A number from 0 to 1 that depends on the key and the seed only. */
function lot({ key }, seed) {
  const hash = createHash('sha256').update(seed).update(key).digest();
  return hash.readUInt32LE() / 2 ** 32;
}

/** `count` of the mutants, spread over the files in proportion to their mutants. */
export function sampleMutants(mutants, count, seed) {
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
