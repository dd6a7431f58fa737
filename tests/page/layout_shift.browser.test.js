// Nothing of the page moves after its first paint, while script, worker and model come.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { serveHeld } from '../support/browser/held_files.js';
import { drawn, startPage } from '../support/browser/page_driver.js';

const ofWorker = /\/(?:worker|requests)-.*\.js$|\.safetensors$/;

describe('the first picture', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');

  for (const [width, height] of [
    [1440, 900],
    [1280, 720],
    [390, 844],
  ]) {
    for (const isSlow of [false, true]) {
      const how = isSlow ? 'at 200 kB/s, its worker after its script' : 'at full speed';
      it(`moves nothing at ${width} × ${height}, ${how}`, async (t) => {
        const { url, release, close } = isSlow
          ? await serveHeld(ofWorker, 0)
          : { url: demo.url, release() {}, close() {} };
        t.after(close);
        // A profile without stored settings.
        const context = await demo.browser.createBrowserContext();
        t.after(() => context.close());
        const page = await context.newPage();
        await page.setViewport({ width, height });
        if (isSlow) {
          await page.emulateNetworkConditions({ latency: 50, download: 2e5, upload: 2e5 });
        }
        await page.evaluateOnNewDocument(() => {
          globalThis.shifts = [];
          new PerformanceObserver((list) => {
            for (const { value, sources } of list.getEntries()) {
              const moved = sources.map(({ node, previousRect: from, currentRect: to }) => {
                const name = node?.id || node?.className || node?.nodeName;
                return `${name}: ${from.x}, ${from.y} → ${to.x}, ${to.y}`;
              });
              globalThis.shifts.push([value, moved]);
            }
          }).observe({ type: 'layout-shift', buffered: true });
        });
        await page.goto(url, { waitUntil: 'domcontentloaded' });
        await page.waitForFunction(
          () => document.querySelector('.stage attention-map:not([hidden])') !== null,
        );
        release();
        await page.waitForSelector('.block-it button:not([disabled])', { timeout: 60_000 });
        await page.waitForSelector(
          '.next-words:not(.empty) button:not([disabled]), .next-words strong',
        );
        await drawn(page);
        const shifts = await page.evaluate(() => globalThis.shifts);
        const sum = shifts.reduce((all, [value]) => all + value, 0);
        t.diagnostic(`note: layout shift ${sum.toFixed(5)}`);
        assert.ok(sum <= 0.005, `${sum}: ${JSON.stringify(shifts)}`);
      });
    }
  }
});
