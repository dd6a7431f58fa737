// node web/model/referents.js
// Whether a head of the encoder links "it" with what it stands for rather than with another noun: for each head
// the share of sentences in which "it" looks more at the right one (or the right one at "it"). Chance is a half.
// Sentences come in pairs that differ in a word or two and swap the right noun, so that place alone does not help.
import { parseArgs } from 'node:util';
import { mergeWords } from 'attention-wasm/translator';
import { loadShipped } from './shipped.js';

// Sentence, what "it" stands for, the other noun.
const cases = [
  ['The dog chased the ball until it was tired.', 'dog', 'ball'],
  ['The dog chased the ball until it stopped rolling.', 'ball', 'dog'],
  ['The table does not fit in the room because it is too long.', 'table', 'room'],
  ['The table does not fit in the room because it is too small.', 'room', 'table'],
  ['I put the milk into the bottle until it was full.', 'bottle', 'milk'],
  ['I put the milk into the bottle because it was still fresh.', 'milk', 'bottle'],
  ['The cat did not eat the fish because it was not hungry.', 'cat', 'fish'],
  ['The cat did not eat the fish because it was rotten.', 'fish', 'cat'],
  ['The horse did not drink the water because it was sick.', 'horse', 'water'],
  ['The horse did not drink the water because it was dirty.', 'water', 'horse'],
  ['The lion saw the house and it roared.', 'lion', 'house'],
  ['The lion saw the house and it was burning.', 'house', 'lion'],
  ['The bird left the tree because it wanted to fly.', 'bird', 'tree'],
  ['The bird left the tree because it had no leaves.', 'tree', 'bird'],
  ['The cow did not cross the street because it was asleep.', 'cow', 'street'],
  ['The cow did not cross the street because it was too wide.', 'street', 'cow'],
  ['The elephant broke the chair because it was heavy.', 'elephant', 'chair'],
  ['The elephant broke the chair because it was made of glass.', 'chair', 'elephant'],
  ['The monkey threw the banana because it was angry.', 'monkey', 'banana'],
  ['The monkey threw the banana because it was not ripe.', 'banana', 'monkey'],
  ['The car hit the wall because it was too fast.', 'car', 'wall'],
  ['The car hit the wall but it did not fall down.', 'wall', 'car'],
  ['The mouse ran into the box because it was afraid.', 'mouse', 'box'],
  ['The mouse ran into the box because it was open.', 'box', 'mouse'],
];

const { values } = parseArgs({ options: { weights: { type: 'string' } } });
const { translator } = await loadShipped(values.weights);
const right = new Map();
for (const [english, referent, other] of cases) {
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
