// The files of the guides' examples, opened as a reader opens them: pages with the package beside them, a component in Preact, what
// esbuild makes of a program by the guide's commands, and a browser extension. The other files run in tests/release/consumers.

import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { build } from 'esbuild';
import { launch, listen, serve } from '../support/js/browser.js';
import { root, run } from '../support/js/package.js';
import { namesFiles } from '../support/js/whole_models.js';

const examples = join(root, 'web/reference/guides/examples');
const html = (body) =>
  `<!doctype html><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">${body}`;

describe('the examples of the guides', { timeout: 300_000 }, () => {
  let folder;
  let server;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'attention-examples-'));
    await cp(examples, folder, { recursive: true });
    await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
    await symlink(root, join(folder, 'node_modules/attention-wasm'));
    await symlink(join(root, 'web/built'), join(folder, 'attention-wasm'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'favicon.ico'), ''); // which Chromium requests
    server = await serve([folder]);
  });

  after(async () => {
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  for (const name of /** @type {const} */ (['chromium', 'firefox'])) {
    describe(`in ${name}`, () => {
      let browser;
      before(async () => (browser = await launch(name)));
      after(() => browser?.close());

      /** Opens a page; resolves to the page, and to what it says, when `isReady` in it. */
      const open = async (path, isReady) => {
        const page = await browser.newPage();
        const said = listen(page);
        await page.goto(server.url + path);
        await page.waitForFunction(isReady);
        return { page, said };
      };
      const hasPicture = () => />uncle</.test(document.querySelector('attention-map')?.toSVG?.());

      it('page.html draws its sentence without a bundler', async () => {
        const { page, said } = await open('page.html', hasPicture);
        assert.deepEqual(said, []);
        await page.close();
      });

      it('strict.html computes and draws under its policy, which is in force', async () => {
        const { page, said } = await open('strict.html', () =>
          /0\.67/.test(document.querySelector('attention-map').toSVG?.()),
        );
        const isOpen = await page.evaluate(async () => {
          const script = document.createElement('script');
          script.textContent = 'globalThis.hasRun = true;';
          document.body.append(script);
          return Boolean(globalThis.hasRun);
        });
        assert.equal(isOpen, false);
        assert.deepEqual(
          said.filter((line) => !/inline/i.test(line)),
          [],
        );
        await page.close();
      });

      it('worker.js answers page_with_worker.js', async () => {
        const tags = '<output></output><script type="module" src="page_with_worker.js"></script>';
        await writeFile(join(folder, 'with_worker.html'), html(tags));
        const { page, said } = await open(
          'with_worker.html',
          () => document.querySelector('output').value === '0.6698',
        );
        assert.deepEqual(said, []);
        await page.close();
      });

      it('Sentence.jsx draws its text in Preact, and says which cell is selected', async () => {
        const contents = `
          import { createRoot } from 'react-dom/client';
          import { Sentence } from './Sentence.jsx';
          createRoot(document.getElementById('app')).render(<Sentence text="Zuko made his uncle tea" />);
        `;
        const compat = join(root, 'node_modules/preact/compat');
        await build({
          stdin: { contents, resolveDir: folder, loader: 'jsx' },
          outfile: join(folder, `component-${name}.js`),
          bundle: true,
          format: 'esm',
          jsx: 'automatic',
          jsxImportSource: join(root, 'node_modules/preact'),
          alias: {
            'react-dom/client': join(compat, 'client.mjs'),
            react: join(compat, 'dist/compat.mjs'),
          },
        });
        const tags = `<div id="app"></div><script type="module" src="component-${name}.js"></script>`;
        await writeFile(join(folder, `component-${name}.html`), html(tags));
        const { page, said } = await open(`component-${name}.html`, hasPicture);
        await page.evaluate(() => {
          const element = document.querySelector('attention-map');
          element.select({ row: 1, column: 1 });
          const key = new KeyboardEvent('keydown', { key: 'ArrowLeft' });
          element.shadowRoot.querySelector('canvas').dispatchEvent(key);
        });
        await page.waitForFunction(() =>
          /^made attends to Zuko: 0\.\d\d$/.test(document.querySelector('#app p').textContent),
        );
        assert.deepEqual(said, []);
        await page.close();
      });
    });
  }

  it('given_files.js names the files that esbuild does not copy', async () => {
    const guide = await readFile(join(root, 'web/reference/guides/runtimes.md'), 'utf8');
    const [, commands] = /^```sh\n(npx esbuild [^]*?)^```$/m.exec(guide);
    const worker = /`(import 'attention-wasm\/pool-worker';)`/.exec(guide)[1];
    await writeFile(join(folder, 'my_pool_worker.js'), worker);
    await symlink(
      join(root, 'node_modules/.bin/esbuild'),
      join(folder, 'node_modules/.bin/esbuild'),
    );
    await run('sh', ['-e', '-c', `${commands.replaceAll('npx ', 'npx --no ')}`], folder);
    await writeFile(
      join(folder, 'site/index.html'),
      html('<script type="module" src="given_files.js"></script>'),
    );
    // The worker from its file alone.
    const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src data:";
    const site = await serve([join(folder, 'site')], {
      headers: { 'Content-Security-Policy': policy },
    });
    const browser = await launch('chromium');
    try {
      const page = await browser.newPage();
      const said = listen(page);
      const printed = new Promise((resolve) => page.once('console', resolve));
      await page.goto(site.url);
      await printed;
      assert.deepEqual(said, ['console log: true 4']);
    } finally {
      await browser.close();
      await site.close();
    }
  });

  it('extension answers with the attention of its model', async () => {
    const extension = join(folder, 'extension');
    await cp(join(root, 'web/built'), join(extension, 'attention-wasm'), { recursive: true });
    await mkdir(join(extension, 'model'));
    for (const [name, content] of Object.entries(namesFiles())) {
      await writeFile(join(extension, 'model', name), content);
    }
    const browser = await launch('chromium', { enableExtensions: [extension], pipe: true });
    try {
      const target = await browser.waitForTarget((one) => one.type() === 'service_worker');
      const page = await browser.newPage();
      await page.goto(new URL('manifest.json', target.url()).href);
      const { tokens, dims, weights } = await page.evaluate(() =>
        globalThis.chrome.runtime.sendMessage('a John'),
      );
      assert.deepEqual(tokens, ['a', 'ĠJohn']);
      assert.deepEqual(dims.slice(-2), [2, 2]);
      const [first, hidden, ...second] = weights;
      assert.deepEqual([first, hidden], [1, 0]); // causal
      assert.ok(Math.abs(second[0] + second[1] - 1) < 1e-6, `${second}`);
    } finally {
      await browser.close();
    }
  });
});
