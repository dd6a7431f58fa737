// One digest over the results of all fixtures on every path, for each kernel implementation: no bit changes unnoticed.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';

import { resultDigest } from '../support/js/digest.js';
import { callsWithoutTensors, everyCall } from '../support/js/every_call.js';
import { readVectors } from '../support/js/vectors.js';

// Valid reasons to change them: intended changes of arithmetic (named in the commit), new or
// changed cases, a new call in every_call.js. Not valid: moved code, records, layouts, names, compilers.
// The digests of parts narrow down a difference.
const expected = {
  simd: {
    all: '18cce1d6c55a66b54a0ef9ada87abe1a4b0584475dc356257f0e84b98578e390',
    attention: '05d66d058719bb7b',
    kernelAttention: '1b4315b791392eab',
    linearAttention: '4c12725443b9cccf',
    multiHeadAttention: 'bce1d7fa4b19cf37',
    positions: '49be017c3ab348cb',
    rotaryEmbedding: 'b05b454a00df18fb',
    transformerDecoderLayer: '2e6293f01146fa85',
    transformerEncoderLayer: '1b1c05baa92bb56f',
  },
  reference: {
    all: '3c6014b64e3ae4029b2b496ac265916390721171a79e976d2ee01d11361ee759',
    attention: '91559f0e27dc6441',
    kernelAttention: 'bbd47f098194d41a',
    linearAttention: 'a758a404a24f9583',
    multiHeadAttention: 'aace45976b65d1fc',
    positions: '49be017c3ab348cb',
    rotaryEmbedding: 'b05b454a00df18fb',
    transformerDecoderLayer: '11fa17c0038ba53c',
    transformerEncoderLayer: 'c689cab2f643df66',
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
