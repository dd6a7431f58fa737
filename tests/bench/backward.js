// Time of attentionBackward() beside attention(), in turns, on one thread: at most 3 times as long, since it has five
// products where the call itself has two.
//   node tests/bench/backward.js [--rounds 30]
import { parseArgs } from 'node:util';
import { loadAttention } from '../../web/built/index.js';
import { loadTraining } from '../../web/built/training.js';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '30' } } });
const { attention } = await loadAttention();
const { attentionBackward } = await loadTraining();

const shapes = [
  [8, 512, 64],
  [12, 1024, 64],
];
const kinds = { full: {}, causal: { causal: true } };

let state = 1;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 31 - 1;
};
const tensorOf = (dims) => ({
  data: Float32Array.from({ length: dims.reduce((a, b) => a * b) }, random),
  dims,
});

function timed(times, work) {
  const start = performance.now();
  const result = work();
  times.push(performance.now() - start);
  return result;
}

const quantile = (times, part) => times.toSorted((a, b) => a - b)[Math.floor(times.length * part)];

console.log('| shape | forward, ms | backward, ms | ratio of minima | of medians |');
console.log('| --- | ---: | ---: | ---: | ---: |');
for (const dims of shapes) {
  for (const [kind, options] of Object.entries(kinds)) {
    const [query, key, value, gradient] = Array.from({ length: 4 }, () => tensorOf([1, ...dims]));
    const [forward, backward] = [[], []];
    for (let round = 0; round < Number(values.rounds); round++) {
      const all = { ...options, logSumExp: true };
      const result = timed(forward, () => attention(query, key, value, all));
      timed(backward, () => attentionBackward(query, key, value, result, gradient, options));
    }
    const ratio = (part) => (quantile(backward, part) / quantile(forward, part)).toFixed(2);
    const [a, b] = [forward, backward].map((times) => quantile(times, 0).toFixed(2));
    console.log(`| ${dims.join('×')} ${kind} | ${a} | ${b} | ${ratio(0)} | ${ratio(0.5)} |`);
  }
}
