// The sort task of minGPT: milliseconds of a step and seconds to a loss of 0.05, with attention-wasm/training, jax-js,
// TensorFlow.js and plain JavaScript in turns, from the same weights and on the same batches. Then the share of the
// multiply-add peak of one core that a step reaches at widths 48 and 256.
//
//   node tests/bench/training.js [--seconds 120]
//
// A contender stops at the loss, or when its own steps have taken that many seconds; its time to the loss is then steps ×
// median, which a ~ marks. Losses must agree in the first steps.
import { parseArgs } from 'node:util';
import { loadTraining } from '../../web/built/training.js';
import { multiplyAddPeak } from './multiply_add_peak.js';
import { batches, batchSize, optimizer, sizes } from './sort_task.js';
import { attentionWasm } from './trainers/attention_wasm.js';
import { jaxJs } from './trainers/jax_js.js';
import { plainJavaScript } from './trainers/plain_javascript.js';
import { tensorflowCpu, tensorflowWasm } from './trainers/tensorflow.js';

const contenders = [attentionWasm, jaxJs, tensorflowWasm, tensorflowCpu, plainJavaScript];
const limit = 0.05;
const averaged = 10; // steps whose mean loss must be below the limit
const compared = 5; // first steps whose losses must agree

const sorted = (times) => times.toSorted((a, b) => a - b);
const median = (times) => sorted(times)[times.length >> 1];
const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
const spent = (times) => times.reduce((sum, ms) => sum + ms, 0) / 1000;

const { TrainableTransformer } = await loadTraining();

/** Parameters by name; `decays`: whether AdamW's decay acts on them. */
function initialParameters(modelSizes) {
  const model = new TrainableTransformer(modelSizes);
  const isMatrix = /^head$|\.(?:queryKeyValue|output|up|down)\.weight$/;
  const entries = model
    .parameters()
    .map(({ name, dims, data }) => [name, { dims, data, decays: isMatrix.test(name) }]);
  model.delete();
  return Object.fromEntries(entries);
}

async function open(contender, parameters) {
  try {
    return { ...contender, ...(await contender.open(sizes, parameters, optimizer)) };
  } catch (error) {
    return { ...contender, problem: error };
  }
}

/** Trains until the loss or the time is reached. Yields after each step of all. */
async function train(all, seconds) {
  const stream = batches(1);
  const isDone = (one) =>
    one.problem ||
    spent(one.times) > seconds ||
    (one.losses.length >= averaged && mean(one.losses.slice(-averaged)) < limit);
  for (let step = 0; !all.every(isDone); step++) {
    const batch = stream.next().value;
    for (const one of all.filter((other) => !isDone(other))) {
      try {
        const start = performance.now();
        one.losses.push(await one.step(batch));
        one.times.push(performance.now() - start);
      } catch (error) {
        one.problem = error;
        continue;
      }
      const [difference, found] = [one.losses[step] - all[0].losses[step], one.losses[step]];
      if (step < compared && !(Math.abs(difference) < 1e-3)) {
        throw new Error(`${one.name}: the loss of step ${step} is ${found}, off by ${difference}`);
      }
    }
  }
}

function print(all) {
  const [ours] = all;
  const steps = ours.losses.length;
  if (!(mean(ours.losses.slice(-averaged)) < limit)) throw new Error(`${steps} steps were too few`);
  console.log(`Sort, ${batchSize} rows a step, ${steps} steps to a loss of ${limit}`);
  for (const { name, times, losses, problem } of all) {
    if (problem) {
      console.log(`  ${name.padEnd(18)} ${String(problem.message ?? problem).split('\n')[0]}`);
      continue;
    }
    // The first steps compile.
    const steady = times.slice(Math.min(3, times.length - 1));
    const [least, usual] = [sorted(steady)[0], median(steady)];
    const isThere = mean(losses.slice(-averaged)) < limit;
    const seconds = isThere ? spent(times).toFixed(1) : `~ ${((steps * usual) / 1000).toFixed(0)}`;
    const ratio = (usual / median(ours.times)).toFixed(1);
    console.log(
      `  ${name.padEnd(18)} ${least.toFixed(1).padStart(7)} ms, median ${usual.toFixed(1).padStart(7)} ` +
        `(${ratio}×), ${seconds.padStart(6)} s`,
    );
  }
}

/** 6 operations for each token and number of a matrix: forward, and both gradients. */
function operationsOf(parameters, tokens) {
  const matrices = Object.values(parameters).filter(({ decays }) => decays);
  return 6 * tokens * matrices.reduce((sum, { data }) => sum + data.length, 0);
}

function printShares() {
  const peak = multiplyAddPeak();
  for (const width of [48, 256]) {
    const wide = { ...sizes, width, heads: width === 48 ? 3 : 4 };
    const parameters = initialParameters(wide);
    const model = new TrainableTransformer(wide);
    const stream = batches(1);
    const rates = [];
    const peaks = [];
    const operations = operationsOf(parameters, batchSize * sizes.context);
    for (let round = 0; round < 20; round++) {
      const batch = stream.next().value;
      const start = performance.now();
      model.step(batch, optimizer);
      rates.push(operations / (performance.now() - start) / 1e6);
      peaks.push(peak());
    }
    model.delete();
    const [best, top] = [rates, peaks].map((numbers) => Math.max(...numbers));
    console.log(
      `Width ${width}: ${best.toFixed(1)} GFLOP/s (median ${median(rates).toFixed(1)}) of ${top.toFixed(1)}, ` +
        `${((100 * best) / top).toFixed(0)} % (median ${((100 * median(rates)) / median(peaks)).toFixed(0)} %)`,
    );
  }
}

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '120' } } });
const parameters = initialParameters(sizes);
const all = [];
for (const contender of contenders) {
  all.push({ ...(await open(contender, parameters)), times: [], losses: [] });
}
await train(all, Number(values.seconds));
print(all);
printShares();
