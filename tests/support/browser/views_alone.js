// The matrix, lines and heads views without the page, in a browser: one picture and one selection for all three.

/** @import { Page } from 'puppeteer-core' */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before } from 'node:test';
import * as esbuild from 'esbuild';
import { launch, listen, serve } from '../js/browser.js';
import { root } from '../js/package.js';

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:";
const scripts = 'tests/support/browser';

/** Serves the page's script as bundled, at its usual address. */
async function bundle() {
  const folder = await mkdtemp(join(tmpdir(), 'attention-views-'));
  const outfile = join(folder, scripts, 'bundle.js');
  await mkdir(dirname(outfile), { recursive: true });
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [`${scripts}/heatmap_views_page.js`],
    bundle: true,
    format: 'esm',
    outfile,
    logLevel: 'warning',
  });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** A page with the views for all tests of a suite: { page, said }, and what it told and has selected. */
export function startViews(name) {
  /** @type {Page} */
  let page;
  const views = {
    page: /** @type {Page | null} */ (null),
    said: /** @type {string[] | null} */ (null),
    /** Calls of select and hover since the last time. */
    told: () => page.evaluate('page.told.splice(0)'),
    selection: () => page.evaluate('({ ...page.state })'),
    /** Text of the matrix's selected cell. */
    cell: () => page.$eval('.matrix-view >>> [role="gridcell"]', (one) => one.textContent),
  };
  let bundled;
  let server;
  let browser;

  before(async () => {
    bundled = await bundle();
    const headers = { 'Content-Security-Policy': policy };
    server = await serve([bundled.folder, root], { headers });
    browser = await launch(name);
    page = await browser.newPage();
    Object.assign(views, { page, said: listen(page) });
    await page.setViewport({ width: 1000, height: 2200 });
    await page.goto(`${server.url}${scripts}/heatmap_views.html`);
    await page.waitForFunction('globalThis.page', { timeout: 10_000 });
  });

  after(async () => {
    await browser?.close();
    await server?.close();
    await bundled?.remove();
  });

  return views;
}
