// The API reference as its readers use it: under any path, by the keyboard, light and dark, with examples that are
// changed and run.

import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { launch, listen, serve } from '../support/js/browser.js';
import { root } from '../support/js/package.js';
import { watchPrints } from '../support/js/printed_comments.js';
import { policyOf } from '../../web/policy.js';
import { problems } from '../support/browser/axe.js';

const built = join(root, '.build/page');
const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const entries = Object.keys(exports)
  .filter((path) => exports[path].types)
  .map((path) => `${path === '.' ? 'main' : path.slice(2)}.html`);
const pages = ['index.html', ...entries, 'runtimes.html'];
const read = (name) => readFile(join(built, 'api', name), 'utf8');

/** The page below a path of its own, with its policies or another for all of it: { url, close() }. */
async function serveBelow(path, policy = policyOf) {
  const folder = await mkdtemp(join(tmpdir(), 'attention-reference-'));
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await symlink(built, join(folder, path));
  const headers = (address) => ({ 'Content-Security-Policy': policy(address) });
  const server = await serve([folder], { headers });
  const close = async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { url: `${server.url}${path}/api/`, close };
}

/** The nth example of a page, from 0: what its reader does with it and sees of it. */
function exampleOn(page, index = 0) {
  const find = async (selector) => {
    const block = (await page.$$('.example:not([data-runs="node"])'))[index];
    return block.$(selector);
  };
  const button = (name) => find(`button[aria-label^="${name}"]`);
  const output = async () => (await find('.output')).evaluate((one) => one.innerText.trim());
  return {
    click: async (name) => (await button(name)).click(),
    field: () => find('textarea'),
    output,
    has: async (selector) => (await find(selector)) !== null,
    /** Runs it to its end; what it printed, line by line. */
    async run() {
      const element = await button('Run');
      await element.click();
      await page.waitForFunction((one) => one.textContent === 'Run', { timeout: 60_000 }, element);
      return (await output()).split('\n');
    },
    async write(code) {
      const field = await find('textarea');
      await field.focus();
      await page.keyboard.down('Control');
      await page.keyboard.press('a');
      await page.keyboard.up('Control');
      await page.keyboard.type(code);
    },
  };
}

describe('the files of the reference', () => {
  it('are a page for every entry, and what these link to', async () => {
    const texts = new Map(await Promise.all(pages.map(async (name) => [name, await read(name)])));
    const there = new Set((await readdir(built, { recursive: true })).map((path) => join(path)));
    const wrong = [];
    let count = 0;
    for (const [name, text] of texts) {
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      assert.equal(new Set(ids).size, ids.length, `${name} has an id twice`);
      for (const [, address] of text.matchAll(/ (?:href|src)="([^"]+)"/g)) {
        count++;
        const { origin, pathname, hash } = new URL(address, `http://here/api/${name}`);
        const path = pathname.slice(1).replace(/(^|\/)$/, '$1index.html');
        const target = path.startsWith('api/') ? texts.get(path.slice(4)) : '';
        const isThere = origin === 'http://here' && there.has(path);
        const anchor = decodeURIComponent(hash.slice(1));
        if (!isThere || (anchor && !target.includes(` id="${anchor}"`))) {
          wrong.push(`${name}: ${address}`);
        }
        if (address.startsWith('/')) wrong.push(`${name} is not relative: ${address}`);
      }
    }
    assert.ok(count > 500, `${count} links`);
    assert.deepEqual(wrong, []);
    assert.match(await readFile(join(built, 'index.html'), 'utf8'), /href="\.\/api\/"/);
  });

  it('ask nobody else for anything, and are no part of what the page keeps', async () => {
    for (const name of ['reference.css', 'reference.js', 'run/run.css', 'run/run.js', ...pages]) {
      assert.doesNotMatch(await read(name), /(?:src|url)[=(]["']?(?:https?:)?\/\//, name);
    }
    const worker = await readFile(join(built, 'service_worker.js'), 'utf8');
    assert.doesNotMatch(worker, /\bapi\//);
  });
});

for (const name of ['chromium', 'firefox']) {
  describe(`the reference in ${name}`, { timeout: 600_000 }, () => {
    let browser;
    let server;

    before(async () => {
      server = await serveBelow('some/where');
      browser = await launch(name);
    });

    after(async () => {
      await browser?.close();
      await server?.close();
    });

    const open = async (path, { width = 1280, theme } = {}) => {
      const page = await browser.newPage();
      const said = listen(page);
      await page.setViewport({ width, height: 900 });
      if (theme) await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
      await page.goto(server.url + path);
      return { page, said };
    };

    it('runs an example, changed and unchanged, and draws its weights', async () => {
      const { page, said } = await open('text.html');
      const example = exampleOn(page);
      assert.deepEqual((await example.run())[0], '5 [ 5, 64 ] [ 5, 5 ]');
      const label = await page.$eval('.output attention-map', (map) => map.rowLabels[3]);
      assert.equal(label, 'uncle');

      await example.click('Edit');
      await example.write(
        `import { words } from 'attention-wasm/text';\nconsole.log(words('a b').length, 'é');`,
      );
      assert.deepEqual(await example.run(), ['2 é']);
      assert.equal(await example.has('attention-map'), false);

      await example.write(
        `import { words } from 'attention-wasm/text';\nconsole.log(1);\nwords(3);`,
      );
      await page.keyboard.down('Control');
      await page.keyboard.press('Enter');
      await page.keyboard.up('Control');
      await page.waitForFunction(() => document.querySelector('.output .error'));
      assert.match(await example.output(), /^1\nTypeError: .*text.*3/);

      await example.write('const weights = ;');
      assert.match((await example.run()).join(), /^SyntaxError: /);

      await example.click('Reset');
      assert.equal(await example.has('textarea'), false);
      assert.match((await example.run())[0], /^5 /);
      assert.deepEqual(said, []);
      await page.close();
    });

    it('stops an example that does not end', async () => {
      const { page, said } = await open('text.html');
      const example = exampleOn(page, 1);
      await example.click('Edit');
      await example.write(`console.log('begun');\nfor (;;);`);
      await example.click('Run');
      await page.waitForFunction(() => document.body.innerText.includes('begun'));
      await example.click('Run');
      assert.match(await example.output(), /^begun\n.*stopped$/s);
      await example.click('Reset');
      assert.match((await example.run())[0], /'panic'/);
      assert.deepEqual(said, []);
      await page.close();
    });

    it('is used by the keyboard: Tab goes into the code and out of it', async () => {
      const { page } = await open('text.html');
      const active = () =>
        page.evaluate(() => {
          const { activeElement: one } = document;
          return one.getAttribute('aria-label') ?? one.textContent;
        });
      for (let step = 0; (await active()) !== 'Edit example 1'; step++) {
        assert.ok(step < 60, 'Tab does not come to the first example');
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
      assert.equal(await active(), 'Code of example 1');
      await page.keyboard.press('Tab');
      assert.equal(await active(), 'Run example 1');
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.querySelector('.output attention-map'));
      await page.close();
    });

    it('runs markup in a frame', async () => {
      const { page, said } = await open('heatmap.html');
      const example = exampleOn(page);
      assert.deepEqual(await example.run(), ['{ row: 0, column: 0 }', 'true image/png']);
      const frame = page.frames().find((one) => one.url().endsWith('run/run.html'));
      assert.equal(await frame.$eval('canvas', (canvas) => canvas.getAttribute('role')), 'grid');
      assert.deepEqual(said, []);
      await page.close();
    });

    if (name === 'firefox') return; // what follows is the same text in every browser

    it('runs every example of every page: it prints what its comments say', async () => {
      let count = 0;
      for (const path of entries) {
        const { page, said } = await open(path);
        const codes = await page.$$eval('.example:not([data-runs="node"]) pre', (all) =>
          all.map((pre) => pre.textContent),
        );
        for (const [index, code] of codes.entries()) {
          const lines = await exampleOn(page, index).run();
          for (const comment of watchPrints(code).promises.values()) {
            count++;
            const kept = lines.some((line) => line && comment.startsWith(line));
            assert.ok(kept, `${path}: ${comment} is promised, printed is\n${lines.join('\n')}`);
          }
        }
        assert.deepEqual(said, [], path);
        await page.close();
      }
      assert.ok(count > 50, `${count} comments say what is printed`);
    });

    it('gives axe-core nothing to find, by day and by night, and fits a phone', async () => {
      const found = {};
      for (const path of pages) {
        for (const theme of ['light', 'dark']) {
          const { page, said } = await open(path, { width: theme === 'light' ? 1280 : 320, theme });
          if (path === 'text.html') {
            await exampleOn(page).click('Edit');
            await exampleOn(page).run();
          }
          found[`${path} ${theme}`] = await problems(page);
          const width = await page.evaluate(() => document.documentElement.scrollWidth);
          assert.ok(width <= (theme === 'light' ? 1280 : 320), `${path} is ${width} wide`);
          assert.deepEqual(said, [], path);
          await page.close();
        }
      }
      assert.deepEqual(
        Object.entries(found).filter(([, list]) => list.length > 0),
        [],
      );
    });

    it('says so where the policy of a server lets no typed code run', async () => {
      const strict = await serveBelow('strict', () => policyOf('/'));
      try {
        const page = await browser.newPage();
        await page.goto(`${strict.url}text.html`);
        assert.match((await exampleOn(page).run()).join('\n'), /its script-src needs blob:/);
        await page.close();
      } finally {
        await strict.close();
      }
    });

    it('takes code for its frame from its own page alone', async () => {
      // Each of two locks by itself: the policy of the frame, and what its script looks at.
      const unlocked = await serveBelow('any', (path) =>
        policyOf(path).replace(/; frame-anc.*/, ''),
      );
      const stranger = await serve([await mkdtemp(join(tmpdir(), 'attention-stranger-'))]);
      try {
        for (const { url } of [server, unlocked]) {
          const page = await browser.newPage();
          const said = listen(page);
          await page.goto(stranger.url);
          const answered = await page.evaluate(async (address) => {
            const frame = document.createElement('iframe');
            frame.src = address;
            document.body.append(frame);
            await new Promise((done) => frame.addEventListener('load', done));
            const { port1, port2 } = new MessageChannel();
            const answer = new Promise((done) => (port1.onmessage = ({ data }) => done(data)));
            frame.contentWindow.postMessage('<p>1</p>', '*', [port2]);
            return Promise.race([answer, new Promise((done) => setTimeout(done, 1000, 'nothing'))]);
          }, `${url}run/run.html`);
          assert.equal(answered, 'nothing');
          assert.equal(/frame-ancestors/.test(said.join()), url === server.url, said.join());
          await page.close();
        }
      } finally {
        await unlocked.close();
        await stranger.close();
      }
    });

    it('is there without a network once it was read, where the page was visited', async () => {
      const near = await serveBelow('near');
      try {
        const page = await browser.newPage();
        await page.goto(near.url.replace(/api\/$/, ''));
        await page.evaluate(() => navigator.serviceWorker.ready);
        await page.goto(`${near.url}text.html`);
        const first = await exampleOn(page).run();
        await near.close();
        await page.reload();
        assert.deepEqual(await exampleOn(page).run(), first);
        await page.close();
      } finally {
        await near.close();
      }
    });

    it('shows beginnings in pages that begin so', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'attention-runtimes-'));
      const copied = await serve([folder, join(root, 'web/model')]);
      try {
        await cp(join(root, 'web/reference/runtimes'), folder, { recursive: true });
        await cp(join(root, 'web/built/index.js'), join(folder, 'attention.js'));
        const installed = join(folder, 'node_modules/attention-wasm/web');
        await mkdir(installed, { recursive: true });
        await symlink(join(root, 'web/built'), join(installed, 'built'));
        const html = await readFile(join(folder, 'page.html'), 'utf8');
        const names = ['', '/pool', '/translator'].map((name) => [
          `attention-wasm${name}`,
          `./node_modules/attention-wasm/web/built/${name.slice(1) || 'index'}.js`,
        ]);
        const map = JSON.stringify({ imports: Object.fromEntries(names) });
        const mapped = `<script type="importmap">${map}</script>\n<script`;
        const printing = html.replace('page.js', 'given_files.js').replace('<script', mapped);
        await writeFile(
          join(folder, 'worker.html'),
          html.replace('page.js', 'page_with_worker.js'),
        );
        await writeFile(join(folder, 'given.html'), printing);
        for (const path of ['page.html', 'import_map.html', 'worker.html', 'given.html']) {
          const page = await browser.newPage();
          const said = listen(page);
          await page.goto(copied.url + path);
          if (path === 'given.html') {
            for (let wait = 0; said.length === 0 && wait < 200; wait++) await setTimeout(50);
            assert.deepEqual(said, ['console log: true 4']);
          } else {
            await page.waitForFunction(() => document.querySelector('output').value === '0.6698');
          }
          await page.close();
        }
      } finally {
        await copied.close();
        await rm(folder, { recursive: true, force: true });
      }
    });
  });
}
