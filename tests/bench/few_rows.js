// Few rows times a matrix, in this Node.js or in Chromium: see few_rows_in.js. Each product is also given as a share of the
// limit: the time of reading its weights, or of its multiply-adds at their peak, whichever is longer.
//
//   node tests/bench/few_rows.js [NAME=BUILT…] [--fused] [--type float32,int8] [--shape 768x3072] [--rounds N] [--chromium]
//
// BUILT: the folder web/built of another build, measured beside this one in the same run.
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { launch, openScript, serve } from '../support/js/browser.js';
import { measureFewRows } from './few_rows_in.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values, positionals } = parseArgs({
  options: {
    fused: { type: 'boolean' },
    type: { type: 'string' },
    shape: { type: 'string' },
    rounds: { type: 'string' },
    chromium: { type: 'boolean' },
  },
  allowPositionals: true,
});
const options = {
  fused: values.fused,
  only: values.type?.split(','),
  shape: values.shape,
  rounds: values.rounds && Number(values.rounds),
};
const others = positionals.map((pair) => pair.split('='));
const report = (line) => console.log(line);

async function inChromium() {
  // The other builds, each in a folder of the same server.
  const links = await mkdtemp(join(tmpdir(), 'few-rows-'));
  const linked = others.map(([name, folder], n) => [name, folder, `build${n}`]);
  for (const [, folder, link] of linked) await symlink(resolve(folder), join(links, link));
  // Clocks of isolated pages have steps of 5 µs.
  const server = await serve([root, links], {
    headers: {
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    },
  });
  const browser = await launch('chromium', { protocolTimeout: 1_800_000 });
  try {
    const { page } = await openScript(browser, server, '../../bench/few_rows_in.js');
    await page.exposeFunction('report', report);
    await page.waitForFunction(() => globalThis.measureFewRows);
    const builds = [
      ...linked.map(([name, , link]) => [name, server.url + link]),
      ['this build', `${server.url}web/built`],
    ];
    await page.evaluate((given) => globalThis.measureFewRows(given, globalThis.report), {
      ...options,
      builds,
    });
  } finally {
    await browser.close();
    await server.close();
    await rm(links, { recursive: true });
  }
}

console.log(
  `${cpus()[0].model.trim()}, ${values.chromium ? 'Chromium' : `Node.js ${process.version}`}`,
);
if (values.chromium) {
  await inChromium();
} else {
  const builds = [...others, ['this build', resolve(root, 'web/built')]];
  await measureFewRows(
    {
      ...options,
      builds: builds.map(([name, folder]) => [name, pathToFileURL(resolve(folder)).href]),
    },
    report,
  );
}
