// Times translations of sentences of about 10, 30, 60 and 100 words; optionally in turns with another build:
//   node translate.js [a folder like web/built]
import { pathToFileURL } from 'node:url';

const ten = 'The old man walks to the station with his small dog';
const further = [
  'and the young woman reads a long book in the garden',
  'while the children play with a red ball near the river',
  'because the teacher wants to buy some bread for the dinner',
  'but my brother never eats meat when he is at home',
  'and the doctor says that the water is too cold today',
  'so the farmer sells three horses to his old friend',
  'and the soldiers sing a sad song under the big tree',
  'before the train leaves the town at seven in the morning',
  'and nobody knows where the little girl has put the key',
];
const sentences = [1, 3, 6, 9].map(
  (parts) => `${[ten, ...further.slice(0, parts - 1)].join(' ')}.`,
);

const rounds = 20;
const here = new URL('../../web/built/', import.meta.url);
const folders = [here, ...process.argv.slice(2).map((path) => pathToFileURL(`${path}/`))];

async function load(folder) {
  const started = performance.now();
  const { loadTranslator } = await import(new URL('translator.node.js', folder));
  const translator = await loadTranslator();
  console.log(`load: ${(performance.now() - started).toFixed(0)} ms`);
  return translator;
}

const translators = [];
for (const folder of folders) translators.push(await load(folder));

function timed(translator, sentence, beam) {
  const before = performance.now();
  const result = translator.translate(sentence, { beam });
  return { ...result, time: performance.now() - before };
}

for (const sentence of sentences) {
  for (const beam of [1, 4]) {
    const times = translators.map(() => []);
    const texts = [];
    for (let n = 0; n < rounds; n++) {
      translators.forEach((translator, which) => {
        const { time, text } = timed(translator, sentence, beam);
        times[which].push(time);
        texts[which] = text;
      });
    }
    const { source, target } = timed(translators[0], sentence, beam);
    const told = times.map((list) => {
      list.sort((a, b) => a - b);
      return `min ${list[0].toFixed(1)}, median ${list[rounds >> 1].toFixed(1)} ms`;
    });
    const isSame = texts.every((text) => text === texts[0]) ? '' : '; not the same text';
    const words = sentence.split(' ').length;
    console.log(
      `${words} words, beam ${beam}: ${told.join(' | ')}; ${source.tokens.length} tokens to ${target.tokens.length}${isSame}`,
    );
  }
}
