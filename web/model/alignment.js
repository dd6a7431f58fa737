// node web/model/alignment.js TEST.json
// How often cross-attention, merged to words, is largest at the right word: for names and numbers, which
// stand on both sides spelt alike. Of each layer, of the mean of its heads and of each head.
import { readFileSync } from 'node:fs';
import { loadTranslator, mergeWords } from 'attention-wasm/translator';

const [testFile] = process.argv.slice(2);
if (!testFile) throw new Error('usage: node web/model/alignment.js TEST.json');
const sentences = JSON.parse(readFileSync(testFile, 'utf8'));
const translator = await loadTranslator();

/** Words that are names or numbers, each with where it stands, if it stands there once. */
function namesIn({ tokens }) {
  const words = [];
  for (const { word, text } of tokens) words[word] = (words[word] ?? '') + text;
  const places = new Map();
  words.forEach((text, at) => {
    if (!/^(\p{Lu}\p{L}+|\p{N}+)$/u.test(text)) return;
    places.set(text, places.has(text) ? -1 : at);
  });
  return places;
}

const right = new Map();
let count = 0;
for (const { english, french } of sentences) {
  const { source, target, attention } = translator.translate(english, { target: french[0] });
  const here = namesIn(source);
  for (const [name, row] of namesIn(target)) {
    const column = here.get(name);
    if (!(column >= 0 && row >= 0)) continue;
    count++;
    attention.cross.forEach((weights, layer) => {
      const { data, dims } = mergeWords(weights, target.tokens, source.tokens);
      const [heads, rows, columns] = dims;
      const mean = new Float32Array(columns);
      const note = (what, numbers) => {
        const best = numbers.indexOf(Math.max(...numbers));
        const key = `layer ${layer + 1}, ${what}`;
        right.set(key, (right.get(key) ?? 0) + (best === column ? 1 : 0));
      };
      for (let head = 0; head < heads; head++) {
        const start = (head * rows + row) * columns;
        const numbers = [...data.subarray(start, start + columns)];
        numbers.forEach((weight, at) => (mean[at] += weight));
        note(`head ${head + 1}`, numbers);
      }
      note('mean of the heads', [...mean]);
    });
  }
}
console.log(`${count} names and numbers`);
for (const [key, found] of [...right].sort()) {
  console.log(`${key}: ${((100 * found) / count).toFixed(1)} %`);
}
