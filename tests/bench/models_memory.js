// What a page of Chromium takes to load 500 MB of weights (GPT-2 small's shape): from a server that gives ranges, from
// one that gives none, and from a file that was chosen. Peak of the page's process beyond what it had before, of the one
// that fetches, and of the browser itself, which keeps Blobs; each in a browser of its own.
//
//   node tests/bench/models_memory.js [ranges] [whole] [file]
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeSafetensors } from '../../web/built/safetensors.js';
import { launch } from '../support/js/browser.js';
import { gpt2, seededTensors } from './model_shapes.js';

const built = fileURLToPath(new URL('../../web/built', import.meta.url));
const types = { '.js': 'text/javascript', '.html': 'text/html', '.json': 'application/json' };
const megabytes = (bytes) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;

/** Serves the folders; ranges of what is below /ranges/ only. */
async function serve(folders) {
  const server = createServer(async (request, response) => {
    const [, place, ...names] = new URL(request.url, 'http://localhost').pathname.split('/');
    const path = join(folders[place] ?? '/nowhere', ...names);
    const size = await stat(path).then(
      (found) => found.size,
      () => undefined,
    );
    if (size === undefined) {
      response.writeHead(404).end();
      return;
    }
    const headers = { 'content-type': types[extname(path)] ?? 'application/octet-stream' };
    const range = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '');
    const isPart = range && place === 'ranges';
    const [start, end] = isPart
      ? [Number(range[1]), Math.min(Number(range[2]), size - 1)]
      : [0, size - 1];
    if (isPart) headers['content-range'] = `bytes ${start}-${end}/${size}`;
    response.writeHead(isPart ? 206 : 200, { ...headers, 'content-length': end - start + 1 });
    createReadStream(path, { start, end })
      .pipe(response)
      .on('error', () => response.destroy());
  });
  await new Promise((resolve) => server.listen(0, resolve));
  return { server, address: `http://localhost:${server.address().port}` };
}

/** Of each process of the browser its kind and the most that it had. */
async function processes(root) {
  const found = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    try {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8');
      if (!command.includes(root)) continue;
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      const peak = Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
      const kind = /--type=([\w-]+)/.exec(command)?.[1] ?? 'browser';
      found.push({ pid, peak, kind: /NetworkService/.test(command) ? 'network' : kind });
    } catch {
      // It is there no more.
    }
  }
  return found;
}

const mostOf = (all, kind) =>
  Math.max(0, ...all.filter((one) => one.kind === kind).map(({ peak }) => peak));

/** In the page: loads the model, has it read a few ids. */
async function loadInPage(code, source) {
  const { loadModel } = await import(code);
  const given = source ?? [...globalThis.document.querySelector('input').files];
  const start = performance.now();
  const model = await loadModel(given);
  const ms = performance.now() - start;
  const { hidden } = model.run({ ids: [1, 2, 3] }, { logits: false });
  return { ms, isGood: hidden.data.every(Number.isFinite) };
}

async function measure(kind, address, files) {
  // A browser whose network is watched keeps 200 MB of what it fetched.
  const browser = await launch('chromium', { networkEnabled: false });
  try {
    const profile = browser.process().spawnargs.find((one) => one.startsWith('--user-data-dir='));
    const page = await browser.newPage();
    await page.goto(`${address}/pages/index.html`);
    const input = await page.$('input');
    if (kind === 'file') await input.uploadFile(...files);
    const before = await processes(profile);
    const source = kind === 'file' ? undefined : `${address}/${kind}/`;
    const { ms, isGood } = await page.evaluate(loadInPage, `${address}/built/models.js`, source);
    if (!isGood) throw new Error('the model computes no numbers');
    const after = await processes(profile);
    return {
      ms,
      page: mostOf(after, 'renderer') - mostOf(before, 'renderer'),
      fetching: mostOf(after, 'network') - mostOf(before, 'network'),
      others: mostOf(after, 'browser') - mostOf(before, 'browser'),
    };
  } finally {
    await browser.close();
  }
}

const folder = await mkdtemp(join(tmpdir(), 'attention-wasm-memory-'));
const files = ['config.json', 'model.safetensors'].map((name) => join(folder, name));
await writeFile(files[0], JSON.stringify(gpt2.config));
await writeFile(files[1], writeSafetensors(seededTensors(gpt2)));
await writeFile(
  join(folder, 'index.html'),
  '<!doctype html><title>Models</title><input type="file" multiple>',
);
const { size } = await stat(files[1]);
const { server, address } = await serve({ built, pages: folder, ranges: folder, whole: folder });
try {
  const wanted = process.argv.slice(2);
  for (const kind of ['ranges', 'whole', 'file']) {
    if (wanted.length > 0 && !wanted.includes(kind)) continue;
    const { ms, page, fetching, others } = await measure(kind, address, files);
    const more = ((page / size - 1) * 100).toFixed(0);
    console.log(
      `${kind.padEnd(7)} ${megabytes(page)} of ${megabytes(size)}: ${more >= 0 ? '+' : ''}${more} %; ` +
        `fetching ${megabytes(fetching)}, the browser ${megabytes(others)}; ${(ms / 1000).toFixed(1)} s`,
    );
  }
} finally {
  server.close();
  server.closeAllConnections();
  await rm(folder, { recursive: true });
}
