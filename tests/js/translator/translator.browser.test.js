// attention-wasm/translator in real browsers, under a strict content security policy: the same translations and weights as
// in Node.js; files are fetched when a translator is loaded, not before.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadTranslator } from 'attention-wasm/translator';
import { inBrowsers, serve } from '../../support/js/browser.js';
import { root } from '../../support/js/package.js';
import { runTranslatorCases } from '../../support/browser/translator_cases.js';

const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

describe('the translator in browsers', { timeout: 300_000 }, () => {
  let server;
  let inNode;

  before(async () => {
    inNode = runTranslatorCases(await loadTranslator());
    server = await serve([root], { headers: { 'Content-Security-Policy': policy } });
  });

  after(() => server?.close());

  inBrowsers(
    () => server,
    'translator_page.js',
    (at) => {
      it('gives the results of Node.js, without console output', async () => {
        const report = await at.page.evaluate(() => globalThis.report);
        assert.deepEqual(report, inNode);
        assert.deepEqual(at.said, []);
      });

      it('fetches two files', async () => {
        const fetched = await at.page.evaluate(() =>
          performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
        );
        const files = fetched.filter((path) => path.startsWith('/web/model/'));
        assert.deepEqual(files.sort(), [
          '/web/model/english_french.safetensors',
          '/web/model/tokenizer.json',
        ]);
      });

      it('names missing files', async () => {
        const message = await at.page.evaluate(() =>
          globalThis.loadFrom('nowhere.safetensors').then(
            () => '',
            (error) => error.message,
          ),
        );
        assert.match(message, /nowhere\.safetensors was answered with status 404$/);
      });
    },
  );
});
