// The sentence pairs a model learns from: cleaned, split by English sentence, and varied towards what
// people type.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { cleanEnglish, cleanFrench } from '../lib/translator/marks.js';
import { men, otherNames, women } from './lexicon/names.js';
import { inventedName } from './lexicon/words.js';

const splitSeed = 'attention-wasm';
const heldOut = 2000; // English sentences in the test set, and as many for validation

/** Sentences that differ only in case or marks must not be on both sides of a split. */
export const splitKey = (english) =>
  english
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const hash = (text) => createHash('sha256').update(`${splitSeed}:${text}`).digest('hex');

/** Lines of `English<TAB>French`, gzipped or not, as { english, french } pairs, each once. */
export function readPairs(file) {
  const bytes = readFileSync(file);
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const seen = new Set();
  const pairs = [];
  for (const line of (isZipped ? gunzipSync(bytes) : bytes).toString('utf8').split('\n')) {
    const [first, second] = line.split('\t');
    if (!second) continue;
    const pair = { english: cleanEnglish(first), french: cleanFrench(second) };
    const key = `${pair.english}\t${pair.french}`;
    if (!seen.has(key)) pairs.push(pair);
    seen.add(key);
  }
  return pairs;
}

const writtenFolder = new URL('lexicon/sentences/', import.meta.url);

/** The files of the sentences that were written for this project, a theme each. */
export const writtenFiles = () =>
  readdirSync(writtenFolder)
    .sort()
    .map((name) => new URL(name, writtenFolder));

/**
 * { train, validation, test } of pairs, and mayBeLearnt(pair). Which sentences are held out is settled by the first file alone: more
 * data moves none of them, and what further files have of them is left out.
 *
 * @param {string} file
 * @param {string[]} [further] files whose pairs are trained on as well
 * @param {string[]} [kept] English sentences that are never trained on
 * @param {string[]} [unlinked] English nouns that are never trained on in a sentence in which a clause begins with
 *   "it" or "they", or ends with "it" or "them"
 */
export function readCorpus(file, further = [], kept = [], unlinked = []) {
  const pairs = readPairs(file);
  const keys = [...new Set(pairs.map((pair) => splitKey(pair.english)))];
  const order = keys.map((key) => [hash(key), key]).sort(([a], [b]) => (a < b ? -1 : 1));
  const setOf = new Map(order.map(([, key], n) => [key, setAt(n)]));
  const sets = { train: [], validation: [], test: [] };
  for (const pair of pairs) sets[setOf.get(splitKey(pair.english))].push(pair);
  const never = new Set(kept.map(splitKey));
  const nouns = unlinked.map(
    (noun) =>
      `${noun.replace(/(?<=[^aeiou])y$/, '(?:y|ie)').replace(/lf$/, '(?:lf|lve)')}(?:s|es)?`,
  );
  const isUnlinked = new RegExp(
    `\\b(?:${nouns.join('|')})\\b.*\\b(?:it|they|them)\\b|\\b(?:because|since|as|when) (?:it|they)\\b.*\\b(?:${nouns.join('|')})\\b`,
    'i',
  );
  const mayBeLearnt = ({ english }) =>
    (setOf.get(splitKey(english)) ?? 'train') === 'train' &&
    !never.has(splitKey(english)) &&
    !(nouns.length > 0 && isUnlinked.test(english));
  sets.train = sets.train.filter(mayBeLearnt);
  const seen = new Set(sets.train.map(({ english, french }) => `${english}\t${french}`));
  for (const pair of further.flatMap(readPairs)) {
    const key = `${pair.english}\t${pair.french}`;
    if (mayBeLearnt(pair) && !seen.has(key)) sets.train.push(pair);
    seen.add(key);
  }
  return { ...sets, mayBeLearnt };
}

const setAt = (n) => (n < heldOut ? 'test' : n < 2 * heldOut ? 'validation' : 'train');

const contractions = [
  ["I'm", 'I am'],
  ["you're", 'you are'],
  ["we're", 'we are'],
  ["they're", 'they are'],
  ["don't", 'do not'],
  ["doesn't", 'does not'],
  ["didn't", 'did not'],
  ["isn't", 'is not'],
  ["aren't", 'are not'],
  ["wasn't", 'was not'],
  ["haven't", 'have not'],
  ["hasn't", 'has not'],
  ["I've", 'I have'],
  ["I'll", 'I will'],
  ["can't", 'cannot'],
  ["won't", 'will not'],
  ["couldn't", 'could not'],
  ["wouldn't", 'would not'],
];

export const capitalised = (text) => text[0].toUpperCase() + text.slice(1);

/** One contraction written out, or the other way. "Don't you …" cannot be written out word by word. */
function toggleContraction(english) {
  if (english.endsWith('?')) return english;
  for (const [short, long] of contractions) {
    for (const [from, to] of [
      [short, long],
      [capitalised(short), capitalised(long)],
    ]) {
      if (new RegExp(`(^|\\s)${from}(?=\\s)`).test(english))
        return english.replace(new RegExp(`(^|\\s)${from}(?=\\s)`), `$1${to}`);
      if (new RegExp(`(^|\\s)${to}(?=\\s)`).test(english))
        return english.replace(new RegExp(`(^|\\s)${to}(?=\\s)`), `$1${from}`);
    }
  }
  return english;
}

export const startsWithVowel = (word) => /^[aeiouyhàâéèêëîïôöùûü]/i.test(word);
const womenSet = new Set(women);
const menSet = new Set(men);
const replaceWord = (text, from, to) =>
  text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${from}(?![\\p{L}\\p{N}])`, 'gu'), to);

/** The same name on both sides becomes another of its kind; so do numbers. */
function swapNames({ english, french }, random) {
  const frenchWords = new Set(french.match(/\p{L}+/gu));
  if (frenchWords.has('Marie')) frenchWords.add('Mary');
  const names = new Set(
    english.match(/\p{Lu}\p{Ll}+/gu)?.filter((word) => frenchWords.has(word) && isName(word)),
  );
  for (const name of names) {
    const vowelFirst = startsWithVowel(name);
    const kind = womenSet.has(name) ? women : menSet.has(name) ? men : otherNames;
    const candidates = kind.filter((other) => startsWithVowel(other) === vowelFirst);
    const other =
      random() < 0.45 || candidates.length === 0
        ? inventedName(random, vowelFirst)
        : candidates[Math.floor(random() * candidates.length)];
    english = replaceWord(english, name, other);
    french = replaceWord(french, name === 'Mary' ? 'Marie' : name, other);
  }
  return { english, french };
}

const isName = (word) => womenSet.has(word) || menSet.has(word) || otherNames.includes(word);

/** A number that does not begin with 0: mostly of two to four digits, now and then of up to eight. */
export function randomNumber(random) {
  const length = random() < 0.8 ? 2 + Math.floor(random() * 3) : 2 + Math.floor(random() * 7);
  const digit = (least) => String(least + Math.floor(random() * (10 - least)));
  return Array.from({ length }, (_, n) => digit(n === 0 ? 1 : 0)).join('');
}

function swapNumbers({ english, french }, random) {
  for (const number of new Set(english.match(/(?<!\d)\d{2,}(?!\d)/g))) {
    if (!new RegExp(`(?<!\\d)${number}(?!\\d)`).test(french)) continue;
    const other = randomNumber(random);
    english = replaceWord(english, number, other);
    french = replaceWord(french, number, other);
  }
  return { english, french };
}

const finalMarks = /\s*[.!?]+$/;

/** Sentences whose first word is written small inside others too; "I" and names are not. */
function startSmall(pair, smallWords) {
  const [first] = pair.english.match(/^\p{L}+/u) ?? [];
  const [second] = pair.french.match(/^\p{L}+/u) ?? [];
  if (!smallWords.has(first?.toLowerCase()) || !smallWords.has(second?.toLowerCase())) return pair;
  const small = (text) => text[0].toLowerCase() + text.slice(1);
  return { english: small(pair.english), french: small(pair.french) };
}

/** Words that begin with a small letter somewhere. */
export function smallWordsOf(pairs) {
  const words = new Set();
  for (const { english, french } of pairs)
    for (const text of [english, french])
      for (const [word] of text.matchAll(/(?<![\p{L}'])\p{Ll}+/gu)) words.add(word);
  return words;
}

/** The pair as somebody might have typed it; both sides change alike. */
export function retype(pair, random, smallWords) {
  if (random() < 0.08) pair = { ...pair, english: toggleContraction(pair.english) };
  if (random() < 0.03) pair = { ...pair, english: pair.english.replace(/(\w)n't/g, '$1nt') };
  if (random() < 0.12) pair = startSmall(pair, smallWords);
  if (random() < 0.14 && finalMarks.test(pair.english) && finalMarks.test(pair.french)) {
    const [english, french] = [pair.english, pair.french].map((text) =>
      text.replace(finalMarks, ''),
    );
    if (english && french) pair = { english, french };
  }
  return pair;
}

/** With other names and numbers, and as somebody might have typed it. */
export function vary(pair, random, smallWords) {
  if (random() < 0.45) pair = swapNames(pair, random);
  if (random() < 0.7) pair = swapNumbers(pair, random);
  return retype(pair, random, smallWords);
}
