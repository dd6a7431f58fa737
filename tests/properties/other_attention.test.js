// Properties of any call of kernelAttention(), linearAttention() and rotaryEmbedding(): equalities of meaning, bit
// by bit or within rounding, and closeness to the oracles. Calls are drawn by fast-check from a fixed seed.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';
import fc from 'fast-check';

import { boundOf, EPSILON } from '../support/js/accuracy_bound.js';
import { arbitraryCall, makeCall } from '../support/js/arbitrary_calls.js';
import { explainBitDifference, explainDifference } from '../support/js/compare.js';
import { formulasOf } from '../support/js/bound_formulas.js';
import { visibility } from '../support/js/oracle.js';
import { oracleKernelAttention } from '../support/js/oracle_kernel_attention.js';
import { oracleLinearAttention } from '../support/js/oracle_linear_attention.js';
import { oracleRotaryEmbedding } from '../support/js/oracle_rotary.js';
import { normalTensor, seeded, shuffled } from '../support/js/random_tensors.js';
import { runCount } from '../support/js/run_count.js';
import { filled, packHeads, pick, range, reshape } from '../support/js/rearrange.js';
import { sameIn } from '../support/js/same_results.js';

const SEED = 2020;
const HIDING = ['causal', 'window', 'keyLengths'];
const FEATURE_MAPS = ['elu', 'relu', 'exp', 'efficient'];

const largest = ({ data }) => data.reduce((a, x) => Math.max(a, Math.abs(x)), 0);
const dot = (a, b) => a.reduce((sum, x, c) => sum + x * b[c], 0);
const change = (tensors, how) =>
  Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, how(tensor)]));

function near(got, want, tolerance, label) {
  assert.equal(explainDifference(got, want, tolerance), '', label);
}

function holds(name, calls, check, runs = 60) {
  it(name, () => {
    const once = (call) => check(makeCall(call), seeded(`check ${call.seed}`), call);
    fc.assert(fc.property(calls, once), { seed: SEED, numRuns: runCount(runs) });
  });
}

/** Checks all results against the oracle within the bounds of the test vectors. */
function agrees(made, oracle, results) {
  const exact = oracle();
  const naive = oracle(Math.fround);
  const formulas = formulasOf(made, exact);
  for (const [name, got] of Object.entries(results)) {
    const { tolerance } = boundOf(exact[name], naive[name], formulas[name]);
    near(got, exact[name], tolerance, `${name} ${JSON.stringify(made.options)}`);
  }
}

// Weights are at least 0 and rows sum to 1 (or are empty); outputs are between the smallest and largest value.
function isConvex({ output, weights }, { full, value, group }, slack) {
  const [batch, heads, qLen, kLen] = full;
  const [, kvHeads, , valueDim] = value.dims;
  for (let row = 0; row < batch * heads * qLen; row++) {
    const numbers = weights.data.subarray(row * kLen, (row + 1) * kLen);
    assert.ok(
      numbers.every((weight) => weight >= 0),
      `row ${row} is at least 0`,
    );
    const sum = numbers.reduce((a, b) => a + b, 0);
    const seen = range(0, kLen).filter((j) => numbers[j] > 0);
    if (seen.length > 0) assert.ok(Math.abs(sum - 1) <= slack, `row ${row} sums to ${sum}`);
    const b = Math.floor(row / (heads * qLen));
    const kv = Math.floor((Math.floor(row / qLen) % heads) / group);
    for (let c = 0; c < valueDim; c++) {
      const first = (b * kvHeads + kv) * kLen;
      const column = seen.map((j) => value.data[(first + j) * valueDim + c]);
      if (seen.length === 0) column.push(0);
      const [low, high] = [Math.min(...column), Math.max(...column)];
      const room = slack * largest(value);
      const number = output.data[row * valueDim + c];
      assert.ok(
        number >= low - room && number <= high + room,
        `row ${row}, ${c}: ${number} is not from ${low} to ${high}`,
      );
    }
  }
}

for (const kernels of ['simd', 'reference']) {
  describe(`properties of kernelAttention, ${kernels} kernels`, async () => {
    const { attention, kernelAttention } = await loadAttention({ kernels });

    const run = ({ query, key, value }, options) => ({
      streamed: kernelAttention(query, key, value, options).output,
      ...kernelAttention(query, key, value, { ...options, weights: true }),
    });

    holds(
      'exponential is attention(), bit by bit',
      arbitraryCall({
        ranks: [2, 3, 4],
        allowed: ['scale', ...HIDING],
        masks: ['none', 'boolean'],
      }),
      ({ query, key, value, options }) => {
        for (const weights of [false, true, 'average']) {
          const asked = { ...options, weights };
          const want = attention(query, key, value, asked);
          const got = kernelAttention(query, key, value, asked);
          assert.deepEqual(Object.keys(got), Object.keys(want));
          sameIn(got, want, String(weights));
          const named = { ...asked, similarity: 'exponential' };
          sameIn(kernelAttention(query, key, value, named), want);
        }
      },
    );

    holds(
      'gaussian with keys of length 1 is attention()',
      arbitraryCall({ allowed: HIDING, masks: ['none', 'boolean'] }),
      ({ query, key, value, options }) => {
        const keyDim = key.dims[3];
        const unit = { dims: key.dims, data: key.data.slice() };
        const sizes = [];
        for (let start = 0; start < unit.data.length; start += keyDim) {
          const row = unit.data.subarray(start, start + keyDim);
          const size = Math.hypot(...row);
          row.forEach((x, c) => (row[c] = x / size));
        }
        for (let start = 0; start < query.data.length; start += keyDim) {
          sizes.push(Math.hypot(...query.data.subarray(start, start + keyDim)));
        }
        const farthest = (Math.max(...sizes) + 1) ** 2;
        for (const bandwidth of [undefined, 0.75]) {
          const gaussian = { ...options, similarity: 'gaussian', bandwidth };
          const scale = bandwidth && 1 / bandwidth ** 2;
          const got = run({ query, key: unit, value }, gaussian);
          const want = attention(query, unit, value, { ...options, scale, weights: true });
          const magnitude = farthest * (scale ?? 1 / Math.sqrt(keyDim));
          const slack = (keyDim + 16) * EPSILON * (1 + magnitude);
          near(got.weights, want.weights, slack, 'weights');
          near(got.output, want.output, slack * largest(value), 'output');
          near(got.streamed, want.output, slack * largest(value), 'streamed');
        }
      },
    );

    const named = {
      exponential: ({ scale, keyDim }) => {
        const factor = scale ?? 1 / Math.sqrt(keyDim);
        return (q, k) => Math.exp(factor * dot(q, k));
      },
      gaussian: ({ bandwidth, keyDim }) => {
        const width = bandwidth ?? keyDim ** 0.25;
        return (q, k) =>
          Math.exp(-(q.reduce((s, x, c) => s + (x - k[c]) ** 2, 0) / 2) / width ** 2);
      },
      laplacian: ({ bandwidth, keyDim }) => {
        const width = bandwidth ?? Math.sqrt(keyDim);
        return (q, k) => Math.exp(-q.reduce((s, x, c) => s + Math.abs(x - k[c]), 0) / width);
      },
      cosine: () => (q, k) => dot(q, k) / (Math.hypot(...q) * Math.hypot(...k)),
      polynomial: ({ scale, constant = 1, degree = 2, keyDim }) => {
        const factor = scale ?? 1 / Math.sqrt(keyDim);
        return (q, k) => (factor * dot(q, k) + constant) ** degree;
      },
    };
    const parameters = {
      exponential: [{}, { scale: -0.5 }],
      gaussian: [{}, { bandwidth: 1.5 }],
      laplacian: [{}, { bandwidth: 3 }],
      cosine: [{}],
      polynomial: [{}, { degree: 3 }, { degree: 4, constant: 0.25, scale: 0.5 }],
    };
    for (const [similarity, function_] of Object.entries(named)) {
      holds(
        `${similarity} agrees with the oracle, and so does the same in JavaScript`,
        arbitraryCall({
          ranks: [2, 3, 4],
          allowed: HIDING,
          masks: ['none', 'boolean'],
          work: 3e4,
          // Cosines of single numbers are 1 and -1; their sums may be 0 up to rounding.
        }).filter(({ spread, keyDim }) => spread === 1 && keyDim > 1),
        ({ query, key, value, options }, random, { keyDim }) => {
          const chosen = parameters[similarity];
          const given = chosen[random.integer(0, chosen.length - 1)];
          const { mask, ...rest } = options;
          const judge = (how) => {
            const made = {
              function: 'kernelAttention',
              inputs: { query, key, value, ...(mask && { mask }) },
              options: { ...rest, ...how },
            };
            const oracle = (round) =>
              oracleKernelAttention(query, key, value, { ...options, ...how }, round);
            const { output, streamed, weights } = run(
              { query, key, value },
              { ...options, ...how },
            );
            agrees(made, oracle, { output, weights });
            agrees(made, oracle, { output: streamed });
          };
          judge({ similarity, ...given });
          judge({ similarity: function_({ ...given, keyDim }) });
        },
        40,
      );
    }

    holds(
      'a JavaScript similarity sees the rows of its head, once each and in order',
      arbitraryCall({ ranks: [2, 3, 4], allowed: [], masks: ['none'], work: 2e4 }),
      ({ query, key, value, options, full }, random, { rank, batch, kvHeads, group }) => {
        const [, heads, qLen, kLen] = full;
        const rows = (tensor, count) => {
          if (rank === 4) return tensor;
          const [length, width] = tensor.dims.slice(-2);
          const split = reshape(tensor, [batch, length, count, width / count]);
          const swapped = [];
          for (let b = 0; b < batch; b++)
            for (let h = 0; h < count; h++) swapped.push(pick(pick(split, 0, [b]), 2, [h]));
          return {
            dims: [batch, count, length, width / count],
            data: Float32Array.from(swapped.flatMap(({ data }) => [...data])),
          };
        };
        const [q, k] = [rows(query, heads), rows(key, kvHeads)];
        const row = ({ dims, data }, ...at) => {
          const start = at.reduce((sum, position, axis) => sum * dims[axis] + position, 0);
          return [...data.subarray(start * dims[3], (start + 1) * dims[3])];
        };
        const pairs = [];
        for (let b = 0; b < batch; b++)
          for (let h = 0; h < heads; h++)
            for (let i = 0; i < qLen; i++)
              for (let j = 0; j < kLen; j++) {
                pairs.push([row(q, b, h, i), row(k, b, Math.floor(h / group), j)]);
              }
        const met = [];
        kernelAttention(query, key, value, {
          ...options,
          similarity(one, other) {
            assert.ok(one instanceof Float32Array && other instanceof Float32Array);
            met.push([[...one], [...other]]);
            return 1;
          },
        });
        assert.deepEqual(met, pairs);
      },
      20,
    );

    it('a JavaScript similarity may change its arguments, call the library, and throw', () => {
      const random = seeded('rude');
      const [query, key, value] = [
        [3, 4],
        [5, 4],
        [5, 2],
      ].map((dims) => normalTensor(random, dims));
      const copies = [query, key, value].map(({ data }) => data.slice());
      const similarity = (q, k) => Math.exp(dot(q, k) / 2);
      const want = kernelAttention(query, key, value, { similarity, weights: true });
      const rude = (q, k) => {
        const answer = similarity(q, k);
        attention(value, value, value, { weights: true });
        kernelAttention(query, key, value, { similarity: () => 1 });
        return answer;
      };
      sameIn(kernelAttention(query, key, value, { similarity: rude, weights: true }), want);
      const spoils = (q, k) => {
        q.fill(NaN);
        k.fill(NaN);
        return 1;
      };
      kernelAttention(query, key, value, { similarity: spoils });
      assert.deepEqual([query.data, key.data, value.data], copies);
      const thrown = new Error('mine');
      const throws = () => {
        throw thrown;
      };
      assert.throws(
        () => kernelAttention(query, key, value, { similarity: throws }),
        (error) => error === thrown,
      );
      sameIn(kernelAttention(query, key, value, { similarity, weights: true }), want);
    });

    holds(
      'what a row does not see does not matter to it, whatever a function says of it',
      arbitraryCall({ needed: ['keyLengths'], allowed: ['causal'], masks: ['none', 'boolean'] }),
      ({ full, options, query, key, value }) => {
        const sees = visibility(
          { batch: full[0], heads: full[1], qLen: full[2], kLen: full[3] },
          options,
        );
        const numbers = [];
        for (let b = 0; b < full[0]; b++)
          for (let h = 0; h < full[1]; h++)
            for (let i = 0; i < full[2]; i++)
              for (let j = 0; j < full[3]; j++) numbers.push(sees(b, h, i, j));
        const weighed = (hidden) => {
          let at = 0;
          const similarity = () => (numbers[at] ? 1 + (at++ % 7) : (at++, hidden));
          return kernelAttention(query, key, value, { ...options, similarity, weights: true });
        };
        const want = weighed(1);
        for (const hidden of [0, NaN, Infinity, -1]) sameIn(weighed(hidden), want, String(hidden));
      },
    );

    for (const options of [
      { similarity: 'exponential' },
      { similarity: 'gaussian' },
      { similarity: 'laplacian', bandwidth: 0.5 },
      { similarity: 'polynomial' },
      { similarity: 'polynomial', degree: 4, constant: -1 },
      { similarity: (q, k) => Math.abs(q[0] * k[0]) },
    ]) {
      const shown = { ...options, similarity: String(options.similarity) };
      holds(
        `weights are shares, outputs among the values: ${JSON.stringify(shown)}`,
        arbitraryCall({ allowed: HIDING, masks: ['none', 'boolean'] }),
        ({ full, options: hiding, ...tensors }, _, { group }) => {
          const got = run(tensors, { ...hiding, ...options });
          const slack = (2 * full[3] + 8) * EPSILON;
          isConvex(got, { full, value: tensors.value, group }, slack);
          isConvex({ ...got, output: got.streamed }, { full, value: tensors.value, group }, slack);
        },
        30,
      );
    }

    it('far keys do not underflow to an empty row', () => {
      const query = { data: Float32Array.of(1000, 0), dims: [1, 2] };
      const key = { data: Float32Array.of(0, 0, -1000, 0), dims: [2, 2] };
      const value = { data: Float32Array.of(1, 2), dims: [2, 1] };
      for (const similarity of ['gaussian', 'laplacian', 'exponential']) {
        const { weights } = kernelAttention(query, key, value, { similarity, weights: true });
        assert.deepEqual([...weights.data], [1, 0], similarity);
      }
    });

    it('a denominator of 0 is a row of zeros', () => {
      const random = seeded('zeros');
      const [query, key, value] = [
        [3, 4],
        [5, 4],
        [5, 2],
      ].map((dims) => normalTensor(random, dims));
      const flat = filled(key, [], 0);
      flat.data.fill(0);
      for (const [keys, options] of [
        [key, { similarity: () => 0 }],
        [flat, { similarity: 'cosine' }],
        [flat, { similarity: 'polynomial', constant: 0 }],
        [key, { similarity: 'gaussian', keyLengths: [0] }],
      ]) {
        const got = kernelAttention(query, keys, value, { ...options, weights: true });
        for (const { data } of [got.output, got.weights]) assert.ok(data.every((x) => x === 0));
      }
    });
  });

  describe(`properties of linearAttention, ${kernels} kernels`, async () => {
    const { linearAttention } = await loadAttention({ kernels });

    const run = ({ query, key, value }, options) => linearAttention(query, key, value, options);
    // Relative errors of sums of this many numbers of one sign.
    const slackOf = (kLen, keyDim) => (2 * kLen + 4 * keyDim + 32) * EPSILON;

    // As many queries as keys, without options.
    const selfCalls = (more) =>
      arbitraryCall({ allowed: [], masks: ['none'], ...more }).map((call) => ({
        ...call,
        qLen: call.kLen,
        spread: 1,
      }));

    for (const featureMap of FEATURE_MAPS) {
      holds(
        `${featureMap} agrees with the oracle`,
        arbitraryCall({
          ranks: [2, 3, 4],
          allowed: ['keyLengths', 'causal'],
          masks: ['none'],
          work: 6e4,
        }).map((call) => ({
          ...call,
          spread: 1,
          qLen: call.options.includes('causal') ? call.kLen : call.qLen,
        })),
        ({ query, key, value, options }, random) => {
          const { offset: _, ...given } = options;
          given.featureMap = featureMap;
          if (featureMap === 'efficient') delete given.causal;
          else {
            given.state = true;
            if (random.chance(0.5)) given.epsilon = 0.125;
          }
          const oracle = (round) =>
            oracleLinearAttention(query, key, value, { ...given, state: undefined }, round);
          const made = {
            function: 'linearAttention',
            inputs: { query, key, value },
            options: given,
          };
          const plain = linearAttention(query, key, value, given);
          const full = linearAttention(query, key, value, { ...given, weights: true });
          sameIn({ output: full.output }, { output: plain.output });
          const { state, ...rest } = full;
          agrees(made, oracle, { ...rest, ...state });
          const averaged = linearAttention(query, key, value, { ...given, weights: 'average' });
          agrees(made, oracle, { averageWeights: averaged.weights });
        },
        40,
      );

      holds(
        `${featureMap}: weights are shares, outputs among the values`,
        arbitraryCall({ allowed: ['keyLengths'], masks: ['none'] }).map((call) => ({
          ...call,
          spread: 1,
        })),
        ({ options, full, ...tensors }, _, { group, keyDim }) => {
          const got = run(tensors, { ...options, featureMap, weights: true });
          isConvex(got, { full, value: tensors.value, group }, slackOf(full[3], keyDim));
        },
        30,
      );

      holds(
        `${featureMap}: the order of the keys does not matter`,
        arbitraryCall({ allowed: [], masks: ['none'] }).map((call) => ({ ...call, spread: 1 })),
        ({ full, options: _, ...tensors }, random, { keyDim }) => {
          const order = shuffled(random, full[3]);
          const moved = {
            query: tensors.query,
            key: pick(tensors.key, 2, order),
            value: pick(tensors.value, 2, order),
          };
          const want = run(tensors, { featureMap, weights: true });
          const got = run(moved, { featureMap, weights: true });
          const slack = 2 * slackOf(full[3], keyDim);
          near(got.output, want.output, slack * largest(tensors.value), 'output');
          near(got.weights, pick(want.weights, 3, order), slack, 'weights');
        },
        30,
      );

      holds(
        `${featureMap}: keys beyond the length, other heads and other entries are not read`,
        arbitraryCall({ needed: ['keyLengths'], allowed: [], masks: ['none'] }),
        ({ options, full, ...tensors }, random, { kvHeads, group }) => {
          const [batch, , , kLen] = full;
          const asked = { ...options, featureMap, weights: true };
          if (featureMap !== 'efficient') asked.state = true;
          const want = run(tensors, asked);
          const beyond = [];
          options.keyLengths.forEach((length, b) => {
            for (let h = 0; h < kvHeads; h++)
              for (let j = length; j < kLen; j++) beyond.push([b, h, j]);
          });
          const spoilt = (where) => ({
            ...tensors,
            key: filled(tensors.key, where, NaN),
            value: filled(tensors.value, where, NaN),
          });
          const got = run(spoilt(beyond), asked);
          sameIn(got, { output: want.output, weights: want.weights });
          if (asked.state) sameIn(got.state, want.state);
          // One head of one entry alone.
          const [b, kv] = [random.integer(0, batch - 1), random.integer(0, kvHeads - 1)];
          const elsewhere = [];
          for (let e = 0; e < batch; e++)
            for (let h = 0; h < kvHeads; h++) if (e !== b || h !== kv) elsewhere.push([e, h]);
          const heads = range(kv * group, (kv + 1) * group);
          const here = (tensor) => pick(pick(tensor, 0, [b]), 1, heads);
          const { output, weights } = run(spoilt(elsewhere), asked);
          sameIn(change({ output, weights }, here), {
            output: here(want.output),
            weights: here(want.weights),
          });
        },
      );
    }

    for (const featureMap of ['elu', 'relu', 'exp']) {
      holds(
        `${featureMap}: token by token, in pieces, whole, and the square of weights are the same`,
        selfCalls({ ranks: [2, 3, 4] }),
        (call, random, { keyDim, rank }) => {
          const { options, full, ...tensors } = call;
          const axis = rank === 3 ? 1 : tensors.query.dims.length - 2;
          const kLen = full[3];
          const asked = { ...options, featureMap, causal: true };
          const slack = 2 * slackOf(kLen, keyDim);
          const room = slack * largest(tensors.value);
          const whole = run(tensors, { ...asked, state: true, weights: true });
          const oracle = oracleLinearAttention(tensors.query, tensors.key, tensors.value, {
            ...options,
            featureMap,
            causal: true,
          });
          near(whole.output, oracle.output, room, 'whole');
          near(whole.weights, oracle.weights, slack, 'weights');
          for (const max of [1, 40]) {
            let state = true;
            const rows = [];
            for (let at = 0; at < kLen;) {
              const to = Math.min(kLen, at + random.integer(1, max));
              const part = change(tensors, (tensor) => pick(tensor, axis, range(at, to)));
              const result = run(part, { ...asked, state });
              state = result.state;
              near(
                result.output,
                pick(whole.output, axis, range(at, to)),
                room,
                `${at} to ${to} of ${kLen}`,
              );
              rows.push(to - at);
              at = to;
            }
            near(state.z, whole.state.z, slack * largest(whole.state.z), 'z');
            const largestSum = largest(whole.state.z) * largest(tensors.value);
            near(state.S, whole.state.S, slack * largestSum, 'S');
          }
        },
        30,
      );

      holds(
        `${featureMap}: the state of A and B is that of A and that of B together`,
        arbitraryCall({ allowed: [], masks: ['none'] }).map((call) => ({ ...call, spread: 1 })),
        ({ full, options: _, ...tensors }, random, { keyDim }) => {
          const { query, key, value } = tensors;
          const kLen = full[3];
          const cut = random.integer(0, kLen);
          const [a, b] = [range(0, cut), range(cut, kLen)].map((rows) => ({
            query,
            key: pick(key, 2, rows),
            value: pick(value, 2, rows),
          }));
          const stateOf = (part, state) => run(part, { featureMap, state });
          const whole = stateOf(tensors, true);
          const [left, right] = [a, b].map((part) => stateOf(part, true).state);
          const sum = (one, other) => ({
            dims: one.dims,
            data: one.data.map((x, at) => x + other.data[at]),
          });
          const slack = 2 * slackOf(kLen, keyDim);
          const sizes = { z: largest(whole.state.z) };
          sizes.S = sizes.z * largest(value);
          const continued = stateOf(b, left);
          for (const name of ['S', 'z']) {
            const room = slack * sizes[name];
            near(sum(left[name], right[name]), whole.state[name], room, name);
            near(continued.state[name], whole.state[name], room, `${name} continued`);
          }
          near(continued.output, whole.output, slack * largest(value), 'output continued');
        },
      );

      holds(
        `${featureMap}: a causal prefix does not feel later keys, values and queries`,
        selfCalls(),
        ({ options: _, full, ...tensors }, random) => {
          const kLen = full[3];
          const cut = random.integer(0, kLen);
          const asked = { featureMap, causal: true, weights: true };
          const prefix = (result) => change(result, (tensor) => pick(tensor, 2, range(0, cut)));
          const want = prefix(run(tensors, asked));
          const heads = tensors.key.dims[1];
          const where = (count) =>
            range(0, full[0]).flatMap((b) =>
              range(0, count).flatMap((h) => range(cut, kLen).map((j) => [b, h, j])),
            );
          for (const number of [NaN, Infinity, 3]) {
            const spoilt = {
              query: filled(tensors.query, where(full[1]), number),
              key: filled(tensors.key, where(heads), number),
              value: filled(tensors.value, where(heads), number),
            };
            sameIn(prefix(run(spoilt, asked)), want, String(number));
          }
        },
      );
    }

    holds(
      'grouped heads are repeated keys and values',
      arbitraryCall({ allowed: ['keyLengths'], masks: ['none'] }).filter(({ group }) => group > 1),
      ({ options, full, ...tensors }, _, { group }) => {
        const owners = range(0, full[1]).map((h) => Math.floor(h / group));
        const repeated = {
          query: tensors.query,
          key: pick(tensors.key, 1, owners),
          value: pick(tensors.value, 1, owners),
        };
        for (const featureMap of FEATURE_MAPS) {
          const asked = { ...options, featureMap, weights: true };
          sameIn(run(repeated, asked), run(tensors, asked), featureMap);
        }
      },
    );

    holds(
      'rank 3 is rank 4',
      arbitraryCall({ allowed: ['keyLengths'], masks: ['none'] }),
      ({ options, full, ...tensors }, _, { kvHeads }) => {
        for (const featureMap of FEATURE_MAPS) {
          const asked = { ...options, featureMap, weights: true };
          const { output, weights } = run(tensors, asked);
          const named = { ...asked, heads: full[1], kvHeads };
          sameIn(run(change(tensors, packHeads), named), { output: packHeads(output), weights });
        }
      },
    );

    it('returns a state only if requested; epsilon is in the denominator', () => {
      const random = seeded('state');
      const x = normalTensor(random, [2, 5, 6]);
      const options = { heads: 3, kvHeads: 3 };
      assert.deepEqual(Object.keys(linearAttention(x, x, x, options)), ['output']);
      for (const state of [false, undefined, null]) {
        assert.deepEqual(Object.keys(linearAttention(x, x, x, { ...options, state })), ['output']);
      }
      const { state } = linearAttention(x, x, x, { ...options, state: true });
      assert.deepEqual(
        [state.S.dims, state.z.dims],
        [
          [2, 3, 2, 2],
          [2, 3, 2],
        ],
      );
      const alone = { data: x.data.slice(0, 30), dims: [5, 6] };
      const flat = linearAttention(alone, alone, alone, { state: true }).state;
      assert.deepEqual(
        [flat.S.dims, flat.z.dims],
        [
          [1, 1, 6, 6],
          [1, 1, 6],
        ],
      );
      const before = change(state, ({ data }) => ({ data: data.slice(), dims: [] }));
      linearAttention(x, x, x, { ...options, state });
      for (const name of ['S', 'z']) assert.deepEqual(state[name].data, before[name].data, name);

      const one = { data: Float32Array.of(1), dims: [1, 1] };
      const { output } = linearAttention(one, one, one, { featureMap: 'relu', epsilon: 3 });
      assert.equal(output.data[0], 0.25);
      const negative = { data: Float32Array.of(-1), dims: [1, 1] };
      const asked = { featureMap: 'relu', weights: true };
      const empty = linearAttention(negative, one, one, asked);
      assert.deepEqual([empty.output.data[0], empty.weights.data[0]], [0, 0]);
    });
  });

  describe(`properties of rotaryEmbedding, ${kernels} kernels`, async () => {
    const { rotaryEmbedding } = await loadAttention({ kernels });

    const arbitraryRotation = fc.record({
      seed: fc.integer({ min: 0, max: 1e6 }),
      rank: fc.constantFrom(2, 3, 4),
      batch: fc.integer({ min: 1, max: 3 }),
      heads: fc.integer({ min: 1, max: 3 }),
      length: fc.integer({ min: 1, max: 9 }),
      half: fc.integer({ min: 1, max: 9 }),
      rest: fc.integer({ min: 0, max: 3 }),
      base: fc.constantFrom(undefined, 100, 5e5),
      offset: fc.constantFrom(undefined, 3, -2, 0.5, 100000),
      interleaved: fc.boolean(),
    });

    function makeRotation(drawn) {
      const { seed, rank, heads, length, half, rest, ...options } = drawn;
      const batch = rank === 2 ? 1 : drawn.batch;
      const random = seeded(`rotation ${seed}`);
      const d = 2 * half + rest;
      const dims = {
        4: [batch, heads, length, d],
        3: [batch, length, heads * d],
        2: [length, heads * d],
      }[rank];
      const { base, offset, interleaved } = options;
      return {
        x: normalTensor(random, dims),
        options: { heads, width: 2 * half, interleaved, base, offset },
        sizes: { batch, heads, length, d, half },
        random,
      };
    }

    function rotates(name, check) {
      it(name, () => {
        const once = (drawn) => check(makeRotation(drawn));
        fc.assert(fc.property(arbitraryRotation, once), { seed: SEED, numRuns: runCount(80) });
      });
    }

    /** Start indices of the heads in each row. */
    const headStarts = ({ data }, { d }) => range(0, data.length / d).map((at) => at * d);
    const pairOf = ({ interleaved }, { half }) =>
      interleaved ? (c) => [2 * c, 2 * c + 1] : (c) => [c, c + half];

    rotates('agrees with the oracle', ({ x, options }) => {
      const exact = oracleRotaryEmbedding(x, options);
      near(rotaryEmbedding(x, options), exact, 16 * EPSILON * 2 * largest(x), 'rotated');
    });

    rotates('keeps the length of every pair, and all beyond the width as it was', (call) => {
      const { x, options, sizes } = call;
      const got = rotaryEmbedding(x, options);
      assert.deepEqual(got.dims, x.dims);
      const pair = pairOf(options, sizes);
      for (const start of headStarts(x, sizes)) {
        for (let c = 0; c < sizes.half; c++) {
          const [a, b] = pair(c).map((at) => start + at);
          const before = Math.hypot(x.data[a], x.data[b]);
          const after = Math.hypot(got.data[a], got.data[b]);
          assert.ok(Math.abs(after - before) <= 8 * EPSILON * before, `${after}, not ${before}`);
        }
        const beyond = range(start + options.width, start + sizes.d);
        for (const at of beyond) assert.ok(Object.is(got.data[at], x.data[at]));
      }
    });

    rotates('interleaved is paired with its numbers in another order', ({ x, options, sizes }) => {
      const order = range(0, sizes.half).flatMap((c) => [c, c + sizes.half]);
      const rest = range(options.width, sizes.d);
      const interleave = ({ data, dims }) => {
        const out = data.slice();
        for (const start of headStarts(x, sizes)) {
          [...order, ...rest].forEach((from, to) => (out[start + to] = data[start + from]));
        }
        return { data: out, dims };
      };
      const paired = rotaryEmbedding(x, { ...options, interleaved: false });
      const interleaved = rotaryEmbedding(interleave(x), { ...options, interleaved: true });
      sameIn({ interleaved }, { interleaved: interleave(paired) });
    });

    rotates('positions say where rows are, and offset where the first is', (call) => {
      const { x, options, sizes, random } = call;
      const { offset = 0, ...rest } = options;
      const { batch, length } = sizes;
      const want = rotaryEmbedding(x, options);
      const line = range(0, length).map((row) => offset + row);
      const every = range(0, batch).flatMap(() => line);
      for (const positions of [line, every, Float64Array.from(line)]) {
        sameIn({ x: rotaryEmbedding(x, { ...rest, positions }) }, { x: want });
      }
      if (x.dims.length < 3) return;
      // Each batch entry at its own positions equals the entry alone.
      const own = range(0, batch * length).map(() => random.integer(-50, 50) / 2);
      const got = rotaryEmbedding(x, { ...rest, positions: own });
      for (let b = 0; b < batch; b++) {
        const positions = own.slice(b * length, (b + 1) * length);
        const alone = rotaryEmbedding(pick(x, 0, [b]), { ...rest, positions });
        sameIn({ x: pick(got, 0, [b]) }, { x: alone });
      }
    });

    rotates('turned back it is what it was', ({ x, options, sizes }) => {
      const positions = range(0, sizes.length).map((row) => row + 7);
      const { offset: _, ...rest } = options;
      const there = rotaryEmbedding(x, { ...rest, positions });
      const back = rotaryEmbedding(there, { ...rest, positions: positions.map((p) => -p) });
      near(back, x, 32 * EPSILON * largest(x), 'back');
    });

    rotates('cos and sin given are those of the angles', ({ x, options, sizes }) => {
      const { width, interleaved, heads, base = 10000, offset = 0 } = options;
      const { length, half } = sizes;
      const angles = range(0, length).flatMap((row) =>
        range(0, half).map((c) => (offset + row) * base ** ((-2 * c) / width)),
      );
      const table = (of) => ({ data: Float32Array.from(angles, of), dims: [length, half] });
      const given = { cos: table(Math.cos), sin: table(Math.sin), width, interleaved, heads };
      const want = rotaryEmbedding(x, options);
      near(rotaryEmbedding(x, given), want, 16 * EPSILON * largest(x), 'given');
    });

    it('makes dot products depend on the distance alone', () => {
      const random = seeded('distance');
      for (const interleaved of [false, true]) {
        const [q, k] = [0, 1].map(() => normalTensor(random, [1, 16]));
        const at = (x, position) => rotaryEmbedding(x, { interleaved, offset: position }).data;
        const sizes = dot(q.data.map(Math.abs), k.data.map(Math.abs));
        const tolerance = 64 * EPSILON * 2 * sizes;
        for (const distance of [0, 1, 5, 63]) {
          const want = dot(at(q, distance), at(k, 0));
          for (const n of [1, 2, 17, 1000, 1_000_000]) {
            const off = Math.abs(dot(at(q, n + distance), at(k, n)) - want);
            assert.ok(off <= tolerance, `${off} at ${n}, distance ${distance}`);
          }
          const further = dot(at(q, distance + 1), at(k, 0));
          assert.ok(Math.abs(further - want) > tolerance, 'it does depend on the distance');
        }
      }
    });

    it('changes nothing at position 0, or with width 0', () => {
      const x = normalTensor(seeded('still'), [3, 8]);
      sameIn({ x: rotaryEmbedding(x, { positions: [0, 0, 0] }) }, { x });
      sameIn({ x: rotaryEmbedding(x, { width: 0, offset: 5 }) }, { x });
      assert.notEqual(explainBitDifference(rotaryEmbedding(x), x), '');
    });
  });
}
