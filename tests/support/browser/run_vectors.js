// Runs every test vector on every path of the library (vector_calls.js), with all kernels, in Node.js, a page or a
// worker. Reports differences, and a fingerprint of all result bits of each case to compare engines.

import { startFingerprint } from '../js/fingerprint.js';
import { fixtureFingerprints } from '../js/fixture_fingerprints.js';
import { vectorProblems } from '../js/vector_calls.js';
import { readVectors } from '../js/vectors.js';

/**
 * @param {typeof import('attention-wasm').loadAttention} loadAttention
 * @param {import('attention-wasm').FusedKernels} fused
 * @param {object} json the vector file, parsed
 * @param {Uint8Array} bytes its buffer
 * @returns {Promise<{ cases: number, compared: number, problems: string[], fingerprints: Record<string, string>,
 *   functions: Record<string, Record<string, string>> }>} functions: see tests/vectors/fingerprints.json
 */
export async function runVectors(loadAttention, fused, json, bytes) {
  const vectors = readVectors(json, bytes);
  const report = {
    cases: vectors.length,
    compared: 0,
    problems: [],
    fingerprints: {},
    functions: {},
  };
  for (const chosen of /** @type {const} */ (['reference', 'simd', fused])) {
    const api = await loadAttention({ kernels: chosen });
    const kernel = api.kernels;
    if (kernel in report.functions) continue; // fused in an engine without relaxed SIMD
    for (const vector of vectors) runCase(api, `${vector.name}, ${kernel}`, vector, report);
    if (report.problems.length === 0) report.functions[kernel] = fixtureFingerprints(api, vectors);
  }
  return report;
}

function runCase(api, label, vector, report) {
  const fingerprint = startFingerprint();
  const seen = ({ results }) => {
    for (const [name, tensor] of Object.entries(results)) {
      fingerprint.add(tensor);
      if (vector.expected[name]) report.compared++;
    }
  };
  try {
    const problems = vectorProblems(api, vector, seen);
    for (const problem of problems) report.problems.push(`${label}, ${problem}`);
  } catch (error) {
    report.problems.push(`${label}: ${error}`);
  }
  report.fingerprints[label] = fingerprint.text();
}
