// attention-wasm/models in real browsers, under a strict content security policy: the same bits as in Node.js, from a
// server's folder, from files and from the origin private file system.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { inBrowsers, serve } from '../../support/js/browser.js';
import { byteLevel, cases, withTokens } from '../../support/js/models_with_tokens.js';
import { root } from '../../support/js/package.js';
import { runModelCases, runText } from '../../support/browser/models_cases.js';

const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

describe('models in browsers', { timeout: 300_000 }, () => {
  let server;
  let folder;
  let inNode;
  let textInNode;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'attention-wasm-pages-'));
    const { config, weights, tokenizer } = withTokens('gpt2', 258, byteLevel([['a', 't']]));
    await mkdir(join(folder, 'model'));
    const path = (name) => join(folder, 'model', name);
    await writeFile(path('config.json'), JSON.stringify(config));
    await writeFile(path('tokenizer.json'), JSON.stringify(tokenizer));
    await writeFile(path('model.safetensors'), writeSafetensors(weights));
    inNode = await runModelCases(loadModel, cases);
    textInNode = await runText(loadModel, join(folder, 'model'));
    server = await serve([root, folder], { headers: { 'Content-Security-Policy': policy } });
  });

  after(async () => {
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  inBrowsers(
    () => server,
    'models_page.js',
    (at) => {
      it('have the bits of Node.js, all families', async () => {
        assert.deepEqual(await at.page.evaluate(() => globalThis.runCases()), inNode);
      });

      it('load from a server, from files, and from the origin private file system', async () => {
        const found = await at.page.evaluate(() => globalThis.runSources());
        assert.deepEqual(found, Array(4).fill(textInNode));
        // vocabulary and generation_config.json are optional, but browsers print each 404.
        assert.deepEqual(
          at.said.filter((line) => !/404/.test(line)),
          [],
        );
      });

      it('name a missing file', async () => {
        const message = await at.page.evaluate(() => globalThis.refusal('/nowhere/'));
        assert.match(message, /^missing file config\.json of http.*\/nowhere\/$/);
      });
    },
  );
});
