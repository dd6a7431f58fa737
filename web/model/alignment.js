// node web/model/alignment.js DATA
// Share of words whose largest cross-attention weight, merged to words, is at the right source word: for names and
// numbers spelled alike in both languages, and for content words with one certain rendering in word_table.json. For
// each layer, each head and the mean of the heads. DATA: the folder that test_set.js wrote.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { mergeWords } from 'attention-wasm/translator';
import { loadShipped } from './shipped.js';

const { values, positionals } = parseArgs({
  options: { weights: { type: 'string' } },
  allowPositionals: true,
});
if (positionals.length !== 1) throw new Error('usage: node web/model/alignment.js DATA');
const read = (name) => JSON.parse(readFileSync(path.join(positionals[0], name), 'utf8'));
const sentences = read('test.json');
const table = read('word_table.json');
const { translator } = await loadShipped(values.weights);

/** What the words of a text spell. */
function wordsOf({ tokens }) {
  const words = [];
  for (const { word, text } of tokens) words[word] = (words[word] ?? '') + text;
  return words;
}

/** The only place of something in a list, or -1. */
function onlyPlace(list, isIt) {
  const first = list.findIndex(isIt);
  return first >= 0 && list.findLastIndex(isIt) === first ? first : -1;
}

/** Rows and columns that belong together: { names, words }, of one target and its source. */
function links(source, target) {
  const [from, to] = [wordsOf(source), wordsOf(target)];
  const names = [];
  const words = [];
  from.forEach((english, column) => {
    const isName = /^(\p{Lu}\p{L}+|\p{N}+)$/u.test(english);
    const row = onlyPlace(to, (word) => word === english);
    if (isName && row >= 0 && onlyPlace(from, (word) => word === english) === column)
      names.push({ row, column });
    const renderings = table[english.toLowerCase()]?.sure;
    if (!renderings || onlyPlace(from, (word) => word.toLowerCase() === english.toLowerCase()) < 0)
      return;
    const rendered = onlyPlace(to, (word) => renderings.includes(word.toLowerCase()));
    if (rendered < 0) return;
    const others = from.filter((word) =>
      table[word.toLowerCase()]?.sure.includes(to[rendered].toLowerCase()),
    );
    if (others.length === 1) words.push({ row: rendered, column });
  });
  return { names, words };
}

const right = { names: new Map(), words: new Map() };
const count = { names: 0, words: 0 };
for (const { english, french } of sentences) {
  const { source, target, attention } = translator.translate(english, { target: french[0] });
  const merged = attention.cross.map((weights) =>
    mergeWords(weights, target.tokens, source.tokens),
  );
  for (const [kind, list] of Object.entries(links(source, target))) {
    for (const { row, column } of list) {
      count[kind]++;
      merged.forEach(({ data, dims: [heads, rows, columns] }, layer) => {
        const mean = new Float32Array(columns);
        const note = (what, numbers) => {
          const key = `layer ${layer + 1}, ${what}`;
          const isRight = numbers.indexOf(Math.max(...numbers)) === column;
          right[kind].set(key, (right[kind].get(key) ?? 0) + Number(isRight));
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
}
for (const kind of ['names', 'words']) {
  console.log(`${count[kind]} ${kind === 'names' ? 'names and numbers' : 'content words'}`);
  for (const [key, found] of [...right[kind]].sort()) {
    console.log(`  ${key}: ${((100 * found) / count[kind]).toFixed(1)} %`);
  }
}
