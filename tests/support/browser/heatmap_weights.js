// Weights for pictures: rows sum to 1, largest near the diagonal, the same in Node.js and in a page.

export function randomWeights(rows, columns = rows, seed = 1) {
  let state = seed;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const weights = new Float32Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    let sum = 0;
    for (let column = 0; column < columns; column++) {
      const away = Math.abs(row / rows - column / columns);
      sum += weights[row * columns + column] = Math.exp(6 * next() - 20 * away);
    }
    for (let column = 0; column < columns; column++) weights[row * columns + column] /= sum;
  }
  return weights;
}
