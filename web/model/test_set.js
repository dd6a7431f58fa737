// node web/model/test_set.js FOLDER CORPUS.gz [MORE.gz ...]
// Writes what the scoring scripts read: test.json and validation.json (English sentences with all French references)
// and word_table.json (word pairs of the whole corpus). Files are lines of English<TAB>French, gzipped or not.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { cleanEnglish, cleanFrench } from '../lib/translator/marks.js';
import { cases } from './referent_cases.js';
import { tableOf } from './word_table.js';

const splitSeed = 'attention-wasm';
const heldOut = 2000; // English sentences in the test set, and as many for validation

/** Key of an English sentence: sentences that differ only in case or punctuation are in the same set. */
const splitKey = (english) =>
  english
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const hash = (text) => createHash('sha256').update(`${splitSeed}:${text}`).digest('hex');
const readJson = (file) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'));

/** Distinct { english, french } pairs of a file. */
function readPairs(file) {
  const bytes = readFileSync(file);
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const pairs = new Map();
  for (const line of (isZipped ? gunzipSync(bytes) : bytes).toString('utf8').split('\n')) {
    const [first, second] = line.split('\t');
    if (!second) continue;
    const pair = { english: cleanEnglish(first), french: cleanFrench(second) };
    pairs.set(`${pair.english}\t${pair.french}`, pair);
  }
  return pairs;
}

/** Matches a sentence in which a pronoun may stand for one of `nouns`; training left these sentences out. */
function linkPattern(nouns) {
  const forms = nouns.map(
    (noun) =>
      `${noun.replace(/(?<=[^aeiou])y$/, '(?:y|ie)').replace(/lf$/, '(?:lf|lve)')}(?:s|es)?`,
  );
  const noun = `\\b(?:${forms.join('|')})\\b`;
  return new RegExp(
    `${noun}.*\\b(?:it|they|them)\\b|\\b(?:because|since|as|when) (?:it|they)\\b.*${noun}`,
    'i',
  );
}

/**
 * { train, validation, test }: arrays of pairs. The first file alone decides which sentences are held out, so that
 * further files change neither test nor validation set. `train` has no sentence of the tests of this project.
 */
function splitPairs(file, furtherFiles) {
  const pairs = readPairs(file);
  const keys = [...new Set([...pairs.values()].map(({ english }) => splitKey(english)))];
  const order = keys.map((key) => [hash(key), key]).sort(([a], [b]) => (a < b ? -1 : 1));
  const setAt = (n) => (n < heldOut ? 'test' : n < 2 * heldOut ? 'validation' : 'train');
  const setOf = new Map(order.map(([, key], n) => [key, setAt(n)]));

  const { sentences, showpieces } = readJson('../../tests/vectors/own_sentences.json');
  const { known, unseen, unseenNouns } = readJson('referent_pairs.json');
  const tests = [...sentences, ...showpieces, ...known.flat(), ...unseen.flat(), ...cases];
  const excluded = new Set(tests.map(({ english }) => splitKey(english)));
  const linksNoun = linkPattern(unseenNouns);

  const isTrained = ({ english }) => {
    const key = splitKey(english);
    return (
      (setOf.get(key) ?? 'train') === 'train' && !excluded.has(key) && !linksNoun.test(english)
    );
  };

  const inSet = (set) =>
    [...pairs.values()].filter(({ english }) => setOf.get(splitKey(english)) === set);
  const train = new Map([pairs, ...furtherFiles.map(readPairs)].flatMap((map) => [...map]));
  return {
    train: [...train.values()].filter(isTrained),
    validation: inSet('validation'),
    test: inSet('test'),
  };
}

/** Each English sentence with all its French renderings. */
function references(pairs) {
  const renderings = new Map();
  for (const { english, french } of pairs)
    renderings.set(english, [...(renderings.get(english) ?? []), french]);
  return Array.from(renderings, ([english, french]) => ({ english, french }));
}

const [folder, file, ...furtherFiles] = process.argv.slice(2);
if (!file) throw new Error('usage: node web/model/test_set.js FOLDER CORPUS.gz [MORE.gz ...]');
mkdirSync(folder, { recursive: true });
const write = (name, content) => writeFileSync(path.join(folder, name), JSON.stringify(content));
const { train, validation, test } = splitPairs(file, furtherFiles);
write('validation.json', references(validation));
write('test.json', references(test));
write('word_table.json', tableOf([...train, ...validation, ...test]));
for (const [name, pairs] of Object.entries({ train, validation, test }))
  console.log(`${name}: ${pairs.length} pairs`);
