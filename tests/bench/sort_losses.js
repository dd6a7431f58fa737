// Losses of the sort task beside those published for minGPT (karpathy/minGPT, demo.ipynb; its model has dropout), and rows
// that come out sorted:
//   node tests/bench/sort_losses.js
// A loss is the mean of ten steps of each of the seeds 1 to 3.
import { loadTraining } from '../../web/built/training.js';
import { batches, optimizer, sizes } from './sort_task.js';

const published = { 100: 0.147, 200: 0.053, 300: 0.044, 500: 0.025, 1000: 0.008, 1900: 0.0004 };
const seeds = [1, 2, 3];
const averaged = 10; // steps
const steps = 2000;
const tested = 5000; // rows

const { TrainableTransformer } = await loadTraining();
const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** Number of rows that the model sorts, of `tested`, which come from another seed than those of training. */
function countSorted(model, seed) {
  let [sorted, count] = [0, 0];
  const unseen = batches(seed + 1000);
  while (count < tested) {
    const { ids, targets } = unseen.next().value;
    for (const [at, row] of ids.slice(0, tested - count).entries()) {
      const digits = targets[at].filter((id) => id >= 0);
      const written = model.generate(row.slice(0, digits.length), { maxTokens: digits.length });
      ++count;
      if (written.join() === digits.join()) ++sorted;
    }
  }
  return sorted;
}

const runs = seeds.map((seed) => {
  const model = new TrainableTransformer({ ...sizes, seed });
  const losses = [];
  const start = performance.now();
  for (const batch of batches(seed)) {
    losses.push(model.step(batch, optimizer).loss);
    if (losses.length === steps) break;
  }
  const ms = (performance.now() - start) / steps;
  const sorted = countSorted(model, seed);
  console.log(`seed ${seed}: ${ms.toFixed(1)} ms a step, ${sorted} of ${tested} rows sorted`);
  model.delete();
  return losses;
});
console.log('| step | loss | published | ratio |\n| ---: | ---: | ---: | ---: |');
for (const [step, theirs] of Object.entries(published)) {
  const ours = mean(runs.map((losses) => mean(losses.slice(step - averaged, step))));
  console.log(`| ${step} | ${ours.toPrecision(2)} | ${theirs} | ${(ours / theirs).toFixed(2)} |`);
}
