// The line that says what one cell of the matrix says, in words and numbers.

import { formatScore, formatWeight } from './numbers.js';

export function createReadout(element) {
  const parts = Object.fromEntries(
    ['.query bdi', '.verb', '.key bdi', '.weight', '.score', '.sum'].map((selector) => [
      selector,
      element.querySelector(selector),
    ]),
  );

  return {
    /** `cell`: { query, key, weight, score, sum }, or null for nothing to read. */
    show(cell) {
      element.classList.toggle('empty', !cell);
      if (!cell) return;
      parts['.query bdi'].textContent = cell.query;
      parts['.verb'].textContent = verb(cell);
      parts['.key bdi'].textContent = cell.key;
      parts['.weight'].textContent = formatWeight(cell.weight);
      parts['.score'].textContent = formatScore(cell.score);
      parts['.sum'].textContent = formatWeight(cell.sum);
    },
  };
}

/** The same as one sentence, for those who listen. */
export function describe(cell) {
  const { query, key, weight, score } = cell;
  return (
    `“${query}” ${verb(cell)} “${key}”: ` +
    `weight ${formatWeight(weight)}, score ${formatScore(score)}`
  );
}

function verb({ score }) {
  return score === -Infinity ? 'may not read' : 'reads';
}
