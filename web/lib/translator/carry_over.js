// Numbers and names that a translation was to carry over and did not: found by where cross-attention points, and
// put right. What the model is sure of stays: London is Londres.
import { mergeWords } from './merge_words.js';

const doubt = Math.log(0.5); // a word with a piece less likely than this is one the model was not sure of

const isNumber = ({ text }) => /^\p{N}+$/u.test(text);
const isName = ({ text }) => /^\p{Lu}[\p{L}\p{M}]{2,}$/u.test(text);
const isPeople = ({ text }) => /(ans?|ese|ish|ists?)$/.test(text); // Russian is russe, surely
const isJoint = ({ text }) => /^[.,:/-]$/.test(text);

/** Part of a larger number, a time or a date, which French may write otherwise. */
const isPart = (words, n) =>
  [-1, 1].some((step) => {
    const [next, afterNext] = [words[n + step], words[n + 2 * step]];
    return next && afterNext && isJoint(next) && isNumber(afterNext);
  });

const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether a text begins with another, or that has more than half of its letters, in their order, from the first on. */
function isWithin(part, whole) {
  let found = 0;
  for (const letter of whole) found += letter === part[found];
  const isMuch = found > 3 && 2 * found > whole.length && part[0] === whole[0];
  return (isMuch && found === part.length) || whole.startsWith(part);
}

/**
 * Whether a word could be this name garbled: cut short, with letters left out or too many, or doubtful and alike at its start. The first word of a
 * sentence has a capital anyway: "Tourne" has the letters of "Turn", and is not it garbled.
 */
function couldBe(name, word) {
  const firsts = (name.at === 0) + (word.at === 0);
  if (isWithin(word.text, name.text) || (firsts < 2 && isWithin(name.text, word.text))) return true;
  const start = ({ text }) => plain(text).slice(0, firsts > 0 ? 3 : 1);
  return word.lowest < doubt && start(name) === start(word);
}

/** The words of tokens: { at, text, start, end, lowest }, of which lowest is the log probability of its rarest piece. */
function wordsOf(tokens, logProbabilities) {
  const words = [];
  tokens.forEach(({ word, text, special, start, end }, n) => {
    const known = words[word];
    const lowest = Math.min(known?.lowest ?? 0, logProbabilities?.[n] ?? 0);
    // All bytes of a character stand in one place and tell it each.
    const isMore = known && known.end !== end;
    words[word] = {
      at: word,
      text: known ? known.text + (isMore ? text : '') : special ? '' : text,
      start: known?.start ?? start,
      end,
      lowest,
    };
  });
  return words;
}

/** For each row the column of the largest weight, as the mean of the heads has it. */
function largestColumns({ data, dims: [heads, rows, columns] }) {
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
 * The text of a translation with the numbers and names of its source, or null where it has them already.
 *
 * @param {{ tokens: object[] }} source
 * @param {{ text: string, tokens: object[] }} target
 * @param {{ data: Float32Array, dims: number[] }} cross heads × target × source, of the last layer
 * @param {number[]} logProbabilities of the tokens of the target
 */
export function carriedOver(source, target, cross, logProbabilities) {
  const read = wordsOf(source.tokens);
  const said = wordsOf(target.tokens, logProbabilities);
  const isIn = (words, one) => words.some(({ text }) => text === one.text);
  const missing = (isKind) =>
    read.filter((word, n) => isKind(word) && !isIn(said, word) && !isPart(read, n));
  const strange = (isKind) => said.filter((word) => isKind(word) && !isIn(read, word));
  const lostNumbers = missing(isNumber);
  const newNumbers = strange(isNumber);
  const lostNames = missing((word) => isName(word) && !isPeople(word));
  const namesLike = (word) => lostNames.filter((name) => couldBe(name, word));
  const newNames = strange(isName).filter((word) => namesLike(word).length > 0);
  if (lostNumbers.length * newNumbers.length + newNames.length === 0) return null;

  const columns = largestColumns(mergeWords(cross, target.tokens, source.tokens));
  const taken = new Set();
  const changes = [];
  const change = (word, candidates) => {
    const free = candidates.filter(({ at }) => !taken.has(at));
    const pointed = free.find(({ at }) => at === columns[word.at]);
    const right = pointed ?? (free.length === 1 && free[0]);
    if (!right) return;
    taken.add(right.at);
    changes.push({ start: word.start, end: word.end, by: right.text });
  };
  for (const word of newNumbers) change(word, lostNumbers);
  for (const word of newNames) change(word, namesLike(word));
  if (changes.length === 0) return null;
  let { text } = target;
  for (const { start, end, by } of changes.sort((a, b) => b.start - a.start)) {
    text = text.slice(0, start) + by + text.slice(end);
  }
  return text;
}
