// Layers of width 768 whose weights are kept as float32, float16, bfloat16 and int8, for one row (a step of decoding,
// which only reads weights) and more: times as ratios to float32. The layers take turns, and there are so many of each
// that they do not stay in a core's own cache; the least of all calls and their median.
//
//   node tests/bench/narrow_weights.js [OTHER/index.js]      and those of another build, float32, beside them
import { pathToFileURL } from 'node:url';
import { asBfloat16, asFloat16, asInt8 } from '../support/js/narrowed.js';
import { normalTensor, seeded } from '../support/js/random_tensors.js';

const width = 768;
const layers = 24;
const random = seeded('narrow weights');

const { Linear, memoryBytes } = await (await import('../../web/built/index.js')).loadAttention();
const weight = normalTensor(random, [width, width], width ** -0.5);
const made = (Class, tensor) =>
  Array.from({ length: layers }, () => Class.fromTorch({ weight: tensor }));

const kinds = {};
const megabytes = {};
for (const [type, tensor] of Object.entries({
  float32: weight,
  float16: asFloat16(weight),
  bfloat16: asBfloat16(weight),
  int8: asInt8(weight),
})) {
  const before = memoryBytes();
  kinds[type] = made(Linear, tensor);
  megabytes[type] = (memoryBytes() - before) / 2 ** 20;
}
if (process.argv[2] !== undefined) {
  const other = await (await import(pathToFileURL(process.argv[2]))).loadAttention();
  kinds['the other build'] = made(other.Linear, weight);
}

for (const [rows, rounds] of [
  [1, 30],
  [2, 20],
  [4, 20],
  [16, 10],
  [128, 3],
]) {
  const x = normalTensor(random, [rows, width]);
  const times = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [kind, maps] of Object.entries(kinds)) {
      for (const map of maps) {
        const start = performance.now();
        map.forward(x);
        times[kind].push(performance.now() - start);
      }
    }
  }
  console.log(`${rows} × ${width} to ${width}`);
  const sorted = Object.fromEntries(
    Object.entries(times).map(([kind, list]) => [kind, list.sort((a, b) => a - b)]),
  );
  const median = (list) => list[Math.floor(list.length / 2)];
  for (const [kind, list] of Object.entries(sorted)) {
    const least = list[0] / sorted.float32[0];
    const usual = median(list) / median(sorted.float32);
    console.log(
      `  ${kind.padEnd(16)} ${(list[0] * 1000).toFixed(0).padStart(6)} µs   ${least.toFixed(2)}, median ${usual.toFixed(2)}`,
    );
  }
}
console.log(
  `memory of ${layers} layers: ${Object.entries(megabytes)
    .map(([type, size]) => `${type} ${size.toFixed(1)} MiB`)
    .join(', ')}`,
);
