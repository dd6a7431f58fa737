// Limits of the command, chosen so that computation takes a few seconds. They are checked before texts are read, split or
// computed.

import { limits as translatorLimits } from '../translator/translator_limits.js';
import { UsageError } from './shell_options.js';

export const limits = {
  characters: 100_000, // of a text
  words: 10_000, // of a text
  weights: 250_000_000, // of all heads and layers; 4 bytes each
  spelling: 2 ** 28, // characters × vector length: the cost of wordVectors()
  lineCharacters: translatorLimits.characters,
  blankLines: 100_000, // consecutive
};

/** Throws for a text longer than the limit. */
export function requireLength(name, text, limit = limits.characters) {
  if (text.length <= limit) return;
  throw new UsageError(`${name} is longer than the limit of ${limit} characters`);
}

/** Throws if the product of `sizes`, each [count, noun], exceeds the limit. */
export function requireProduct(sizes, limit, result) {
  const product = sizes.reduce((total, [count]) => total * count, 1);
  if (product <= limit) return;
  const factors = sizes.map(([count, noun]) => `${count} ${noun}`).join(' × ');
  throw new UsageError(`${factors} are ${product} ${result}; the limit is ${limit}`);
}
