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

function print({ name, one, pool, released, without }) {
  const both = (least, median) => cell(`${least} (${median})`);
  const times = [one, pool, released, without].map(({ least, median }) =>
    both(least.toFixed(1), median.toFixed(1)),
  );
  const shares = [pool, released].map((way) =>
    both((without.least / way.least).toFixed(2), (without.median / way.median).toFixed(2)),
  );
  console.log(name.padEnd(20) + times.join('') + shares.join(''));
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

const columns = [
  'one thread',
  'pool of two',
  'released',
  'without pool',
  'share',
  'share, released',
];
const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : Object.keys(runtimes)) {
  console.log(`${name}: least (median), ms\n${''.padEnd(20)}${columns.map(cell).join('')}`);
  await runtimes[name]();
}
