// Vectors for several heads: each gets its share of every vector.

/** rows × (heads · d) → heads × rows × d. */
export function splitHeads({ data, dims: [rows, width] }, heads) {
  const share = width / heads;
  const split = new Float32Array(data.length);
  for (let head = 0; head < heads; ++head) {
    for (let row = 0; row < rows; ++row) {
      const from = row * width + head * share;
      split.set(data.subarray(from, from + share), (head * rows + row) * share);
    }
  }
  return { data: split, dims: [heads, rows, share] };
}

/** heads must divide what the matrices make. */
export function requireDivisor(heads, ...widths) {
  const bad = widths.find((width) => width % heads !== 0);
  if (bad !== undefined) {
    throw new Error(
      `${bad} numbers cannot be shared by ${heads} heads: choose a divisor of ${bad}`,
    );
  }
}
