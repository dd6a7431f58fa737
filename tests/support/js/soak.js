// Random calls of all kinds in one instance: results keep their bits, and memory does not grow.
import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { loadAttention } from 'attention-wasm';

import { explainBitDifference } from './compare.js';
import { everyCall } from './every_call.js';
import { normalTensor, seeded } from './random_tensors.js';
import { readVectors } from './vectors.js';

const fixture = (name) => readFileSync(new URL(`../../vectors/${name}`, import.meta.url));

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

/** Calls that must throw. */
const refusals = [
  ({ attention }, x) => attention(x, normalTensor(seeded(1), [3, 5]), x),
  ({ attention }, x) => attention(x, x, x, { heads: 3 }),
  ({ KeyValueCache }) => new KeyValueCache({ keyDim: 2 ** 31, capacity: 2 ** 31 }),
  ({ Linear }, x) => Linear.fromTorch({ weight: x, bias: x }),
];

/** All tensors of results, which may be nested, by path. */
function* tensorsOf(path, results) {
  if (results instanceof Float32Array) yield [path, { dims: [results.length], data: results }];
  else if (results.data) yield [path, results];
  else for (const name of Object.keys(results)) yield* tensorsOf(`${path} ${name}`, results[name]);
}

/** Layers and caches used during the whole run. */
function companions({ KeyValueCache, Linear }, x) {
  const layer = Linear.fromTorch({ weight: normalTensor(seeded('soak'), [9, 8]) });
  const cache = new KeyValueCache({ keyDim: 8, capacity: 64 });
  cache.append(x, x);
  return {
    results: () => ({ layer: layer.forward(x), cache: cache.attend(x, { causal: true }) }),
    delete() {
      layer.delete();
      cache.delete();
    },
  };
}

/**
 * @param {number} calls minimum number of calls
 * @param {{ seed?: string, every?: number, report?: (done: object) => void }} options every: uses every n-th test vector;
 *   report: called from time to time
 * @returns {Promise<object>} the figures; throws if a result differs from its first run, or memory grows
 */
export async function soak(calls, { seed = 'soak', every = 1, report = () => {} } = {}) {
  const api = await loadAttention({ kernels: 'simd' });
  const all = readVectors(JSON.parse(String(fixture('vectors.json'))), fixture('vectors.bin'));
  const cases = all.filter((_, at) => at % every === 0);
  const x = normalTensor(seeded(seed), [17, 8]);
  const living = companions(api, x);
  const first = new Map();
  const counts = { calls: 0, refused: 0, compared: 0 };

  const compare = (path, results) => {
    counts.calls++;
    for (const [name, tensor] of tensorsOf(path, results)) {
      if (!first.has(name)) {
        first.set(name, tensor);
        continue;
      }
      const difference = explainBitDifference(tensor, first.get(name));
      if (difference) throw new Error(`call ${counts.calls}, ${name}: ${difference}`);
      counts.compared += tensor.data.length;
    }
  };
  const runCase = (one) => {
    let nth = 0; // several paths may have the same name
    for (const { path, results } of everyCall(api, one)) {
      compare(`${one.name}: ${nth++} ${path}`, results);
    }
    compare('living', living.results());
  };
  const refuse = (call) => {
    try {
      call(api, x);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      counts.refused++;
      return;
    }
    throw new Error(`${call} was not refused`);
  };

  // Two warm-up rounds: blocks that first calls allocate exist, and the engine has compiled.
  for (const one of [...cases, ...cases]) runCase(one);
  refusals.forEach(refuse);
  const heap = async () => {
    collect();
    await setImmediate(); // Freed arrays are counted until the event loop has run.
    collect();
    return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  };
  const before = { memory: api.memoryBytes(), heap: await heap() };
  const { integer } = seeded(`${seed} order`);
  let reported = counts.calls;
  while (counts.calls < calls) {
    runCase(cases[integer(0, cases.length - 1)]);
    refuse(refusals[integer(0, refusals.length - 1)]);
    if (api.memoryBytes() !== before.memory) {
      const grown = api.memoryBytes() - before.memory;
      throw new Error(`after ${counts.calls} calls the module's memory is ${grown} bytes larger`);
    }
    if (counts.calls - reported < 20_000) continue;
    reported = counts.calls;
    report({ ...counts, heap: (await heap()) - before.heap });
  }
  const grown = (await heap()) - before.heap;
  living.delete();
  return { ...counts, memory: before.memory, grown };
}
