// Prints the time of each step of calls on a pool of two workers, in Node.js and in Chromium: see pool_steps_in.js.
//   node tests/bench/pool_steps.js [node] [chromium] [--only TEXT]
// --only: cases whose names contain the text. The page is isolated, because its clock would count in steps of 0.1 ms otherwise.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { loadModel } from '../../web/built/models.node.js';
import { loadAttentionPool } from '../../web/built/pool.node.js';
import { launch, openScript, serve } from '../support/js/browser.js';
import { measureSteps, stepNames } from './pool_steps_in.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};
const createWorker = () => new Worker(new URL('pool_steps_node_worker.js', import.meta.url));

async function inChromium(only, report) {
  const server = await serve([root], { headers: isolation });
  const browser = await launch('chromium', { protocolTimeout: 600_000 });
  const { page } = await openScript(browser, server, '../../bench/pool_steps_page.js');
  await page.exposeFunction('report', report);
  await page.waitForFunction(() => globalThis.measureSteps);
  await page.evaluate(
    (text) => globalThis.measureSteps(text, (line) => globalThis.report(line)),
    only,
  );
  await browser.close();
  await server.close();
}

const runtimes = {
  node: (only, report) =>
    measureSteps({ loadAttentionPool, loadModel, createWorker }, only, report),
  chromium: inChromium,
};

/** A Markdown table: a row per step, a column per case. */
function print(lines) {
  const rows = [...stepNames, 'total'].map((step) => [
    step,
    ...lines.map(({ steps }) => {
      const { least, median } = steps[step];
      const digits = median < 10 ? 2 : 1;
      return `${least.toFixed(digits)} / ${median.toFixed(digits)}`;
    }),
  ]);
  const table = [['ms', ...lines.map(({ name }) => name)], ...rows];
  const widths = table[0].map((_, at) => Math.max(...table.map((row) => row[at].length)));
  const text = (row) => `| ${row.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  console.log([text(table[0]), rule, ...table.slice(1).map(text)].join('\n'));
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' } },
});
for (const name of positionals.length > 0 ? positionals : Object.keys(runtimes)) {
  console.log(`\n${name}: least / median\n`);
  const lines = [];
  await runtimes[name](values.only, (line) => lines.push(line));
  print(lines);
}
process.exit();
