// attention-wasm in an audio worklet, with the included module and with one that is passed compiled.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { inBrowsers, serve } from '../support/js/browser.js';
import { root } from '../support/js/package.js';

const eye = { data: Float32Array.of(1, 0, 0, 1), dims: [2, 2] };

describe('an audio worklet', { timeout: 120_000 }, () => {
  let server;
  before(async () => (server = await serve([root])));
  after(() => server?.close());

  inBrowsers(
    () => server,
    'audio_worklet_page.js',
    (at) => {
      it('computes the same weights as Node.js', async () => {
        const { attention } = await loadAttention();
        const weights = [...attention(eye, eye, eye, { weights: true }).weights.data];
        const found = await at.page.evaluate(() => globalThis.weightsInWorklet());
        assert.deepEqual(found, [weights, weights]);
      });
    },
  );
});
