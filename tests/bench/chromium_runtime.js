// Runs the tasks of the benchmark in headless Chromium: shapes in one cross-origin isolated page, so that peers
// may have their threads; every cold start in a page without a past.

import { fileURLToPath } from 'node:url';
import { launch, serve } from '../support/js/browser.js';
import { downloadWeight } from './download_weight.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cache-Control': 'no-store',
};

/** Bodies of all that a page has fetched, but for what belongs to the benchmark itself. */
function listen(page, url) {
  const fetched = [];
  page.on('response', (response) => {
    const path = response.url().slice(url.length);
    const own = path.startsWith('tests/bench/') && !path.includes('/node_modules/');
    if (response.url().startsWith(url) && !own) {
      fetched.push(response.buffer().then((body) => ({ path, body })));
    }
  });
  return fetched;
}

export async function openChromium() {
  const server = await serve([root], { headers: isolation });
  const browser = await launch('chromium');
  const openPage = async (context) => {
    const page = await context.newPage();
    const fetched = listen(page, server.url);
    return { page, fetched };
  };
  const go = async (page) => {
    await page.goto(`${server.url}tests/bench/page.html`);
    await page.waitForFunction(() => globalThis.bench);
  };

  return {
    name: 'chromium',
    version: await browser.version(),
    async runShapes(options, report) {
      const { page } = await openPage(browser.defaultBrowserContext());
      await page.exposeFunction('report', report);
      await go(page);
      // One evaluation must not last as long as all this: the page says when it is over.
      let finished;
      const over = new Promise((resolve, reject) => {
        finished = (reason) => (reason ? reject(new Error(reason)) : resolve());
        page.once('error', reject);
      });
      await page.exposeFunction('finished', finished);
      await page.evaluate(
        (given) => {
          globalThis.bench.runShapes(given).then(
            () => globalThis.finished(),
            (error) => globalThis.finished(error.message),
          );
        },
        { ...options, runtime: 'chromium' },
      );
      await over;
      await page.close();
    },
    async coldStart(name) {
      const context = await browser.createBrowserContext();
      try {
        const { page, fetched } = await openPage(context);
        await go(page);
        const ms = await page.evaluate((given) => globalThis.bench.coldStart(given), name);
        return { ms, weight: await downloadWeight(await Promise.all(fetched)) };
      } finally {
        await context.close();
      }
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}
