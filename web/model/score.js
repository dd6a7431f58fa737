// node web/model/score.js DATA [--beam N]
// Scores the shipped model on its test set: BLEU, perplexity, and content words that every reference renders and the
// translation does not. DATA: the folder that test_set.js wrote. --save FILE writes the translations as JSON.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { corpusBleu } from './bleu.js';
import { loadShipped } from './shipped.js';
import { renderedWords } from './word_table.js';

const { values, positionals } = parseArgs({
  options: {
    beam: { type: 'string', default: '1' },
    weights: { type: 'string' },
    save: { type: 'string' },
  },
  allowPositionals: true,
});
if (positionals.length !== 1) throw new Error('usage: node web/model/score.js DATA [--beam N]');
const [folder] = positionals;
const read = (name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8'));

const sentences = read('test.json');
const table = read('word_table.json');
const { translator } = await loadShipped(values.weights);
const plain = { attention: false };

const translations = sentences.map(
  ({ english }) => translator.translate(english, { ...plain, beam: Number(values.beam) }).text,
);
if (values.save) writeFileSync(values.save, JSON.stringify(translations));
const bleu = corpusBleu(
  translations,
  sentences.map(({ french }) => french),
);

let total = 0;
let tokens = 0;
for (const { english, french } of sentences) {
  for (const target of french) {
    const { logProbabilities } = translator.translate(english, { ...plain, target });
    for (const logProbability of logProbabilities) total -= logProbability;
    tokens += logProbabilities.length;
  }
}

const words = sentences.map(({ english, french }, n) =>
  renderedWords(table, english, french, translations[n]),
);
const lost = words.flat().filter(({ isRendered }) => !isRendered);
const incomplete = words.filter((list) => list.some(({ isRendered }) => !isRendered));
const short = sentences.filter(
  ({ french }, n) =>
    translations[n].length < 0.75 * Math.min(...french.map(({ length }) => length)),
);
const percent = (part, whole) => `${((100 * part) / whole).toFixed(1)} %`;
console.log(
  `${sentences.length} sentences, beam ${values.beam}: BLEU ${bleu.toFixed(2)}, perplexity ${Math.exp(total / tokens).toFixed(3)} per token\n` +
    `content words not rendered: ${lost.length} of ${words.flat().length}, ${percent(lost.length, words.flat().length)}, in ${percent(incomplete.length, sentences.length)} of the sentences\n` +
    `shorter than three quarters of the shortest reference: ${percent(short.length, sentences.length)}`,
);
