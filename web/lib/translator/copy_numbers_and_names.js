// Corrects numbers and names that a translation should have copied from its source: cross-attention gives the source word
// of each wrong one. Words with a high probability stay: Londres for London.
import { mergeWords } from './merge_words.js';

const minLogProbability = Math.log(0.5); // words with a token below it count as uncertain

const isNumber = ({ text }) => /^\p{N}+$/u.test(text);
const isName = ({ text }) => /^\p{Lu}[\p{L}\p{M}]{2,}$/u.test(text);
const isNationality = ({ text }) => /(ans?|ese|ish|ists?)$/.test(text); // Russian: translated, not copied
const isSeparator = ({ text }) => /^[.,:/-]$/.test(text);

/** True if a number is part of a longer one, a time or a date, which French formats differently. */
const isInLongerNumber = (words, n) =>
  [-1, 1].some((step) => {
    const [next, afterNext] = [words[n + step], words[n + 2 * step]];
    return next && afterNext && isSeparator(next) && isNumber(afterNext);
  });

const withoutAccents = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** True if `garbled` is a prefix of `whole`, or a subsequence with the same first letter and more than half of its letters. */
function isGarbled(garbled, whole) {
  let matched = 0;
  for (const character of whole) if (character === garbled[matched]) matched++;
  const isLong = matched > 3 && 2 * matched > whole.length && garbled[0] === whole[0];
  return (isLong && matched === garbled.length) || whole.startsWith(garbled);
}

/**
 * True if a word could be a garbled form of a name: shortened, with missing or extra letters, or uncertain with the same
 * start. The first word of a sentence is always capitalized, so its rule is stricter: "Tourne" is not a garbled "Turn".
 */
function couldBeGarbled(name, word) {
  const firstWords = [name, word].filter(({ index }) => index === 0).length;
  if (isGarbled(word.text, name.text) || (firstWords < 2 && isGarbled(name.text, word.text)))
    return true;
  const start = ({ text }) => withoutAccents(text).slice(0, firstWords > 0 ? 3 : 1);
  return word.lowest < minLogProbability && start(name) === start(word);
}

/** The words of tokens: { index, text, start, end, lowest }; lowest is the smallest log probability of its tokens. */
function wordsOf(tokens, logProbabilities) {
  const words = [];
  tokens.forEach(({ word, text, special, start, end }, n) => {
    const known = words[word];
    const lowest = Math.min(known?.lowest ?? 0, logProbabilities?.[n] ?? 0);
    // All byte tokens of a character have its span and text; count it once.
    const isNew = known && known.end !== end;
    words[word] = {
      index: word,
      text: known ? known.text + (isNew ? text : '') : special ? '' : text,
      start: known?.start ?? start,
      end,
      lowest,
    };
  });
  return words;
}

/** For each row, the column with the largest mean weight over heads. */
function largestColumns(/** @type {{ data: Float32Array, dims: number[] }} */ { data, dims }) {
  const [heads, rows, columns] = dims;
  return Array.from({ length: rows }, (_, row) => {
    const mean = new Float64Array(columns);
    for (let head = 0; head < heads; head++) {
      const start = (head * rows + row) * columns;
      for (let column = 0; column < columns; column++) mean[column] += data[start + column];
    }
    return mean.indexOf(Math.max(...mean));
  });
}

/**
 * The text of a translation with the numbers and names of its source, or null if nothing needs to change.
 *
 * @param {{ tokens: object[] }} source
 * @param {{ text: string, tokens: object[] }} target
 * @param {{ data: Float32Array, dims: number[] }} cross heads × target × source, of the last layer
 * @param {number[]} logProbabilities of the tokens of the target
 */
export function copyNumbersAndNames(source, target, cross, logProbabilities) {
  const sourceWords = wordsOf(source.tokens);
  const targetWords = wordsOf(target.tokens, logProbabilities);
  const isIn = (words, one) => words.some(({ text }) => text === one.text);
  const missing = (isKind) =>
    sourceWords.filter(
      (word, n) => isKind(word) && !isIn(targetWords, word) && !isInLongerNumber(sourceWords, n),
    );
  const added = (isKind) => targetWords.filter((word) => isKind(word) && !isIn(sourceWords, word));
  const lostNumbers = missing(isNumber);
  const newNumbers = added(isNumber);
  const lostNames = missing((word) => isName(word) && !isNationality(word));
  const namesLike = (word) => lostNames.filter((name) => couldBeGarbled(name, word));
  const newNames = added(isName).filter((word) => namesLike(word).length > 0);
  if (lostNumbers.length * newNumbers.length + newNames.length === 0) return null;

  const columns = largestColumns(mergeWords(cross, target.tokens, source.tokens));
  const used = new Set();
  const changes = [];
  const change = (word, candidates) => {
    const free = candidates.filter(({ index }) => !used.has(index));
    const attended = free.find(({ index }) => index === columns[word.index]);
    const source = attended ?? (free.length === 1 && free[0]);
    if (!source) return;
    used.add(source.index);
    changes.push({ start: word.start, end: word.end, replacement: source.text });
  };
  for (const word of newNumbers) change(word, lostNumbers);
  for (const word of newNames) change(word, namesLike(word));
  if (changes.length === 0) return null;
  let { text } = target;
  for (const { start, end, replacement } of changes.sort((a, b) => b.start - a.start)) {
    text = text.slice(0, start) + replacement + text.slice(end);
  }
  return text;
}
