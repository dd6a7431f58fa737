// How the time of linear attention grows with the length: 16 times the tokens, over 16 times the time.
// Lengths take turns in one process, so that whatever else the machine does befalls them alike.
//
//   node tests/bench/linear_attention.js
import { loadAttention } from '../../web/built/index.js';

const lengths = [1024, 4096, 16384, 65536];
const times = 16;
const rounds = 12;
const dim = 64;

const { attention, linearAttention } = await loadAttention();
const tensor = (length) => ({
  data: Float32Array.from({ length: length * dim }, () => Math.random() - 0.5),
  dims: [length, dim],
});
const ways = {
  elu: (x) => linearAttention(x, x, x),
  'elu, causal': (x) => linearAttention(x, x, x, { causal: true }),
  efficient: (x) => linearAttention(x, x, x, { featureMap: 'efficient' }),
  softmax: (x) => x.dims[0] <= 4096 && attention(x, x, x),
};

const inputs = lengths.map(tensor);
const best = Object.fromEntries(
  Object.keys(ways).map((name) => [name, lengths.map(() => Infinity)]),
);
for (let round = 0; round < rounds; round++) {
  for (const [name, run] of Object.entries(ways)) {
    inputs.forEach((x, at) => {
      const start = performance.now();
      if (run(x)) best[name][at] = Math.min(best[name][at], performance.now() - start);
    });
  }
}

console.log(`one head of ${dim}, min of ${rounds} runs, ms`);
for (const [name, found] of Object.entries(best)) {
  const shown = found.map((ms) => (ms < Infinity ? ms.toFixed(2) : '-').padStart(9)).join('');
  const growth = lengths.flatMap((length, at) => {
    const later = lengths.indexOf(length * times);
    return found[later] < Infinity ? [`${(found[later] / found[at]).toFixed(1)}×`] : [];
  });
  const told = growth.length > 0 ? `   ${times} × the tokens: ${growth.join(', ')}` : '';
  console.log(`${name.padEnd(12)}${shown}${told}`);
}
console.log(
  `${' '.repeat(12)}${lengths.map((length) => String(length).padStart(9)).join('')} tokens`,
);
