// node web/model/write_fixtures.js TEST.json
// Writes the fixtures of the translator's tests: a sample of the test set, and PyTorch's activations for four
// sentence pairs (activations.py).
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { BytePairTokenizer } from '../lib/translator/byte_pair_tokenizer.js';
import { cleanEnglish, cleanFrench } from '../lib/translator/normalize_text.js';

const sampleSize = 200;

const [testFile] = process.argv.slice(2);
if (!testFile) throw new Error('usage: node web/model/write_fixtures.js TEST.json');
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const fixture = (name) => here(`../../tests/vectors/${name}`);

const sentences = JSON.parse(readFileSync(testFile, 'utf8'));
const every = Math.floor(sentences.length / sampleSize);
const sample = sentences.filter((_, n) => n % every === 0).slice(0, sampleSize);
writeFileSync(
  fixture('held_out.json'),
  `${JSON.stringify(
    {
      source:
        'Sentence pairs: Tatoeba (tatoeba.org) and www.manythings.org/anki, CC BY 2.0 FR. A sample of the test set.',
      sentences: sample,
    },
    null,
    1,
  )}\n`,
);

const pairs = [
  [
    'The pink elephant tried to get into the car.',
    "L'éléphant rose a essayé d'entrer dans la voiture.",
  ],
  ['Zuko made his uncle tea', 'Zuko a préparé du thé à son oncle'],
  ['I have 27 black cats 🐈.', "J'ai 27 chats noirs 🐈."],
  ['Go!', 'Va !'],
];
const description = JSON.parse(readFileSync(here('tokenizer.json'), 'utf8'));
const tokenizer = new BytePairTokenizer(description);
const ids = (text) => tokenizer.encodePlain(text);
const tokens = pairs.map(([english, french]) => ({
  english,
  french,
  source: ids(cleanEnglish(english)),
  target: ids(cleanFrench(french)),
}));
const tokensFile = path.join(tmpdir(), `attention-wasm-tokens-${process.pid}.json`);
writeFileSync(tokensFile, JSON.stringify(tokens));
execFileSync(
  '/usr/bin/python3',
  [
    here('activations.py'),
    here('english_french.safetensors'),
    tokensFile,
    fixture('translator.json'),
  ],
  { stdio: 'inherit' },
);
