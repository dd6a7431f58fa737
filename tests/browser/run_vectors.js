// Runs every test vector on every path of the library (vector_calls.js), with both kernels, in Node, in a page and in a
// worker alike. Tells what is wrong, and a fingerprint of all result bits of every case, for comparing engines.

import { vectorProblems } from '../support/js/vector_calls.js';
import { readVectors } from '../support/js/vectors.js';

const kernels = ['reference', 'simd'];

/**
 * @param {typeof import('attention-wasm').loadAttention} loadAttention
 * @param {object} json the vector file, parsed
 * @param {Uint8Array} bytes its buffer
 * @returns {Promise<{ cases: number, compared: number, problems: string[], fingerprints: Record<string, string> }>}
 */
export async function runVectors(loadAttention, json, bytes) {
  const vectors = readVectors(json, bytes);
  const report = { cases: vectors.length, compared: 0, problems: [], fingerprints: {} };
  for (const kernel of kernels) {
    const api = await loadAttention({ kernels: kernel });
    for (const vector of vectors) runCase(api, `${vector.name}, ${kernel}`, vector, report);
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
