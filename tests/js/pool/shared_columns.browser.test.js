// Workers of a model in a page share memory where the page is isolated, and only there; the bits are those of Node.js.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { runModelCases } from '../../support/browser/models_cases.js';
import { assertSilent, inBrowsers, serve } from '../../support/js/browser.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { root } from '../../support/js/package.js';

const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

for (const [kind, headers] of Object.entries({ isolated: isolation, ordinary: {} })) {
  describe(`a model on a pool in an ${kind} page`, { timeout: 120_000 }, () => {
    let server;
    before(async () => {
      server = await serve([root], { headers: { ...headers, 'Content-Security-Policy': policy } });
    });
    after(() => server?.close());

    inBrowsers(
      () => server,
      'divided_model_page.js',
      (at) => {
        it('has the bits of one thread in Node.js', async () => {
          const { page, said } = at;
          const found = await page.evaluate(() => globalThis.runDivided('llama'));
          const fingerprints = await runModelCases(loadModel, { llama: cases.llama });
          assert.deepEqual(found, { shared: kind === 'isolated', fingerprints });
          await assertSilent(page, said);
        });
      },
    );
  });
}
