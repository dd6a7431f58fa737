// Suggests the option with the most similar name for an unknown one.

const minCharacters = 3; // shorter names get no suggestion

/** The name that starts with `name`, or has the smallest edit distance, at most a third of its length; or undefined. */
export function suggestOption(name, names) {
  if (name.length < minCharacters) return undefined;
  const [nearest] = names
    .map((one) => ({
      candidate: one,
      distance: one.startsWith(name) ? 0 : editDistance(name, one),
    }))
    .filter(({ distance: edits }) => edits <= name.length / minCharacters)
    .sort((a, b) => a.distance - b.distance);
  return nearest?.candidate;
}

/** Levenshtein distance. */
function editDistance(a, b) {
  let previousRow = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const currentRow = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitution = previousRow[column - 1] + (a[row - 1] === b[column - 1] ? 0 : 1);
      currentRow.push(Math.min(substitution, previousRow[column] + 1, currentRow[column - 1] + 1));
    }
    previousRow = currentRow;
  }
  return previousRow.at(-1);
}
