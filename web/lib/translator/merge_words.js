// Converts weights between tokens to weights between words.

/**
 * Weights between words: the sum over the columns of a word, the mean over the rows of a word. Rows still sum to 1.
 *
 * @param {{ data: Float32Array, dims: number[] }} weights [… ×] rows × columns
 * @param {{ word: number }[]} rows
 * @param {{ word: number }[]} columns
 */
export function mergeWords({ data, dims }, rows, columns) {
  const count = (tokens) => (tokens.at(-1)?.word ?? -1) + 1;
  const [rowWords, columnWords] = [count(rows), count(columns)];
  const matrices = data.length / (rows.length * columns.length) || 0;
  const tokenCounts = new Float32Array(rowWords);
  for (const { word } of rows) tokenCounts[word] += 1;
  const merged = new Float32Array(matrices * rowWords * columnWords);
  for (let m = 0; m < matrices; m++) {
    rows.forEach((row, i) => {
      columns.forEach((column, j) => {
        const to = (m * rowWords + row.word) * columnWords + column.word;
        merged[to] += data[(m * rows.length + i) * columns.length + j] / tokenCounts[row.word];
      });
    });
  }
  return { data: merged, dims: [...dims.slice(0, -2), rowWords, columnWords] };
}
