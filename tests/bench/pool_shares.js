// Prints what a pool of two workers loses, in Node.js and in Chromium: see pool_shares_in.js.
//   node tests/bench/pool_shares.js [node] [chromium] [chromium-isolated]
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { loadAttention } from '../../web/built/index.js';
import { loadAttentionPool } from '../../web/built/pool.node.js';
import { launch, openScript, serve } from '../support/js/browser.js';
import { measureShares } from './pool_shares_in.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cell = (value) => value.padStart(16);

function print({ name, one, pool, without }) {
  const times = [one, pool, without].map((of) =>
    cell(`${of.least.toFixed(1)} (${of.median.toFixed(1)})`),
  );
  const share = (of) => (without[of] / pool[of]).toFixed(2);
  console.log(name.padEnd(20) + times.join('') + cell(`${share('least')} (${share('median')})`));
}

function startWorker() {
  const worker = new Worker(new URL('share_worker.js', import.meta.url));
  const next = () => new Promise((resolve) => worker.once('message', resolve));
  return {
    postMessage: (message) => worker.postMessage(message),
    next,
    terminate: () => worker.terminate(),
  };
}

async function inChromium(headers) {
  const server = await serve([root], { headers });
  const browser = await launch('chromium', { protocolTimeout: 600_000 });
  const { page } = await openScript(browser, server, '../../bench/pool_shares_page.js');
  await page.exposeFunction('report', print);
  await page.waitForFunction(() => globalThis.measureShares);
  await page.evaluate(() => globalThis.measureShares((line) => globalThis.report(line)));
  await browser.close();
  await server.close();
}

const runtimes = {
  node: () => measureShares({ loadAttention, loadAttentionPool, startWorker }, print),
  chromium: () => inChromium({}),
  'chromium-isolated': () =>
    inChromium({
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    }),
};

const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : Object.keys(runtimes)) {
  console.log(
    `${name}: least (median), ms\n${''.padEnd(20)}${['one thread', 'pool of two', 'without pool', 'share'].map(cell).join('')}`,
  );
  await runtimes[name]();
}
