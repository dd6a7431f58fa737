// attention-wasm/translator in real browsers, under a strict content security policy: the translations and
// the weights that Node.js gives, from files that are fetched when a translator is loaded and not before.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadTranslator } from 'attention-wasm/translator';
import { launch, listen, serve } from '../../support/js/browser.js';
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

  for (const name of ['chromium', 'firefox']) {
    describe(name, () => {
      let browser;
      let page;
      let said;
      const fetched = [];

      before(async () => {
        browser = await launch(name);
        page = await browser.newPage();
        said = listen(page);
        page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
        await page.goto(new URL('tests/support/browser/translator.html', server.url).href);
      });

      after(() => browser?.close());

      it('gives what Node.js gives, silently', async () => {
        const report = await page.evaluate(() => globalThis.report);
        assert.deepEqual(report, inNode);
        assert.deepEqual(said, []);
      });

      it('fetches two files of its own', () => {
        const files = fetched.filter((path) => path.startsWith('/web/model/'));
        assert.deepEqual(files.sort(), [
          '/web/model/english_french.safetensors',
          '/web/model/tokenizer.json',
        ]);
      });

      it('says what is missing', async () => {
        const message = await page.evaluate(() =>
          globalThis.loadFrom('nowhere.safetensors').then(
            () => '',
            (error) => error.message,
          ),
        );
        assert.match(message, /nowhere\.safetensors was answered with status 404$/);
      });
    });
  }
});
