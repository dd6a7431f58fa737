// Properties of any call of attention(): equalities of meaning bit by bit, and closeness to the
// oracle within the accuracy bound. Calls are drawn by fast-check from a fixed seed.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';
import fc from 'fast-check';

import { EPSILON } from '../support/js/accuracy_bound.js';
import { arbitraryCall, makeCall, optionPairs, pairsOf } from '../support/js/arbitrary_calls.js';
import { accuracyBound } from '../support/js/attention_bound.js';
import { explainDifference } from '../support/js/compare.js';
import {
  oracleAttention,
  oracleSoftmax,
  oracleWeightedSum,
  visibility,
} from '../support/js/oracle.js';
import { runCount } from '../support/js/run_count.js';
import { normalTensor, seeded, shuffled, sizeOf } from '../support/js/random_tensors.js';
import {
  fill,
  filled,
  maskOf,
  packHeads,
  pick,
  reshape,
  spellOut,
} from '../support/js/rearrange.js';
import { sameIn } from '../support/js/same_results.js';

const SEED = 2017;
const ANYWHERE = ['scale', 'softcap', 'sinks']; // independent of positions
const ALIKE_QUERIES = [...ANYWHERE, 'keyLengths'];

for (const kernels of ['simd', 'reference']) {
  describe(`properties, ${kernels} kernels`, async () => {
    const { attention, scores, softmax, weightedSum } = await loadAttention({ kernels });

    // Both code paths of the module: with and without returned weights.
    const run = ({ query, key, value }, options) => ({
      streamed: attention(query, key, value, options).output,
      ...attention(query, key, value, { ...options, weights: true, logSumExp: true }),
    });

    function holds(name, calls, check, runs = 100) {
      it(name, () => {
        const once = (call) => check(makeCall(call), seeded(`check ${call.seed}`), call);
        fc.assert(fc.property(calls, once), { seed: SEED, numRuns: runCount(runs) });
      });
    }

    describe('bit by bit', () => {
      holds(
        'permuting queries permutes output rows',
        arbitraryCall({ allowed: ALIKE_QUERIES }),
        ({ options, full, ...tensors }, random) => {
          const order = shuffled(random, full[2]);
          const moved = { ...tensors, query: pick(tensors.query, 2, order) };
          const got = run(moved, { ...options, ...pickMask(options.mask, 2, order) });
          sameIn(
            got,
            change(run(tensors, options), (result) => pick(result, 2, order)),
          );
        },
      );

      holds(
        'grouped heads are repeated keys and values',
        arbitraryCall().filter(({ group }) => group > 1),
        ({ options, full, ...tensors }, _, { group }) => {
          const owners = Array.from({ length: full[1] }, (_, h) => Math.floor(h / group));
          const key = pick(tensors.key, 1, owners);
          const value = pick(tensors.value, 1, owners);
          sameIn(run({ ...tensors, key, value }, options), run(tensors, options));
        },
      );

      holds(
        'a mask that hides nothing is no mask',
        arbitraryCall({ masks: ['none'] }),
        ({ options, full, ...tensors }, _, { maskAxes }) => {
          const plain = run(tensors, options);
          const dims = full.map((size, axis) => ((maskAxes >> axis) & 1 ? size : 1));
          const ones = { dims, data: new Uint8Array(sizeOf(dims)).fill(1) };
          sameIn(run(tensors, { ...options, mask: ones }), plain);
          const zeros = { dims, data: new Float32Array(sizeOf(dims)) };
          sameIn(run(tensors, { ...options, mask: zeros }), plain);
        },
      );

      holds(
        '-Infinity in an additive mask is 0 in a boolean one',
        arbitraryCall({ masks: ['boolean'] }),
        ({ options, ...tensors }) => {
          const { dims, data } = options.mask;
          const hiding = Float32Array.from(data, (open) => (open ? 0 : -Infinity));
          const additive = { ...options, mask: { dims, data: hiding } };
          sameIn(run(tensors, additive), run(tensors, options));
        },
      );

      for (const name of ['causal', 'window', 'keyLengths']) {
        holds(
          `${name} is its explicit mask`,
          arbitraryCall({ needed: [name] }),
          ({ options, full, ...tensors }) => {
            const { [name]: given, ...others } = options;
            const mask = hiddenToo(full, options.mask, { [name]: given, offset: options.offset });
            sameIn(run(tensors, { ...others, mask }), run(tensors, options));
          },
        );
      }

      holds(
        'a causal prefix does not feel later keys and values',
        arbitraryCall({ needed: ['causal'] }),
        ({ options, full, ...tensors }, random) => {
          const [batch, , qLen, kLen] = full;
          const cut = random.integer(0, kLen);
          const later = Array.from({ length: kLen - cut }, (_, at) => cut + at);
          const before = run(tensors, options);
          for (const other of [() => NaN, () => Infinity, () => random.normal()]) {
            const key = rewritten(tensors.key, later, other);
            const value = rewritten(tensors.value, later, other);
            const after = run({ ...tensors, key, value }, options);
            for (let b = 0; b < batch; b++) {
              const offset = options.offset?.[b] ?? options.offset ?? 0;
              const rows = Array.from({ length: qLen }, (_, i) => i);
              const prefix = rows.filter((i) => offset + i < cut);
              const part = (result) => pick(pick(result, 0, [b]), 2, prefix);
              sameIn(change(after, part), change(before, part));
            }
          }
        },
      );

      holds(
        'other batch entries do not matter',
        arbitraryCall().filter(({ batch }) => batch > 1),
        ({ options, full, ...tensors }, random) => {
          const kept = random.integer(0, full[0] - 1);
          const others = Array.from({ length: full[0] }, (_, b) => b).filter((b) => b !== kept);
          const entry = (result) => pick(result, 0, [kept]);
          const want = change(run(tensors, options), entry);
          for (const number of [NaN, 3]) {
            const spoilt = change(tensors, (tensor) =>
              filled(
                tensor,
                others.map((b) => [b]),
                number,
              ),
            );
            sameIn(change(run(spoilt, options), entry), want);
          }
        },
      );

      holds(
        'other queries and other heads do not matter',
        arbitraryCall(),
        ({ options, full, ...tensors }, random, { group, kvHeads }) => {
          const place = full.slice(0, 3).map((size) => random.integer(0, size - 1));
          const kv = Math.floor(place[1] / group);
          const otherHeads = others(kvHeads, kv).map((head) => [place[0], head]);
          const otherQueries = others(full[2], place[2]).map((i) => [place[0], place[1], i]);
          const want = change(run(tensors, options), rowAt(place));
          for (const number of [NaN, 1e30, 3]) {
            const query = filled(tensors.query, otherQueries, number);
            const key = filled(tensors.key, otherHeads, number);
            const value = filled(tensors.value, otherHeads, number);
            sameIn(change(run({ query, key, value }, options), rowAt(place)), want);
          }
        },
      );

      holds(
        'what a row does not see does not matter to it',
        arbitraryCall(),
        ({ options, full, ...tensors }, random, { group }) => {
          const place = full.slice(0, 3).map((size) => random.integer(0, size - 1));
          const kv = Math.floor(place[1] / group);
          const sees = seeing(full, options);
          const hidden = others(full[3]).filter((j) => !sees(...place, j));
          const where = hidden.map((j) => [place[0], kv, j]);
          const want = change(run(tensors, options), rowAt(place));
          for (const number of [NaN, Infinity, -Infinity, 3e38]) {
            const key = filled(tensors.key, where, number);
            const value = filled(tensors.value, where, number);
            sameIn(change(run({ ...tensors, key, value }, options), rowAt(place)), want);
          }
        },
      );

      for (const which of ['query', 'key', 'value']) {
        holds(
          `NaN in a ${which} is NaN in the rows that see it and nowhere else`,
          arbitraryCall(),
          ({ options, full, ...tensors }, random, { group }) => {
            const index = tensors[which].dims.map((size) => random.integer(0, size - 1));
            const before = run(tensors, options);
            const after = run(
              { ...tensors, [which]: filled(tensors[which], [index], NaN) },
              options,
            );
            eachRow(full, options, ({ seen, b, h, i }) => {
              const row = change(after, rowAt([b, h, i]));
              const head = which === 'query' ? h : Math.floor(h / group);
              const met = which === 'query' ? i === index[2] : seen.includes(index[2]);
              if (b !== index[0] || head !== index[1] || !met || seen.length === 0) {
                sameIn(row, change(before, rowAt([b, h, i])));
              } else if (which === 'value') {
                assert.ok(Number.isNaN(row.output.data[index[3]]), 'output');
              } else {
                const numbers = [...row.output.data, ...row.streamed.data, ...row.logSumExp.data];
                assert.ok(numbers.every(Number.isNaN), 'output, logSumExp');
                row.weights.data.forEach((weight, j) =>
                  assert.ok(Object.is(weight, seen.includes(j) ? NaN : 0), `weight ${j}`),
                );
              }
            });
          },
          60,
        );
      }

      holds(
        'a call made again gives the same bits, whatever came between',
        arbitraryCall(),
        ({ options, ...tensors }, _, call) => {
          const before = run(tensors, options);
          const larger = makeCall({ ...call, qLen: call.qLen + 3, kLen: call.kLen + 5 });
          const { query, key, value } = larger;
          const spoilt = change({ query, key, value }, (tensor) => filled(tensor, [[]], NaN));
          run(spoilt, {});
          sameIn(run(tensors, options), before);
        },
      );

      holds(
        'a repeated mask is its spelling out',
        arbitraryCall({ masks: ['boolean', 'additive'] }),
        ({ options, full, ...tensors }) => {
          const mask = spellOut(options.mask, full);
          sameIn(run(tensors, { ...options, mask }), run(tensors, options));
        },
      );

      holds(
        'one offset is a list of it, and lists may be typed arrays',
        arbitraryCall({ needed: ['causal', 'keyLengths', 'slopes', 'sinks'] }),
        ({ options, full, ...tensors }, random) => {
          const offset = random.integer(-3, full[3]);
          const typed = {
            offset: Int32Array.from({ length: full[0] }, () => offset),
            keyLengths: Uint32Array.from(options.keyLengths),
            slopes: Float32Array.from(options.slopes),
            sinks: Float64Array.from(options.sinks),
          };
          sameIn(run(tensors, { ...options, ...typed }), run(tensors, { ...options, offset }));
        },
      );

      for (const keyDim of [1, 4, 16, 64]) {
        holds(
          `the scale is 1/√${keyDim} unless given`,
          arbitraryCall({ allowed: ['softcap', 'causal', 'sinks'] }).map((call) => ({
            ...call,
            keyDim,
          })),
          ({ options, ...tensors }) => {
            const scaled = { ...options, scale: 1 / Math.sqrt(keyDim) };
            sameIn(run(tensors, options), run(tensors, scaled));
          },
          30,
        );
      }

      holds(
        'asking for more does not change the output',
        arbitraryCall({ ranks: [2, 3, 4] }),
        ({ query, key, value, options }) => {
          const { output } = attention(query, key, value, options);
          const requests = [
            { weights: true },
            { weights: 'average' },
            { scores: 'raw' },
            { scores: 'capped' },
            { scores: 'biased' },
            { logSumExp: true },
            { weights: true, scores: 'biased', logSumExp: true },
          ];
          for (const request of requests) {
            const more = attention(query, key, value, { ...options, ...request });
            sameIn({ output: more.output }, { output }, JSON.stringify(request));
          }
        },
      );

      holds(
        'weights are softmax(scores)',
        arbitraryCall({ ranks: [2, 3, 4] }),
        ({ query, key, value, options }) => {
          const request = { ...options, weights: true, scores: 'biased' };
          const { weights, scores: biased } = attention(query, key, value, request);
          sameIn({ scores: scores(query, key, options) }, { scores: biased });
          sameIn({ weights: softmax(biased, options) }, { weights });
        },
      );

      holds('rank 3 is rank 4', arbitraryCall(), ({ options, full, ...tensors }, _, call) => {
        const { output, streamed, ...square } = run(tensors, options);
        const want = { output: packHeads(output), streamed: packHeads(streamed), ...square };
        const named = { ...options, heads: full[1], kvHeads: call.kvHeads };
        sameIn(run(change(tensors, packHeads), named), want);
      });

      holds(
        'rank 2 is rank 3',
        arbitraryCall({ ranks: [3] }).map((call) => ({ ...call, batch: 1 })),
        ({ options, full: _, ...tensors }) => {
          const alone = (tensor) => reshape(tensor, tensor.dims.slice(1));
          sameIn(run(change(tensors, alone), options), change(run(tensors, options), alone));
        },
      );

      holds(
        'a power of two in the scale may sit in the queries',
        arbitraryCall({ needed: ['scale'] }),
        ({ options, full: _, ...tensors }, random) => {
          const power = 2 ** random.integer(-4, 4);
          const { dims, data } = tensors.query;
          const query = { dims, data: data.map((x) => x * power) };
          const scaled = { ...options, scale: options.scale * power };
          sameIn(run({ ...tensors, query }, options), run(tensors, scaled));
        },
      );

      holds(
        'one visible key gives its value',
        arbitraryCall({ allowed: ['scale', 'softcap'], masks: ['none'] }),
        ({ options, full, ...tensors }, random, { group }) => {
          const [batch, heads, qLen, kLen] = full;
          const chosen = Array.from({ length: batch * heads * qLen }, () =>
            random.integer(0, kLen - 1),
          );
          const row = (b, h, i) => (b * heads + h) * qLen + i;
          const mask = maskOf(full, (b, h, i, j) => chosen[row(b, h, i)] === j);
          const { output, streamed } = run(tensors, { ...options, mask });
          const valueDim = output.dims[3];
          const want = { dims: output.dims, data: new Float32Array(output.data.length) };
          chosen.forEach((j, at) => {
            const b = Math.floor(at / (heads * qLen));
            const kv = Math.floor((Math.floor(at / qLen) % heads) / group);
            const start = ((b * tensors.value.dims[1] + kv) * kLen + j) * valueDim;
            want.data.set(tensors.value.data.subarray(start, start + valueDim), at * valueDim);
          });
          sameIn({ output, streamed }, { output: want, streamed: want });
        },
      );
    });

    describe('within the accuracy bound', () => {
      const judged = ({ query, key, value, options }) => {
        const exact = oracleAttention(query, key, value, options);
        return { exact, bound: accuracyBound(query, key, value, options, exact) };
      };

      const drawnPairs = new Set();

      holds(
        'everything agrees with the oracle',
        arbitraryCall({ ranks: [2, 3, 4], work: 6e4 }),
        (call, _, description) => {
          for (const pair of pairsOf(description)) drawnPairs.add(pair);
          const { query, key, value, options } = call;
          const { exact, bound } = judged(call);
          const { streamed, output, weights, logSumExp } = run(call, options);
          const averaged = attention(query, key, value, { ...options, weights: 'average' });
          const got = { output, weights, logSumExp, averageWeights: averaged.weights };
          for (const stage of ['raw', 'capped', 'biased']) {
            got[`${stage}Scores`] = scores(query, key, { ...options, scores: stage });
          }
          for (const [what, result] of Object.entries(got)) near(result, exact, bound, what);
          near(streamed, exact, bound, 'output');
        },
        150,
      );

      it('these calls have every pair of options', () => {
        const missing = optionPairs().filter((pair) => !drawnPairs.has(pair));
        assert.deepEqual(missing, []);
      });

      holds(
        'the three steps are the whole',
        arbitraryCall({ ranks: [2, 3, 4], work: 6e4 }),
        (call) => {
          const { query, key, value, options } = call;
          const { exact, bound } = judged(call);
          const weights = softmax(scores(query, key, options), options);
          near(weights, exact, bound, 'weights');
          const output = weightedSum(weights, value, options);
          near(output, exact, bound, 'output');
          const whole = attention(query, key, value, options).output;
          const wholeAsExact = { output: { dims: whole.dims, data: whole.data } };
          near(output, wholeAsExact, doubled(bound), 'output');
        },
      );

      holds(
        'softmax takes scores of any origin',
        arbitraryCall(),
        ({ options, full }, random, { spread }) => {
          const any = normalTensor(random, full, spread);
          any.data.forEach((_, at, data) => {
            if (random.chance(0.1)) data[at] = -Infinity;
          });
          const hiding = { ...options, mask: onlyHiding(options.mask) };
          const exact = oracleSoftmax(any, hiding);
          // Normal numbers here never exceed 6, sinks never 4.
          const slack = 8 * EPSILON * (1 + 6 * spread);
          const got = softmax(any, options);
          assert.equal(explainDifference(got, exact, slack, { exactZeros: true }), '');
        },
      );

      holds(
        'weightedSum takes any weights and does not read the value of a 0',
        arbitraryCall({ ranks: [2, 3, 4], work: 6e4 }),
        ({ value, options, full }, random, { rank, kvHeads }) => {
          const kLen = full[3];
          const unread = random.integer(0, kLen - 1);
          const any = normalTensor(random, rank === 2 ? full.slice(1) : full);
          any.data.forEach((_, at, data) => {
            if (at % kLen === unread || random.chance(0.2)) data[at] = 0;
          });
          const exact = oracleWeightedSum(any, value, options);
          const sizes = oracleWeightedSum(absolute(any), absolute(value), options);
          const slack = 8 * EPSILON * Math.max(...sizes.data);
          assert.equal(explainDifference(weightedSum(any, value, options), exact, slack), '');
          const leading = { 2: [[]], 3: others(full[0]).map((b) => [b]) }[rank];
          const heads = others(full[0]).flatMap((b) => others(kvHeads).map((kv) => [b, kv]));
          const where = (leading ?? heads).map((index) => [...index, unread]);
          const spoilt = filled(value, where, NaN);
          assert.equal(explainDifference(weightedSum(any, spoilt, options), exact, slack), '');
        },
      );

      holds(
        'a number added to all scores of a row does not matter',
        arbitraryCall({
          masks: ['none'],
          allowed: ['scale', 'softcap', 'causal', 'keyLengths', 'slopes'],
          work: 6e4,
        }),
        ({ full, ...call }, random) => {
          const size = [1, 30, 1000, 1e6][random.integer(0, 3)];
          const mask = normalTensor(random, [full[2], 1], size);
          const shifted = { ...call, options: { ...call.options, mask } };
          const { exact } = judged(call);
          const { bound } = judged(shifted);
          const { streamed, output, weights } = run(shifted, shifted.options);
          near(streamed, exact, bound, 'output');
          near(output, exact, bound, 'output');
          near(weights, exact, bound, 'weights');
        },
      );

      holds(
        'copies of one key and value give that value',
        arbitraryCall({ masks: ['none'], allowed: ['scale', 'softcap', 'keyLengths', 'causal'] }),
        ({ options, full, ...tensors }, _, { group }) => {
          const first = Array(full[3]).fill(0);
          const key = pick(tensors.key, 2, first);
          const value = pick(tensors.value, 2, first);
          const { output, streamed } = run({ ...tensors, key, value }, options);
          eachRow(full, options, ({ seen, b, h, i }) => {
            if (seen.length === 0) return;
            const want = rowAt([b, Math.floor(h / group), 0])(value);
            const largest = Math.max(...want.data.map(Math.abs));
            const slack = (2 * full[3] + 4) * EPSILON * largest;
            for (const result of [output, streamed]) {
              assert.equal(explainDifference(rowAt([b, h, i])(result), want, slack), '');
            }
          });
        },
      );

      holds(
        'the order of the keys does not matter',
        arbitraryCall({ allowed: ANYWHERE, work: 6e4 }),
        (call, random) => {
          const { options, full, ...tensors } = call;
          const { bound } = judged(call);
          const order = shuffled(random, full[3]);
          const key = pick(tensors.key, 2, order);
          const value = pick(tensors.value, 2, order);
          const moved = { ...options, ...pickMask(options.mask, 3, order) };
          const got = run({ ...tensors, key, value }, moved);
          const want = run(tensors, options);
          want.weights = pick(want.weights, 3, order);
          for (const what of ['output', 'weights', 'logSumExp']) {
            near(got[what], want, doubled(bound), what);
          }
          near(got.streamed, want, doubled(bound), 'output');
        },
      );

      holds(
        'weights are at least 0 and a row of them sums to 1, to less beside a sink, or is empty',
        arbitraryCall(),
        ({ options, full, ...tensors }) => {
          const { weights } = run(tensors, options);
          const slack = (full[3] + 4) * EPSILON;
          eachRow(full, options, ({ at, seen, h }) => {
            const row = weights.data.subarray(at * full[3], (at + 1) * full[3]);
            assert.ok(row.every((weight) => weight >= 0));
            row.forEach((weight, j) => assert.ok(weight === 0 || seen.includes(j)));
            const sum = row.reduce((a, weight) => a + weight, 0);
            if (seen.length === 0) assert.equal(sum, 0);
            else if (options.sinks?.[h] === undefined) {
              assert.ok(Math.abs(sum - 1) <= slack, `row ${at} sums to ${sum}`);
            } else assert.ok(sum <= 1 + slack, `row ${at} sums to ${sum} beside a sink`);
          });
        },
      );

      holds(
        'outputs lie between the smallest and the largest visible value',
        arbitraryCall({
          allowed: ['scale', 'softcap', 'causal', 'window', 'keyLengths', 'slopes'],
        }),
        ({ options, full, ...tensors }, _, { group }) => {
          const { output, streamed } = run(tensors, options);
          const { value } = tensors;
          const [, kvHeads, kLen, valueDim] = value.dims;
          eachRow(full, options, ({ at, seen, b, h }) => {
            const first = (b * kvHeads + Math.floor(h / group)) * kLen;
            for (let c = 0; c < valueDim; c++) {
              const column = seen.map((j) => value.data[(first + j) * valueDim + c]);
              if (seen.length === 0) column.push(0);
              const low = Math.min(...column);
              const high = Math.max(...column);
              const slack = (kLen + 4) * EPSILON * Math.max(-low, high);
              for (const got of [output, streamed]) {
                const number = got.data[at * valueDim + c];
                const between = number >= low - slack && number <= high + slack;
                assert.ok(between, `row ${at}, ${c}: ${number} not from ${low} to ${high}`);
              }
            }
          });
        },
      );

      holds(
        'averaged weights are the mean over the heads',
        arbitraryCall({ ranks: [2, 3, 4] }),
        ({ query, key, value, options, full: [batch, heads, qLen, kLen] }) => {
          const { weights } = attention(query, key, value, { ...options, weights: true });
          const average = attention(query, key, value, { ...options, weights: 'average' });
          const inner = qLen * kLen;
          const mean = new Float64Array(batch * inner);
          weights.data.forEach((weight, at) => {
            const b = Math.floor(at / (heads * inner));
            mean[b * inner + (at % inner)] += weight / heads;
          });
          const dims = query.dims.length === 2 ? [qLen, kLen] : [batch, qLen, kLen];
          const slack = (heads + 1) * EPSILON;
          assert.equal(explainDifference(average.weights, { dims, data: mean }, slack), '');
        },
      );
    });
  });
}

const change = (tensors, how) =>
  Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, how(tensor)]));

function near(got, exact, bound, what) {
  const difference = explainDifference(got, exact[what], bound[what].tolerance);
  assert.equal(difference, '', what);
}

// Two results, each within the error bound.
const doubled = (bound) =>
  Object.fromEntries(
    Object.entries(bound).map(([what, { tolerance }]) => [what, { tolerance: 2 * tolerance }]),
  );

const pickMask = (mask, axis, order) =>
  mask && { mask: mask.dims[axis] === 1 ? mask : pick(mask, axis, order) };

// Row [b, h, i] of a tensor of rank 4, or of one number per row.
const rowAt = (place) => (tensor) =>
  place.reduce((part, position, axis) => pick(part, axis, [position]), tensor);

// 0, 1, …, count - 1, without `left`.
const others = (count, left = -1) =>
  Array.from({ length: count }, (_, at) => at).filter((at) => at !== left);

const absolute = ({ dims, data }) => ({ dims, data: data.map(Math.abs) });

const seeing = ([batch, heads, qLen, kLen], options) =>
  visibility({ batch, heads, qLen, kLen }, options);

// Masks for softmax(): finite biases belong to the scores.
const onlyHiding = (mask) =>
  mask?.data instanceof Float32Array
    ? { dims: mask.dims, data: mask.data.map((x) => (x === -Infinity ? x : 0)) }
    : mask;

// The mask combined with the positions that `hiding` hides.
function hiddenToo(full, given, hiding) {
  const allowed = maskOf(full, seeing(full, hiding));
  if (!given) return allowed;
  const mask = spellOut(given, full);
  const hidden = mask.data instanceof Uint8Array ? 0 : -Infinity;
  return { dims: full, data: mask.data.map((x, at) => (allowed.data[at] ? x : hidden)) };
}

// A copy with other numbers in the rows `rows` of every head.
function rewritten(tensor, rows, number) {
  const [batch, heads] = tensor.dims;
  const copy = { dims: tensor.dims, data: tensor.data.slice() };
  for (let b = 0; b < batch; b++)
    for (let h = 0; h < heads; h++) for (const j of rows) fill(copy, [b, h, j], number());
  return copy;
}

// Every row of batch × heads × qLen with its visible keys.
function eachRow(full, options, look) {
  const [batch, heads, qLen, kLen] = full;
  const sees = seeing(full, options);
  let at = 0;
  for (let b = 0; b < batch; b++)
    for (let h = 0; h < heads; h++)
      for (let i = 0; i < qLen; i++) {
        const seen = [];
        for (let j = 0; j < kLen; j++) if (sees(b, h, i, j)) seen.push(j);
        look({ at: at++, seen, b, h, i });
      }
}
