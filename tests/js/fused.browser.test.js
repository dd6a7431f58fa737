// The fused kernels in WebKit, which has no relaxed SIMD: 'simd' runs, and nothing is said. Chromium and Firefox run all
// fixtures with them (tests/vectors).
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { serve } from '../support/js/browser.js';
import { root } from '../support/js/package.js';
import { launchWebKit } from '../support/browser/webkit.js';

describe('fused kernels in webkit', { timeout: 120_000 }, () => {
  let server;
  let browser;

  before(async () => {
    server = await serve([root]);
    browser = await launchWebKit();
  });

  after(async () => {
    await browser?.close();
    await server?.close();
  });

  it("are 'simd', without a message", async () => {
    const page = await browser.newPage();
    await page.goto(new URL('tests/support/browser/blank.html', server.url).href);
    await page.evaluate(async () => {
      await import(new URL('fused_page.js', location.href).href);
    });
    const report = await page.evaluate(() => globalThis.report);
    assert.deepEqual(report, { kernels: 'simd', scores: [2, 6], said: [] });
  });
});
