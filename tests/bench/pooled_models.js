// Models on a pool of two workers beside the same models in one thread, which take turns: BERT-base's shape at several
// lengths, and GPT-2 small's token by token, in float32 and int8. Minimum and median of all times, and their ratio.
//
//   node tests/bench/pooled_models.js [bert] [gpt2]
import { loadAttentionPool } from '../../web/built/pool.node.js';
import { loadModel } from '../../web/built/models.node.js';
import { bert, gpt2, seededTensors } from './model_shapes.js';

const rounds = 8;
const lengths = [8, 32, 128];
const prompt = Array.from({ length: 16 }, (_, n) => (n * 7919) % 50_257);
const written = 24; // generated tokens of GPT-2

const sorted = (times) => times.toSorted((a, b) => a - b);
const minimum = (times) => sorted(times)[0];
const median = (times) => sorted(times)[times.length >> 1];

function print(name, one, two) {
  const times = (list) => `${minimum(list).toFixed(1)} ms (median ${median(list).toFixed(1)})`;
  const ratio = (of) => (of(one) / of(two)).toFixed(2);
  console.log(
    `  ${name.padEnd(24)} one thread ${times(one)}, two workers ${times(two)}: ` +
      `${ratio(minimum)}× (median ${ratio(median)}×)`,
  );
}

async function timed(times, compute) {
  const start = performance.now();
  const result = await compute();
  times.push(performance.now() - start);
  return result;
}

function assertSame(one, two) {
  if (Buffer.compare(Buffer.from(one.buffer), Buffer.from(two.buffer)) !== 0) {
    throw new Error('the results have other bits');
  }
}

async function compareBert(name, one, two) {
  for (const length of lengths) {
    const ids = Array.from({ length }, (_, n) => (n * 7919) % 30_522);
    const times = [[], []];
    for (let round = 0; round < rounds; round++) {
      const a = await timed(times[0], () => one.run({ ids }));
      const b = await timed(times[1], () => two.run({ ids }));
      assertSame(a.hidden.data, b.hidden.data);
    }
    print(`${name}, ${length} tokens`, ...times);
  }
}

/** The tokens of a model; the first, which includes the prompt, is not timed. */
async function tokensOf(model, times) {
  const ids = [];
  let start;
  for await (const { id } of model.generate({ ids: prompt }, { maxTokens: written })) {
    if (start !== undefined) times.push(performance.now() - start);
    ids.push(id);
    start = performance.now();
  }
  return Int32Array.from(ids);
}

async function compareGpt2(name, one, two) {
  const times = [[], []];
  for (let round = 0; round < rounds / 2; round++) {
    assertSame(await tokensOf(one, times[0]), await tokensOf(two, times[1]));
  }
  print(`${name}, a token`, ...times);
}

const shapes = { bert: [bert, compareBert], gpt2: [gpt2, compareGpt2] };
const requested = process.argv.slice(2);
const pool = await loadAttentionPool({ workers: 2 });
for (const [name, [shape, compare]] of Object.entries(shapes)) {
  if (requested.length > 0 && !requested.includes(name)) continue;
  const source = { config: shape.config, weights: seededTensors(shape) };
  for (const weights of ['float32', 'int8']) {
    const one = await loadModel(source, { weights });
    const two = await loadModel(source, { weights, pool });
    if (two.workers < 2) console.log(`  ${name} is not divided`);
    await compare(`${name} ${weights}`, one, two);
    one.delete();
    two.delete();
  }
}
await pool.close();
