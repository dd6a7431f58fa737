// Sentence pairs composed from frames and a lexicon of everyday words, for what the corpus has too little of.
import { frames } from './lexicon/frames.js';
import { copy } from './lexicon/copies.js';
import { pick } from './lexicon/phrases.js';

const bag = frames.flatMap(([frame, times]) => Array.from({ length: times }, () => frame));
const capitalised = (text) => text[0].toUpperCase() + text.slice(1);

const copied = 0.06; // share of pairs that are alike on both sides

/** A pair, drawn anew; frenchSentence: one that may be given in place of English, to come back as it is.
 * `link`: the pronoun and the last word of the noun that it stands for. */
export function composePair(random, frenchSentence) {
  if (random() < copied) return copy(random, frenchSentence);
  const { english, french, mark = '.', asTyped, skip, link } = pick(random, bag)(random);
  if (skip) return composePair(random, frenchSentence);
  const big = !asTyped || random() < 0.4;
  const set = (text) => (big ? capitalised(text) : text);
  const space = mark === '?' || mark === '!' ? ' ' : '';
  const pair = { english: set(english) + mark, french: set(french) + (mark ? space + mark : '') };
  return link ? { ...pair, link } : pair;
}
