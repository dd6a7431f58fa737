// Runs every test vector on every path of the library, in Node, in a page and in a worker alike: both
// kernels, streamed, with weights and scores kept, and in three steps; the family's as family_calls.js
// says. Tells what is wrong, and a fingerprint of all result bits of every case, for comparing engines.

import { explainDifference } from '../support/js/compare.js';
import { expectsExactZeros, familyPaths } from '../support/js/family_calls.js';
import { readFamilyVectors } from '../support/js/family_vectors.js';
import { readVectors } from '../support/js/vectors.js';

const kernels = ['reference', 'simd'];

/**
 * @param {typeof import('attention-wasm').loadAttention} loadAttention
 * @param {[object, Uint8Array][]} files each vector file, parsed, and its buffer
 * @returns {Promise<{ cases: number, compared: number, problems: string[], fingerprints: Record<string, string> }>}
 */
export async function runVectors(loadAttention, files) {
  const report = { cases: 0, compared: 0, problems: [], fingerprints: {} };
  for (const [json, bytes] of files) {
    const { read, run } = runners[json.format];
    const cases = read(json, bytes);
    report.cases += cases.length;
    for (const kernel of kernels) {
      const api = await loadAttention({ kernels: kernel });
      for (const one of cases) run(api, kernel, one, report);
    }
  }
  return report;
}

const runners = {
  'attention-vectors': { read: readVectors, run: runCase },
  'attention-family-vectors': { read: readFamilyVectors, run: runFamilyCase },
};

function runCase(api, kernel, { name, query, key, value, options, expected, tolerance }, report) {
  const fingerprint = startFingerprint();
  const check = (path, what, kind, tensor) => {
    fingerprint.add(tensor);
    if (!expected[what]) return;
    report.compared++;
    const problem = explainDifference(tensor, expected[what], tolerance[kind]);
    if (problem) report.problems.push(`${name}, ${kernel}, ${path}: ${what}: ${problem}`);
  };
  const attend = (more) => api.attention(query, key, value, { ...options, ...more });

  try {
    const streamed = attend({ logSumExp: true });
    check('streamed', 'output', 'output', streamed.output);
    check('streamed', 'logSumExp', 'logSumExp', streamed.logSumExp);

    const kept = attend({ weights: true, scores: 'biased', logSumExp: true });
    check('kept', 'output', 'output', kept.output);
    check('kept', 'weights', 'weights', kept.weights);
    check('kept', 'biasedScores', 'scores', kept.scores);
    check('kept', 'logSumExp', 'logSumExp', kept.logSumExp);

    const average = attend({ weights: 'average', scores: 'capped' });
    check('averaged', 'averageWeights', 'weights', average.weights);
    check('averaged', 'cappedScores', 'scores', average.scores);
    check('raw', 'rawScores', 'scores', attend({ scores: 'raw' }).scores);

    const scores = api.scores(query, key, options);
    const weights = api.softmax(scores, options);
    check('steps', 'biasedScores', 'scores', scores);
    check('steps', 'weights', 'weights', weights);
    check('steps', 'output', 'output', api.weightedSum(weights, value, options));
  } catch (error) {
    report.problems.push(`${name}, ${kernel}: ${error}`);
  }
  report.fingerprints[`${name}, ${kernel}`] = fingerprint.text();
}

function runFamilyCase(api, kernel, vector, report) {
  const fingerprint = startFingerprint();
  const { name, expected, tolerance } = vector;
  try {
    for (const { path, results } of familyPaths(api, vector)) {
      for (const [what, tensor] of Object.entries(results)) {
        fingerprint.add(tensor);
        if (!expected[what]) continue;
        report.compared++;
        const exactZeros = expectsExactZeros(vector, what);
        const problem = explainDifference(tensor, expected[what], tolerance[what], { exactZeros });
        if (problem) report.problems.push(`${name}, ${kernel}, ${path}: ${what}: ${problem}`);
      }
    }
  } catch (error) {
    report.problems.push(`${name}, ${kernel}: ${error}`);
  }
  report.fingerprints[`${name}, ${kernel}`] = fingerprint.text();
}

/** FNV-1a over dims and bits, twice with different starts. The bits of a NaN are wasm's to choose: any is one. */
function startFingerprint() {
  const state = Int32Array.of(0x811c9dc5, 0x2f0b4a27);
  const mix = (word) => {
    for (let half = 0; half < 2; half++) state[half] = Math.imul(state[half] ^ word, 0x01000193);
    state[1] ^= state[1] >>> 15;
  };
  return {
    add({ dims, data }) {
      mix(dims.length);
      for (const dim of dims) mix(dim);
      const words = new Uint32Array(data.buffer, data.byteOffset, data.length);
      data.forEach((number, at) => mix(Number.isNaN(number) ? 0x7fc00000 : words[at]));
    },
    text: () => [...state].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join(''),
  };
}
