// The test vectors in real browsers, in a page and in a worker, under a strict content security policy:
// right numbers, the same bits as in Node, and not a word on the console.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { launch, listen, serve } from '../support/js/browser.js';
import { root } from '../support/js/package.js';
import { runVectors } from '../support/browser/run_vectors.js';

const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; style-src 'self'";
const fixture = (name) => readFile(join(root, 'tests/vectors', name));

describe('test vectors in browsers', { timeout: 300_000 }, () => {
  let server;
  let inNode;
  let everywhere;

  before(async () => {
    server = await serve([root], { headers: { 'Content-Security-Policy': policy } });
    const json = JSON.parse(await fixture('vectors.json'));
    everywhere = JSON.parse(await fixture('fingerprints.json'));
    inNode = await runVectors(loadAttention, json, new Uint8Array(await fixture('vectors.bin')));
  });

  after(() => server?.close());

  it('are as many as there should be, and right in Node', () => {
    assert.deepEqual(inNode.problems, []);
    assert.ok(inNode.cases >= 600, `${inNode.cases} cases`);
    assert.ok(inNode.compared > 8 * inNode.cases, `${inNode.compared} comparisons`);
    // Different results have different fingerprints: only cases that are meant to agree do.
    assert.ok(new Set(Object.values(inNode.fingerprints)).size > inNode.cases / 2);
  });

  for (const name of ['chromium', 'firefox']) {
    describe(name, () => {
      let browser;
      let page;
      let said;
      let reports;

      before(async () => {
        browser = await launch(name);
        page = await browser.newPage();
        said = listen(page);
        await page.goto(`${server.url}tests/support/browser/vectors.html`);
        reports = await page.evaluate(() => globalThis.reports);
      });

      after(() => browser?.close());

      for (const place of ['page', 'worker']) {
        it(`are right in a ${place}`, () => {
          const { cases, compared, problems } = reports[place];
          assert.deepEqual(problems, []);
          assert.deepEqual({ cases, compared }, { cases: inNode.cases, compared: inNode.compared });
        });

        it(`have the bits of Node in a ${place}`, () => {
          assert.deepEqual(reports[place].fingerprints, inNode.fingerprints);
          assert.deepEqual(reports[place].functions, everywhere);
        });
      }

      it('cause no message, no error and no violation of the policy', async () => {
        assert.deepEqual(reports.violations, []);
        assert.deepEqual(said, []);
        // The silence means something: this page's words do arrive.
        await page.evaluate(() => console.debug('a word'));
        for (let wait = 0; wait < 50 && said.length === 0; wait++) {
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        assert.deepEqual(said, ['console debug: a word']);
      });

      it('ran under the policy', async () => {
        // In a timeout, because what a test evaluates directly is exempt.
        const evaluated = await page.evaluate(
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
    });
  }
});
