// Runs the tasks of the benchmark in headless Chromium: shapes or models in one cross-origin isolated page, so that peers
// can use threads; every cold start in a new page.

import { fileURLToPath } from 'node:url';
import { launch, serve } from '../support/js/browser.js';
import { downloadWeight } from './download_weight.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cache-Control': 'no-store',
};

/** Bodies of all files that a page has fetched, except the benchmark's own. */
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

  const inPage = async (task, options, report) => {
    const { page } = await openPage(browser.defaultBrowserContext());
    await page.exposeFunction('report', report);
    await go(page);
    // An evaluation would time out; the page reports its end instead.
    let finished;
    const over = new Promise((resolve, reject) => {
      finished = (reason) => (reason ? reject(new Error(reason)) : resolve());
      page.once('error', reject);
    });
    await page.exposeFunction('finished', finished);
    await page.evaluate(
      (name, given) => {
        globalThis.bench[name](given).then(
          () => globalThis.finished(),
          (error) => globalThis.finished(error.message),
        );
      },
      task,
      options,
    );
    await over;
    await page.close();
  };

  return {
    name: 'chromium',
    version: await browser.version(),
    runShapes: (options, report) =>
      inPage('runShapes', { ...options, runtime: 'chromium' }, report),
    compareInt8: (options, report) => inPage('compareInt8', options, report),
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
