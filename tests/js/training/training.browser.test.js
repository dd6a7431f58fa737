// attention-wasm/training in real browsers, under a strict content security policy: the bits of Node.js and of native
// code, in a page and in a worker.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inBrowsers, serve } from '../../support/js/browser.js';
import { root } from '../../support/js/package.js';
import { expectedDigest } from '../../support/js/training_runs.js';

const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'none'";

describe('training in browsers', { timeout: 120_000 }, () => {
  let server;

  before(async () => {
    server = await serve([root], { headers: { 'Content-Security-Policy': policy } });
  });

  after(() => server?.close());

  inBrowsers(
    () => server,
    'training_page.js',
    (at) => {
      it('has one digest after 50 steps', async () => {
        const digests = await at.page.evaluate(() => globalThis.digests());
        assert.deepEqual(digests, [expectedDigest, expectedDigest]);
        assert.deepEqual(at.said, []);
      });
    },
  );
});
