// node web/model/prepare.js FOLDER CORPUS.gz [MORE.gz ...] [--tokenizer FILE] [--epochs N] [--composed SHARE]
// Cleans and splits the sentence pairs and writes what train.py reads: token ids of the training pairs, varied
// and with composed pairs among them anew for each epoch, and of the validation pairs as they are. Learns a
// vocabulary unless it is given one. The sentences of lexicon/sentences are in every epoch several times.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { learnBytePairs } from './byte_pairs.js';
import { composePair } from './compose.js';
import { readCorpus, readPairs, retype, smallWordsOf, vary, writtenFiles } from './corpus.js';
import { randomNumbers } from '../lib/models/random_numbers.js';
import { cases as referentCases } from './referent_cases.js';
import { createSegmenter } from './segment.js';
import { tableOf } from './word_table.js';

const vocabularySize = 4096;
const longest = 60; // tokens; longer pairs are left out of training
const asIs = 0.15; // share of the pairs that stay as they are in the corpus
const repeated = 2; // times that the sentences written for this project are read in an epoch
const cutOtherwise = 0.04; // share of the English words that are cut into other tokens

const { values, positionals } = parseArgs({
  options: {
    tokenizer: { type: 'string' },
    epochs: { type: 'string', default: '20' },
    composed: { type: 'string', default: '0.15' },
    first: { type: 'string', default: '0' },
  },
  allowPositionals: true,
});
const [folder, corpusFile, ...further] = positionals;
if (!corpusFile) throw new Error('usage: node web/model/prepare.js FOLDER CORPUS.gz [MORE.gz ...]');
mkdirSync(folder, { recursive: true });
const write = (name, content) => writeFileSync(path.join(folder, name), content);

const ownFile = new URL('../../tests/vectors/own_sentences.json', import.meta.url);
const { sentences, showpieces } = JSON.parse(readFileSync(ownFile, 'utf8'));
const pairsFile = new URL('referent_pairs.json', import.meta.url);
const { known, unseen, unseenNouns } = JSON.parse(readFileSync(pairsFile, 'utf8'));
const own = [...sentences, ...showpieces, ...known.flat(), ...unseen.flat(), ...referentCases].map(
  ({ english }) => english,
);
const { train, validation, test, mayBeLearnt } = readCorpus(corpusFile, further, own, unseenNouns);
const written = writtenFiles().flatMap(readPairs).filter(mayBeLearnt);
const smallWords = smallWordsOf([...train, ...written]);
const both = (pairs) => pairs.flatMap(({ english, french }) => [english, french]);
const description = values.tokenizer
  ? JSON.parse(readFileSync(values.tokenizer, 'utf8'))
  : learnBytePairs(both(train), { size: vocabularySize });
write('tokenizer.json', `${JSON.stringify(description)}\n`);
const segment = createSegmenter(description);

/** Positions of the ids of a pronoun and of the noun it stands for, where each is there once: [it, from, to]. */
function positionsOf(link, words, length) {
  const spans = words.map(([word, from], n) => [
    word.toLowerCase(),
    from,
    words[n + 1]?.[1] ?? length,
  ]);
  const [pronouns, nouns] = [link.pronoun, link.noun].map((text) =>
    spans.filter(([word]) => word === text.toLowerCase()),
  );
  if (pronouns.length !== 1 || nouns.length !== 1) return null;
  return [pronouns[0][1], nouns[0][1], nouns[0][2]];
}

/**
 * Per pair: both lengths, then the ids of both; 16 bits each. Beside them, as links_NAME: the number of a pair, and
 * where its pronoun and the noun that it stands for are; 32 bits each.
 */
function writePairs(name, pairs, random, share) {
  const numbers = [];
  const links = [];
  let count = 0;
  for (const { english, french, link } of pairs) {
    const words = [];
    const source = segment(english, random, share, link && ((...word) => words.push(word)));
    const target = segment(french);
    if (source.length > longest || target.length > longest) continue;
    numbers.push(source.length, target.length, ...source, ...target);
    const positions = link && positionsOf(link, words, source.length);
    if (positions) links.push(count, ...positions);
    count++;
  }
  write(name, Uint16Array.from(numbers));
  if (links.length > 0) write(`links_${name}`, Uint32Array.from(links));
}

writePairs('validation.bin', validation);
const composed = Math.round(train.length * Number(values.composed));
for (let n = Number(values.first); n < Number(values.epochs); n++) {
  const random = randomNumbers(1000 + n);
  const pairs = train.map((pair) => (random() < asIs ? pair : vary(pair, random, smallWords)));
  for (let m = 0; m < repeated; m++)
    for (const pair of written) pairs.push(m === 0 ? pair : vary(pair, random, smallWords));
  for (let m = 0; m < composed; m++) {
    const { french } = train[Math.floor(random() * train.length)];
    const pair = composePair(random, french);
    if (mayBeLearnt(pair)) pairs.push({ ...retype(pair, random, smallWords), link: pair.link });
  }
  writePairs(`train_${n}.bin`, pairs, random, cutOtherwise);
}

/** Each English sentence with all its French renderings. */
function references(pairs) {
  const renderings = new Map();
  for (const { english, french } of pairs) {
    if (!renderings.has(english)) renderings.set(english, []);
    renderings.get(english).push(french);
  }
  return Array.from(renderings, ([english, french]) => ({ english, french }));
}
write('train.json', JSON.stringify(train));
write('validation.json', JSON.stringify(references(validation)));
write('test.json', JSON.stringify(references(test)));
// For measuring what a translation leaves out, of held-out words too.
if (Number(values.first) === 0)
  write('word_table.json', JSON.stringify(tableOf([...train, ...validation, ...test])));
for (const [name, pairs] of Object.entries({ train, validation, test }))
  console.log(`${name}: ${pairs.length} pairs`);
