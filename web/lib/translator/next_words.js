// What may come next in a translation: the likeliest words at one place of it, and the one that stands there.
import { createWordSearch } from './likeliest_words.js';
import { withEnd, withStart } from './model.js';
import { specialTokens } from './tokens.js';

/**
 * { text, probability, begin, special }, the likeliest first; the sentence's own word last where it is not among them.
 *
 * @param {object} of model; tokens; source and sentence: ids without their ends; word: the place in the sentence, in
 *   words from 0; count
 */
export function nextWords({ model, tokens, source, sentence, word, count }) {
  const numbers = tokens.describe(sentence, false).tokens.map((token) => token.word);
  const before = sentence.filter((_, n) => numbers[n] < word);
  const own = sentence.filter((_, n) => numbers[n] === word);
  const textOf = (ids) => tokens.describe([...before, ...ids], false).text;
  const length = textOf([]).length;
  const memory = model.project(model.encode(withEnd(source)).output);
  try {
    const search = createWordSearch({
      nextLogits: (ids) => model.nextLogits(withStart([...before, ...ids]), memory),
      startsWord: (ids) => tokens.startsWord([...before, ...ids]),
      spell: (ids) => (isEnd(ids) ? '</s>' : textOf(ids).slice(length).trim()),
    });
    const found = search.likeliest(count);
    if (own.length > 0) {
      const ownWord = search.wordOf(own);
      if (!found.some(({ text }) => text === ownWord.text)) found.push(ownWord);
    }
    return found.map(({ text, ids, probability }) => ({
      text,
      probability,
      begin: textOf(isEnd(ids) ? [] : ids),
      special: isEnd(ids),
    }));
  } finally {
    memory.forEach((cache) => cache.delete());
  }
}

const isEnd = (ids) => ids[0] === specialTokens.end;
