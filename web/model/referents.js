// node web/model/referents.js
// Whether a head of the encoder links "it" with what it stands for rather than with another noun: for each head
// the share of sentences in which "it" looks more at the right one (or the right one at "it"). Chance is a half.
// Sentences come in pairs that differ in a word or two and swap the right noun, so that place alone does not help.
import { parseArgs } from 'node:util';
import { mergeWords } from 'attention-wasm/translator';
import { cases } from './referent_cases.js';
import { loadShipped } from './shipped.js';

const { values } = parseArgs({ options: { weights: { type: 'string' } } });
const { translator } = await loadShipped(values.weights);
const right = new Map();
for (const { english, referent, other } of cases) {
  const { source, attention } = translator.encode(english);
  const words = [];
  for (const { word, text } of source.tokens) words[word] = (words[word] ?? '') + text;
  const [it, wanted, unwanted] = ['it', referent, other].map((word) => words.indexOf(word));
  attention.encoder.forEach((weights, layer) => {
    const { data, dims } = mergeWords(weights, source.tokens, source.tokens);
    const [heads, rows, columns] = dims;
    for (let head = 0; head < heads; head++) {
      const at = (row, column) => data[(head * rows + row) * columns + column];
      for (const [way, isRight] of [
        ['from "it"', at(it, wanted) > at(it, unwanted)],
        ['to "it"', at(wanted, it) > at(unwanted, it)],
      ]) {
        const key = `layer ${layer + 1}, head ${head + 1}, ${way}`;
        right.set(key, (right.get(key) ?? 0) + Number(isRight));
      }
    }
  });
}
console.log(`${cases.length} sentences`);
for (const [key, found] of [...right].sort((a, b) => b[1] - a[1]))
  console.log(`${key}: ${found} (${((100 * found) / cases.length).toFixed(0)} %)`);
