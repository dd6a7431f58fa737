// attention-wasm/pool in real browsers, as modules and bundled, under a strict content security policy and without other
// headers: the bits of attention() in Node.js, and no console output; workers that fail.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import * as esbuild from 'esbuild';
import { assertSilent, inBrowsers, listen, openScript, serve } from '../../support/js/browser.js';
import { root } from '../../support/js/package.js';
import { runPoolCases } from '../../support/browser/pool_cases.js';

// Workers with the embedded wasm need only these three sources.
const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'none'";
const headers = { 'Content-Security-Policy': policy };

/** A folder with a bundled page: the page's script, and the worker as a second entry. */
async function bundlePage() {
  const folder = await mkdtemp(join(tmpdir(), 'attention-pool-page-'));
  const contents = `
    import { loadAttentionPool } from 'attention-wasm/pool';
    import { report } from './tests/support/browser/pool_report.js';
    globalThis.report = report(loadAttentionPool);
  `;
  const options = { bundle: true, format: 'esm', platform: 'browser', logLevel: 'warning' };
  const { warnings } = await esbuild.build({
    ...options,
    stdin: { contents, resolveDir: root },
    minify: true,
    outfile: join(folder, 'page.js'),
  });
  await esbuild.build({
    ...options,
    absWorkingDir: root,
    entryPoints: { pool_worker: 'attention-wasm/pool-worker' },
    minify: true,
    outdir: folder,
  });
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><meta charset="utf-8"><title>Bundled</title><script type="module" src="page.js"></script>',
  );
  return { folder, warnings, remove: () => rm(folder, { recursive: true, force: true }) };
}

describe('the pool in browsers', { timeout: 300_000 }, () => {
  let server;
  let bundled;
  let bundledServer;
  let inNode;

  before(async () => {
    inNode = await runPoolCases(await loadAttention());
    server = await serve([root], { headers });
    bundled = await bundlePage();
    bundledServer = await serve([bundled.folder], { headers });
  });

  after(async () => {
    await server?.close();
    await bundledServer?.close();
    await bundled?.remove();
  });

  it('is compared with many reference results', () => {
    assert.equal(new Set(Object.values(inNode)).size, 12);
  });

  it('is bundled without a warning', () => assert.deepEqual(bundled.warnings, []));

  async function openBundled(browser) {
    const page = await browser.newPage();
    const said = listen(page);
    await page.goto(bundledServer.url);
    return { page, said };
  }

  inBrowsers(
    () => server,
    'pool_page.js',
    (at) => {
      for (const kind of ['as it is', 'bundled']) {
        it(`has the bits of attention() in Node, ${kind}`, async () => {
          const { page, said } = kind === 'bundled' ? await openBundled(at.browser) : at;
          const report = await page.evaluate(() => globalThis.report);
          assert.deepEqual(report.fingerprints, { 1: inNode, 2: inNode, 3: inNode });
          // Every case is large enough for workers, also in a page.
          assert.deepEqual(report.asked, { 1: 15, 2: 36, 3: 48 });
          assert.equal(report.workers, report.cores);
          assert.equal(report.isolated, false);
          assert.deepEqual(report.ended, {
            pending: 'Error: the pool was closed',
            later: 'Error: the pool was closed',
          });
          // No console output, not even from calls in progress when the pool was closed.
          assert.deepEqual(report.violations, []);
          await assertSilent(page, said);
        });
      }

      it('continues after a missing worker, and one that throws', async () => {
        const { page } = await openScript(at.browser, server, 'pool_page.js');
        const replace = (path) => page.evaluate((to) => globalThis.replace(to), path);
        const missing = await replace('no_such_worker.js');
        assert.match(missing.error, /^Error: a worker of the pool died: it could not be started$/);
        assert.deepEqual({ ...missing, error: '' }, { error: '', after: 'none', made: 3 });
        const broken = await replace('pool_broken_worker.js');
        assert.match(broken.error, /^Error: a worker of the pool died: .*broken on purpose/);
        assert.deepEqual({ ...broken, error: '' }, { error: '', after: 'none', made: 3 });
        await page.close();
      });
    },
  );
});
