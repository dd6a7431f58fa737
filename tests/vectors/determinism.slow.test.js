// Bits in this engine equal those of every other engine (tests/vectors/fingerprints.json; GoogleTest and the
// browsers compare with the same file), also for each query alone and for any number of workers. `node tests/release/determinism.js`
// prints them all side by side.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';
import { fused } from 'attention-wasm/fused';
import { loadAttentionPool } from 'attention-wasm/pool';

import { attentionByRows, fixtureFingerprints } from '../support/js/fixture_fingerprints.js';
import { largeCallsFingerprint } from '../support/js/large_calls.js';
import { readVectors } from '../support/js/vectors.js';

const fixture = (name) => readFileSync(new URL(`./${name}`, import.meta.url));
const expected = JSON.parse(fixture('fingerprints.json'));
const cases = readVectors(JSON.parse(fixture('vectors.json')), fixture('vectors.bin'));

describe('results', () => {
  for (const chosen of ['simd', 'reference', fused]) {
    const kernels = chosen.name ?? chosen;
    it(`have the bits of every engine, ${kernels} kernels`, async () => {
      const api = await loadAttention({ kernels: chosen });
      assert.deepEqual(fixtureFingerprints(api, cases), expected[api.kernels]);
    });

    it(`have their bits with each query alone, ${kernels} kernels`, async () => {
      const api = await loadAttention({ kernels: chosen });
      const calls = cases.filter((one) => one.function === 'attention');
      const { attention } = fixtureFingerprints({ ...api, attention: attentionByRows(api) }, calls);
      assert.equal(attention, expected[api.kernels].attention);
    });
  }

  it('have their bits on one to four workers', async (t) => {
    const want = await largeCallsFingerprint(await loadAttention());
    const wantOfFused = await largeCallsFingerprint(await loadAttention({ kernels: fused }));
    for (let workers = 1; workers <= 4; workers++) {
      for (const kernels of ['simd', fused]) {
        const pool = await loadAttentionPool({ workers, kernels });
        const found = await largeCallsFingerprint(pool);
        await pool.close();
        assert.equal(found, kernels === fused ? wantOfFused : want, `${workers} workers`);
      }
    }
    t.diagnostic(`note: large calls have the fingerprint ${want} on 0 to 4 workers`);
  });
});
