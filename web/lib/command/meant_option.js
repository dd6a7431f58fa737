// The option that somebody may have meant who wrote another name.

const fewest = 3; // letters that a name can be known by

/** Of `names` the one that begins with `name` or is spelled most like it, a letter in three aside; or undefined. */
export function meantOption(name, names) {
  if (name.length < fewest) return undefined;
  const [nearest] = names
    .map((one) => ({ one, far: one.startsWith(name) ? 0 : distance(name, one) }))
    .filter(({ far }) => far <= name.length / fewest)
    .sort((a, b) => a.far - b.far);
  return nearest?.one;
}

/** How many letters must be put in, left out or made others. */
function distance(a, b) {
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let at = 1; at <= b.length; at++) {
      const replaced = above[at - 1] + (a[row - 1] === b[at - 1] ? 0 : 1);
      line.push(Math.min(replaced, above[at] + 1, line[at - 1] + 1));
    }
    above = line;
  }
  return above.at(-1);
}
