// node web/model/score.js TEST.json [--beam N]
// BLEU and perplexity of the translator that ships on sentences it has not seen, computed by this library.
// TEST.json: [{ english, french: [renderings] }] as prepare.js writes it.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadTranslator } from 'attention-wasm/translator';
import { corpusBleu } from './bleu.js';

const { values, positionals } = parseArgs({
  options: { beam: { type: 'string', default: '1' } },
  allowPositionals: true,
});
if (positionals.length !== 1)
  throw new Error('usage: node web/model/score.js TEST.json [--beam N]');

const sentences = JSON.parse(readFileSync(positionals[0], 'utf8'));
const translator = await loadTranslator();
const plain = { attention: false };

const translations = sentences.map(
  ({ english }) => translator.translate(english, { ...plain, beam: Number(values.beam) }).text,
);
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
console.log(
  `${sentences.length} sentences, beam ${values.beam}: BLEU ${bleu.toFixed(2)}, perplexity ${Math.exp(total / tokens).toFixed(3)} per token`,
);
