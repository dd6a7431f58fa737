// Prints the growth of a process by a pool of two workers and five calls in a row: at its peak, and two seconds later, when the
// pool retains nothing. Each case in a process of its own.
//   node tests/bench/pool_memory.js [BUILT…]      folders as web/built: other builds of the library, such as the one before a change
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { normalTensor, seeded } from '../support/js/random_tensors.js';
import { bert, seededTensors } from './model_shapes.js';

const mebibytes = (bytes) => Math.round(bytes / 2 ** 20);

const attention = (...dims) => ({
  name: `attention ${dims.join('×')}`,
  inputs: () => ['q', 'k', 'v'].map((name) => normalTensor(seeded(name), [1, ...dims])),
  open: (pool, inputs) => () => pool.attention(...inputs),
});

const layer = {
  name: 'layer 512×768',
  inputs() {
    const matrix = (name) => normalTensor(seeded(name), [768, 768]);
    const names = ['query', 'key', 'value', 'output'];
    const weights = Object.fromEntries(names.map((name) => [name, matrix(name)]));
    return { weights, x: normalTensor(seeded('x'), [512, 768]) };
  },
  open(pool, { weights, x }) {
    const made = pool.MultiHeadAttention.fromWeights(weights, { heads: 12 });
    return () => made.forward(x);
  },
};

const model = {
  name: 'BERT-base, 512 tokens',
  inputs: () => ({ config: bert.config, weights: seededTensors(bert) }),
  async open(pool, source, built) {
    const { loadModel } = await import(new URL('models.node.js', built));
    const loaded = await loadModel(source, { pool });
    const ids = Array.from({ length: 512 }, (_, n) => (n * 7919) % 30_522);
    return () => loaded.run({ ids });
  },
};

const cases = [attention(12, 512, 64), attention(8, 2048, 128), layer, model];

async function measure({ inputs, open }, built) {
  const made = inputs();
  const { loadAttentionPool } = await import(new URL('pool.node.js', built));
  const before = process.memoryUsage.rss();
  const call = await open(await loadAttentionPool({ workers: 2 }), made, built);
  for (let n = 0; n < 5; n++) await call();
  const peak = process.resourceUsage().maxRSS * 1024 - before;
  await wait(2000);
  return [peak, process.memoryUsage.rss() - before].map(mebibytes).join(' / ');
}

const [, script, ...values] = process.argv;
if (values[0] === '--case') {
  console.log(await measure(cases[values[1]], values[2]));
  process.exit();
}
const folders = values.length > 0 ? values.map((folder) => resolve(folder)) : [];
const builds = [fileURLToPath(new URL('../../web/built', import.meta.url)), ...folders];
console.log('MiB: at the peak / two seconds later');
for (const [index, { name }] of cases.entries()) {
  const cells = builds.map((folder) => {
    const built = `${pathToFileURL(folder)}/`;
    const { stdout } = spawnSync(process.execPath, [script, '--case', index, built], {
      encoding: 'utf8',
    });
    return stdout.trim().padStart(14);
  });
  console.log(name.padEnd(24) + cells.join(''));
}
