// Gain of fused multiply-add for a bare tile, attention, linear maps and int8 linear maps: the default kernels and those of
// attention-wasm/fused take turns in one thread.
import { fused } from '../../web/built/fused.js';
import { loadAttention } from '../../web/built/index.js';
import { asInt8 } from '../support/js/narrowed.js';
import { normalTensor, seeded } from '../support/js/random_tensors.js';
import { multiplyAddPeak } from './multiply_add_peak.js';

const attentions = [
  { heads: 12, rows: 128, dim: 64 },
  { heads: 12, rows: 128, dim: 64, causal: true },
  { heads: 12, rows: 512, dim: 64 },
  { heads: 12, rows: 512, dim: 64, causal: true },
  { heads: 8, rows: 1024, dim: 64 },
  { heads: 8, rows: 1024, dim: 64, causal: true },
  { heads: 8, rows: 2048, dim: 128, seldom: true },
  { heads: 12, rows: 1, keys: 1024, dim: 64 },
];
const linears = [
  ...[512, 16, 4, 2, 1].map((rows) => ({ rows, from: 768, to: 768 })),
  ...[4, 2, 1].map((rows) => ({ rows, from: 768, to: 3072 })),
  ...[4, 2, 1].map((rows) => ({ rows, from: 3072, to: 768 })),
];
const integers = linears.filter(({ rows }) => rows < 512);

const least = (times) => Math.min(...times);
const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];
const shortest = 1; // ms; faster calls are repeated

/** Milliseconds of `count` calls. */
function timed(run, count) {
  const start = performance.now();
  for (let turn = 0; turn < count; turn++) run();
  return performance.now() - start;
}

function attentionOf({ attention }, { heads, rows, keys = rows, dim, causal }, name) {
  const random = seeded(name);
  const tensor = (count) => normalTensor(random, [1, heads, count, dim]);
  const tensors = [tensor(rows), tensor(keys), tensor(keys)];
  return () => attention(...tensors, { causal });
}

function linearOf({ Linear }, { rows, from, to }, name, stored) {
  const random = seeded(name);
  const map = Linear.fromTorch({ weight: stored(normalTensor(random, [to, from], from ** -0.5)) });
  const x = normalTensor(random, [rows, from]);
  return () => map.forward(x);
}

/**
 * @param {number} rounds of each case; fewer for the longest
 * @param {(line: string) => void} report
 */
export async function measureFused(rounds, report) {
  const apis = [await loadAttention(), await loadAttention({ kernels: fused })];
  if (apis[1].kernels !== 'fused') throw new Error('there is no relaxed SIMD here');

  const peaks = [multiplyAddPeak(), multiplyAddPeak({ fused: true })];
  const found = Array.from({ length: 5 }, () => peaks.map((peak) => peak()));
  const [unfused, inOne] = [0, 1].map((at) => Math.max(...found.map((turn) => turn[at])));
  report(
    `tile of 4×8: ${(inOne / unfused).toFixed(2)} (${unfused.toFixed(1)} and ${inOne.toFixed(1)} GFLOP/s)`,
  );

  const compare = (name, runs, count) => {
    let repeat = 1;
    while (Math.min(...runs.map((run) => timed(run, repeat))) < shortest) repeat *= 2;
    const times = runs.map(() => []);
    for (let round = 0; round < count; round++) {
      runs.forEach((run, at) => {
        times[at].push(timed(run, repeat) / repeat);
      });
    }
    const ratio = (of) => (of(times[0]) / of(times[1])).toFixed(2);
    const milliseconds = times.map((list) => least(list).toPrecision(3)).join(' and ');
    report(`${name}: ${ratio(least)} (median ${ratio(median)}; ${milliseconds} ms)`);
  };

  for (const shape of attentions) {
    const { heads, rows, keys = rows, dim, causal, seldom } = shape;
    const name = `${heads}×${rows === keys ? rows : `(${rows}×${keys})`}×${dim}${causal ? ' causal' : ''}`;
    const runs = apis.map((api) => attentionOf(api, shape, name));
    compare(name, runs, seldom ? Math.ceil(rounds / 4) : rounds);
  }
  for (const [kind, shapes, stored] of [
    ['linear', linears, (weight) => weight],
    ['int8', integers, asInt8],
  ]) {
    for (const shape of shapes) {
      const name = `${kind} ${shape.rows}×${shape.from}×${shape.to}`;
      compare(
        name,
        apis.map((api) => linearOf(api, shape, name, stored)),
        rounds,
      );
    }
  }
}
