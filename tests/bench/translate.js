// How long a sentence of ten words takes to translate:   node translate.js
import { loadTranslator } from '../../web/built/translator.node.js';

const sentence = 'The old man walks to the station with his small dog.';
const started = performance.now();
const translator = await loadTranslator();
console.log(`load: ${(performance.now() - started).toFixed(0)} ms`);

const settings = [1, 4].map((beam) => ({ beam, times: [] }));
for (let n = 0; n < 30; n++) {
  for (const { beam, times } of settings) {
    const before = performance.now();
    translator.translate(sentence, { beam });
    times.push(performance.now() - before);
  }
}
for (const { beam, times } of settings) {
  const [first] = times;
  times.sort((a, b) => a - b);
  const { source, target, text } = translator.translate(sentence, { beam });
  console.log(
    `beam ${beam}: first ${first.toFixed(1)} ms, min ${times[0].toFixed(1)}, median ${times[times.length >> 1].toFixed(1)}; ` +
      `${source.tokens.length} tokens to ${target.tokens.length}: ${text}`,
  );
}
