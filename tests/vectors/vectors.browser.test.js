// The test vectors in real browsers, in a page and in a worker, under a strict content security policy:
// correct numbers, the same bits as in Node.js, and nothing on the console.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { fused } from 'attention-wasm/fused';
import { assertSilent, inBrowsers, serve } from '../support/js/browser.js';
import { root } from '../support/js/package.js';
import { runVectors } from '../support/browser/run_vectors.js';

const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'self'";
/** Comparisons for each set of kernels. */
const comparedEach = ({ compared, functions }) => compared / Object.keys(functions).length;

const fixture = (name) => readFile(join(root, 'tests/vectors', name));

describe('test vectors in browsers', { timeout: 300_000 }, () => {
  let server;
  let inNode;
  let everywhere;

  before(async () => {
    server = await serve([root], { headers: { 'Content-Security-Policy': policy } });
    const json = JSON.parse(await fixture('vectors.json'));
    everywhere = JSON.parse(await fixture('fingerprints.json'));
    const bytes = new Uint8Array(await fixture('vectors.bin'));
    inNode = await runVectors(loadAttention, fused, json, bytes);
  });

  after(() => server?.close());

  it('are as many as there should be, and right in Node', () => {
    assert.deepEqual(inNode.problems, []);
    assert.ok(inNode.cases >= 600, `${inNode.cases} cases`);
    assert.ok(inNode.compared > 8 * inNode.cases, `${inNode.compared} comparisons`);
    // Different results have different fingerprints; only cases with equal results share one.
    assert.ok(new Set(Object.values(inNode.fingerprints)).size > inNode.cases / 2);
  });

  inBrowsers(
    () => server,
    'vectors_page.js',
    (at) => {
      let reports;
      let hasRelaxedSimd;
      before(async () => {
        reports = await at.page.evaluate(() => globalThis.reports);
        hasRelaxedSimd = await at.page.evaluate(() => globalThis.hasRelaxedSimd);
      });

      for (const place of ['page', 'worker']) {
        it(`are right in a ${place}`, () => {
          const { cases, problems, functions } = reports[place];
          assert.deepEqual(problems, []);
          assert.equal(cases, inNode.cases);
          assert.equal(comparedEach(reports[place]), comparedEach(inNode));
          const sets = ['reference', 'simd', ...(hasRelaxedSimd ? ['fused'] : [])];
          assert.deepEqual(Object.keys(functions), sets);
        });

        it(`have the bits of Node in a ${place}`, () => {
          const { fingerprints, functions } = reports[place];
          const ofNode = Object.keys(inNode.fingerprints).map((name) => [name, fingerprints[name]]);
          assert.deepEqual(Object.fromEntries(ofNode), inNode.fingerprints);
          for (const [kernels, found] of Object.entries(functions)) {
            assert.deepEqual(found, everywhere[kernels], kernels);
          }
        });
      }

      it('cause no message, no error and no violation of the policy', async () => {
        assert.deepEqual(reports.violations, []);
        await assertSilent(at.page, at.said);
      });

      it('ran under the policy', async () => {
        // In a timeout, because what a test evaluates directly is exempt.
        const evaluated = await at.page.evaluate(
          () =>
            new Promise((resolve) => {
              setTimeout(() => {
                try {
                  // eslint-disable-next-line no-eval -- the policy must refuse it
                  resolve(globalThis.eval('1'));
                } catch (error) {
                  resolve(error.name);
                }
              });
            }),
        );
        assert.equal(evaluated, 'EvalError');
      });
    },
  );
});
