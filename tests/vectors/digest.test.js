// Bits do not change unseen: one digest over all fixtures, on every path, for each implementation of the kernels.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';

import { resultDigest } from '../support/js/digest.js';
import { callsWithoutTensors, everyCall } from '../support/js/every_call.js';
import { readVectors } from '../support/js/vectors.js';

// What may change these: arithmetic that is meant to give other bits (say so in the commit), cases that are added or
// changed, a call that is added to every_call.js. Moving code, records, layouts and names may not, nor may a compiler.
// The parts tell where to look.
const expected = {
  simd: {
    all: '398bdd3fb8b557ffb4a687b0b2730ce0d4d792a1148f0031ccb648c8ddcd0d32',
    attention: '05d66d058719bb7b',
    kernelAttention: '1b4315b791392eab',
    linearAttention: '4c12725443b9cccf',
    multiHeadAttention: 'fe5d7a9b451be68b',
    positions: '49be017c3ab348cb',
    rotaryEmbedding: 'b05b454a00df18fb',
    transformerDecoderLayer: 'e1fc9d79f96562b0',
    transformerEncoderLayer: 'cc833576ddf263f6',
  },
  reference: {
    all: '0099c199f4627de4cb1b9970e5b25739f1337d9431864a3d27b756170c419606',
    attention: '91559f0e27dc6441',
    kernelAttention: 'bbd47f098194d41a',
    linearAttention: 'a758a404a24f9583',
    multiHeadAttention: '7e60960ab1ec61a5',
    positions: '49be017c3ab348cb',
    rotaryEmbedding: 'b05b454a00df18fb',
    transformerDecoderLayer: '97a394975585c96e',
    transformerEncoderLayer: 'fb5fa4848c56c6f6',
  },
};

const fixture = (name) => readFileSync(new URL(`./${name}`, import.meta.url));

const allCases = readVectors(JSON.parse(fixture('vectors.json')), fixture('vectors.bin')).sort(
  (a, b) => (a.name < b.name ? -1 : 1),
);

for (const kernels of ['simd', 'reference']) {
  describe(`digest, ${kernels} kernels`, async () => {
    const api = await loadAttention({ kernels });

    it('over all fixtures is what it was', (t) => {
      const all = resultDigest();
      const parts = {};
      const add = (part, path, results) => {
        parts[part] ??= resultDigest();
        for (const digest of [all, parts[part]]) digest.add(path, results);
      };
      for (const { path, results } of callsWithoutTensors(api)) add('positions', path, results);
      for (const one of allCases) {
        for (const { path, results } of everyCall(api, one)) {
          add(one.function, `${one.name}: ${path}`, results);
        }
      }
      const found = { all: all.hex() };
      for (const [part, digest] of Object.entries(parts)) found[part] = digest.hex().slice(0, 16);
      const count = all.numbers.toLocaleString('en');
      t.diagnostic(`note: digest over all fixtures, ${kernels}: ${found.all} (${count} numbers)`);
      assert.deepEqual(found, expected[kernels]);
    });
  });
}
