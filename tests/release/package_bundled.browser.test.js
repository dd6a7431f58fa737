// The packed package in pages of bundlers without configuration, on typical servers: the pool's worker file is missing
// beside the bundle, or may not be started from there.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { build } from 'esbuild';
import { launch, serve } from '../support/js/browser.js';
import { packAndInstall } from '../support/js/package.js';
import { launchWebKit } from '../support/browser/webkit.js';

// Large enough for workers; the results of the pool and of a direct call must be equal.
const program = `
  import { loadAttention } from 'attention-wasm';
  import { loadAttentionPool } from 'attention-wasm/pool';
  import { loadTranslator } from 'attention-wasm/translator';
  globalThis.uncaught = [];
  for (const kind of ['error', 'unhandledrejection']) {
    addEventListener(kind, (event) => globalThis.uncaught.push(event.message ?? String(event.reason)));
  }
  if (location.search === '?without-workers') delete globalThis.Worker;
  async function pooled() {
    const { attention } = await loadAttention();
    const pool = await loadAttentionPool({ workers: 2 });
    const data = Float32Array.from({ length: 8 * 512 * 64 }, (_, n) => Math.sin(n));
    const x = { data, dims: [1, 8, 512, 64] };
    const [one, other] = [attention(x, x, x), await pool.attention(x, x, x)];
    await pool.close();
    return one.output.data.every((number, n) => number === other.output.data[n]);
  }
  const said = (promise) => promise.catch(({ message }) => message);
  globalThis.pooled = said(pooled());
  globalThis.translated = said(loadTranslator().then((translator) => translator.heads));
`;

const page = (script) => `<!doctype html><meta charset="utf-8"><title>Bundled</title>
<link rel="icon" href="data:,">${script}`;

/** A server with these files and, like development servers, an HTML page for every other path. */
async function serveEverything(files, fallback) {
  const server = createServer((request, response) => {
    const name = new URL(request.url, 'http://localhost').pathname.slice(1);
    const found = files[name];
    response.setHeader('content-type', found === undefined ? 'text/html' : 'text/javascript');
    response.end(found ?? fallback);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://localhost:${server.address().port}/`, close: () => server.close() };
}

describe('pages bundled from the package', { timeout: 300_000 }, () => {
  let installed;
  let folder;
  let servers;
  let origins;

  before(async () => {
    installed = await packAndInstall();
    folder = await mkdtemp(join(tmpdir(), 'attention-bundled-page-'));
    await mkdir(join(folder, 'esm'));
    await mkdir(join(folder, 'iife'));
    const code = {};
    for (const format of ['esm', 'iife']) {
      const stdin = { contents: program, resolveDir: installed.folder };
      const options = { bundle: true, minify: true, write: false, logLevel: 'silent' };
      const { outputFiles } = await build({ ...options, stdin, format });
      code[format] = outputFiles[0].text;
      const type = format === 'esm' ? ' type="module"' : '';
      await writeFile(join(folder, format, 'page.js'), code[format]);
      const html = page(`<script${type} src="page.js"></script>`);
      await writeFile(join(folder, format, 'index.html'), html);
    }
    const script = "script-src 'self' 'wasm-unsafe-eval'";
    const policy = (text) => ({ headers: { 'Content-Security-Policy': text } });
    const built = join(installed.folder, 'node_modules/attention-wasm');
    const allowed = { headers: { 'Access-Control-Allow-Origin': '*' } };
    servers = {
      plain: await serve([folder]),
      blobs: await serve([folder], policy(`${script}; worker-src blob:`)),
      strict: await serve([folder], policy(`${script}; worker-src 'self'`)),
      noWasm: await serve([folder], policy("script-src 'self'")),
      trusted: await serve([folder], policy("require-trusted-types-for 'script'")),
      everything: await serveEverything(
        { 'page.js': code.esm },
        page('<script type="module" src="page.js"></script>'),
      ),
      elsewhere: await serve([built], allowed),
    };
    origins = Object.fromEntries(Object.entries(servers).map(([name, { url }]) => [name, url]));
    // A page on one origin, the package's own files on another.
    const imports = Object.fromEntries(
      [
        ['attention-wasm', 'index'],
        ['attention-wasm/pool', 'pool'],
        ['attention-wasm/translator', 'translator'],
      ].map(([name, file]) => [name, `${origins.elsewhere}web/built/${file}.js`]),
    );
    await mkdir(join(folder, 'import_map'));
    await writeFile(
      join(folder, 'import_map/index.html'),
      page(
        `<script type="importmap">${JSON.stringify({ imports })}</script><script type="module">${program}</script>`,
      ),
    );
  });

  after(async () => {
    for (const server of Object.values(servers ?? {})) await server.close();
    await installed?.remove();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  for (const name of ['chromium', 'firefox', 'webkit']) {
    describe(name, () => {
      let browser;
      before(async () => (browser = await (name === 'webkit' ? launchWebKit() : launch(name))));
      after(() => browser?.close());

      /** Results of the pool and the translator in a page, and uncaught errors. */
      async function visit(server, path) {
        const opened = await browser.newPage();
        await opened.goto(`${origins[server]}${path}`);
        const outcome = await opened.evaluate(async () => ({
          pooled: await globalThis.pooled,
          translated: await globalThis.translated,
          uncaught: globalThis.uncaught,
        }));
        await opened.close();
        return outcome;
      }

      it('say which word of the policy is missing where no WebAssembly may be compiled', async () => {
        const { pooled, uncaught } = await visit('noWasm', 'esm/');
        assert.match(
          pooled,
          /^WebAssembly may not be compiled here: .+ 'wasm-unsafe-eval' in script-src/s,
        );
        assert.deepEqual(uncaught, []);
      });

      if (name === 'webkit') return; // It refuses by other means than the other browsers.

      const computes = {
        'a module without its files': ['plain', 'esm/'],
        'a classic script without its files': ['plain', 'iife/'],
        'a server that answers with a page': ['everything', ''],
        'a policy that allows workers of blobs': ['blobs', 'esm/'],
        'the package on another origin': ['plain', 'import_map/'],
      };
      for (const [situation, where] of Object.entries(computes)) {
        it(`have a pool: ${situation}`, async () => {
          const { pooled, translated, uncaught } = await visit(...where);
          assert.equal(pooled, true);
          assert.deepEqual(uncaught, []);
          if (where[1] === 'import_map/') assert.equal(translated, 4);
          else
            assert.match(
              translated,
              /^the package's file of \w+ could not be read: .+ If it is missing, pass loadTranslator\(\{/,
            );
        });
      }

      const refused =
        /^a worker of the pool died: it could not be started \(from its file: .*; from its code: .*\): .*`worker-src blob:`.*createWorker: \(\) => new Worker/;
      it('say what to write where no worker may be started', async () => {
        const strict = await visit('strict', 'esm/');
        assert.match(strict.pooled, refused);
        assert.deepEqual(strict.uncaught, []);
        if (name === 'firefox') return; // It has no trusted types yet.
        const trusted = await visit('trusted', 'esm/');
        assert.match(trusted.pooled, refused);
        assert.deepEqual(trusted.uncaught, []);
      });

      it('say so where there are no workers, as in a service worker', async () => {
        const { pooled, uncaught } = await visit('plain', 'esm/?without-workers');
        assert.match(
          pooled,
          /^loadAttentionPool\(\) needs Worker, .*service workers.*createWorker/,
        );
        assert.deepEqual(uncaught, []);
      });
    });
  }
});
