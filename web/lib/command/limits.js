// How much text the commands take, and how many weights they show: as much as is computed and held in memory in a
// few seconds. More is refused before it is read, split or computed.

import { limits as translatorLimits } from '../translator/limits.js';
import { UsageError } from './shell_options.js';

export const limits = {
  characters: 100_000, // of a text
  words: 10_000, // of a text
  weights: 250_000_000, // of all heads and layers together; 4 bytes each
  spelling: 2 ** 28, // characters × numbers in each vector: the work of wordVectors(), and more numbers than it makes
  lineCharacters: translatorLimits.letters,
  blankLines: 100_000, // in a row
};

/** Refuses a text, or the beginning of one, that is longer than that. */
export function requireLength(name, text, limit = limits.characters) {
  if (text.length <= limit) return;
  throw new UsageError(`${name} is longer than the limit of ${limit} characters`);
}

/** Refuses a product of `sizes`, [count, noun] each, beyond the limit of `result`. */
export function requireProduct(sizes, limit, result) {
  const product = sizes.reduce((total, [count]) => total * count, 1);
  if (product <= limit) return;
  const factors = sizes.map(([count, noun]) => `${count} ${noun}`).join(' × ');
  throw new UsageError(`${factors} are ${product} ${result}; the limit is ${limit}`);
}
