// Time of the default kernels ÷ time of the fused ones, in this Node.js and in Chromium: see fused_in.js.
//   PATH/OF/NODE-24 tests/bench/fused.js [node] [chromium] [--rounds N]
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { launch, openScript, serve } from '../support/js/browser.js';
import { measureFused } from './fused_in.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '25' } },
  allowPositionals: true,
});
const rounds = Number(values.rounds);

async function inChromium(report) {
  // Clocks of isolated pages have steps of 5 µs.
  const server = await serve([root], {
    headers: {
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    },
  });
  const browser = await launch('chromium', { protocolTimeout: 1_800_000 });
  const { page } = await openScript(browser, server, '../../bench/fused_page.js');
  await page.exposeFunction('report', report);
  await page.waitForFunction(() => globalThis.measureFused);
  await page.evaluate((count) => globalThis.measureFused(count, globalThis.report), rounds);
  await browser.close();
  await server.close();
}

const runtimes = { node: (report) => measureFused(rounds, report), chromium: inChromium };
const wanted = positionals.length > 0 ? positionals : Object.keys(runtimes);
for (const name of wanted) {
  console.log(
    `${name === 'node' ? `Node.js ${process.version}` : name}: default ÷ fused, least and median of ${rounds}`,
  );
  await runtimes[name]((line) => console.log(line));
}
