// node web/model/prepare.js CORPUS.gz FOLDER
// Cleans and splits the sentence pairs, learns the vocabulary, and writes what train.py reads: token ids
// of the training pairs in several variants, and of the validation pairs as they are.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createTokenizer, learnBytePairs } from './byte_pairs.js';
import { randomNumbers, readCorpus, smallWordsOf, vary } from './corpus.js';

const vocabularySize = 4096;
const variants = 8;
const longest = 60; // tokens; longer pairs are left out of training

const [corpusFile, folder] = process.argv.slice(2);
if (!folder) throw new Error('usage: node web/model/prepare.js CORPUS.gz FOLDER');
mkdirSync(folder, { recursive: true });
const write = (name, content) => writeFileSync(path.join(folder, name), content);

const { train, validation, test } = readCorpus(corpusFile);
const smallWords = smallWordsOf(train);

const both = (pairs) => pairs.flatMap(({ english, french }) => [english, french]);
const random = randomNumbers(1);
const varied = Array.from({ length: variants }, (_, n) =>
  n === 0 ? train : train.map((pair) => vary(pair, random, smallWords)),
);
const description = learnBytePairs(both([...train, ...varied[1]]), { size: vocabularySize });
write('tokenizer.json', `${JSON.stringify(description)}\n`);

const tokenizer = createTokenizer(description);
const cache = new Map();
function encode(text) {
  if (!cache.has(text)) cache.set(text, tokenizer.encode(text, { add_special_tokens: false }).ids);
  return cache.get(text);
}

/** Per pair: both lengths, then the ids of both; 16 bits each. */
function writePairs(name, pairs) {
  const numbers = [];
  for (const { english, french } of pairs) {
    const [source, target] = [encode(english), encode(french)];
    if (source.length > longest || target.length > longest) continue;
    numbers.push(source.length, target.length, ...source, ...target);
  }
  write(name, Uint16Array.from(numbers));
}

varied.forEach((pairs, n) => writePairs(`train_${n}.bin`, pairs));
writePairs('validation.bin', validation);

/** Each English sentence with all its French renderings. */
function references(pairs) {
  const renderings = new Map();
  for (const { english, french } of pairs) {
    if (!renderings.has(english)) renderings.set(english, []);
    renderings.get(english).push(french);
  }
  return Array.from(renderings, ([english, french]) => ({ english, french }));
}
write('validation.json', JSON.stringify(references(validation)));
write('test.json', JSON.stringify(references(test)));
for (const [name, pairs] of Object.entries({ train, validation, test }))
  console.log(`${name}: ${pairs.length} pairs`);
