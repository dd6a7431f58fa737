// Loss of a pool of two workers: time of two threads without a pool ÷ time of the pool. Without a pool, two workers have
// half of the heads each, and compute at the same time. One thread, the pool, the pool with results released and the two
// take turns, in an order that changes with every round; each computes twice, of which the second is timed, so that none
// begins with threads that slept and memory of another.
import { normalTensor, seeded } from '../support/js/random_tensors.js';

const shapes = [
  { name: '12×128×64', heads: 12, rows: 128, dim: 64, rounds: 60 },
  { name: '12×512×64', heads: 12, rows: 512, dim: 64, rounds: 25 },
  { name: '12×512×64 causal', heads: 12, rows: 512, dim: 64, causal: true, rounds: 25 },
  { name: '8×1024×64', heads: 8, rows: 1024, dim: 64, rounds: 15 },
  { name: '8×2048×128', heads: 8, rows: 2048, dim: 128, rounds: 5 },
];

const part = ({ data, dims: [heads, ...rest] }, first, last) => {
  const size = data.length / heads;
  return { data: data.slice(first * size, last * size), dims: [last - first, ...rest] };
};

async function timed(times, compute) {
  const start = performance.now();
  await compute();
  times.push(performance.now() - start);
}

const least = (times) => Math.min(...times);
const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];

/**
 * @param {object} of the environment: loadAttention, loadAttentionPool, startWorker() with postMessage() and a promise
 *   next() of its next message
 * @param {(line: object) => void} report { name, one, pool, released, without }: each { least, median } in ms
 */
export async function measureShares({ loadAttention, loadAttentionPool, startWorker }, report) {
  const { attention } = await loadAttention();
  const pool = await loadAttentionPool({ workers: 2 });
  const workers = [startWorker(), startWorker()];
  await Promise.all(workers.map((worker) => worker.next()));
  const ask = (messageOf) =>
    Promise.all(
      workers.map((worker, at) => {
        worker.postMessage(messageOf(at));
        return worker.next();
      }),
    );
  for (const { name, heads, rows, dim, causal, rounds } of shapes) {
    const random = seeded(name);
    const tensor = () => normalTensor(random, [1, heads, rows, dim]);
    const [q, k, v] = [tensor(), tensor(), tensor()];
    const options = { causal };
    const half = (all, at) => {
      const { data, dims } = part(
        { ...all, dims: all.dims.slice(1) },
        (at * heads) / 2,
        ((at + 1) * heads) / 2,
      );
      return { data, dims: [1, ...dims] };
    };
    await ask((at) => ({ inputs: { q: half(q, at), k: half(k, at), v: half(v, at), options } }));
    const compute = {
      one: () => attention(q, k, v, options),
      pool: () => pool.attention(q, k, v, options),
      released: async () => pool.release(await pool.attention(q, k, v, options)),
      without: () => ask(() => 'compute'),
    };
    const ways = Object.keys(compute);
    const times = Object.fromEntries(ways.map((way) => [way, []]));
    for (let round = 0; round < rounds; round++) {
      for (const turn of ways.keys()) {
        const way = ways[(turn + round) % ways.length];
        await compute[way]();
        await timed(times[way], compute[way]);
      }
    }
    const summary = Object.entries(times).map(([of, list]) => [
      of,
      { least: least(list), median: median(list) },
    ]);
    report({ name, ...Object.fromEntries(summary) });
  }
  await pool.close();
  workers.forEach((worker) => worker.terminate());
}
