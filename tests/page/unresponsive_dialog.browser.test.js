// A worker in an endless loop: the page offers to stop it, and continues with the same state.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import sirv from 'sirv';
import { listen } from '../support/js/browser.js';
import { root } from '../support/js/package.js';
import { decoderFiles } from '../support/js/whole_models.js';
import { problems } from '../support/browser/axe.js';
import {
  drawn,
  dropFile,
  dropModel,
  paste,
  press,
  startPage,
} from '../support/browser/page_driver.js';

const spelled = '#source=ngrams&mode=self&text=tea+cup&heads=2&view=table';

/** Shortens pauses of a second, before a script of the page runs. */
const hurry = (page) =>
  page.evaluateOnNewDocument(() => {
    const wait = globalThis.setTimeout;
    globalThis.setTimeout = (work, time, ...more) => wait(work, time === 1000 ? 30 : time, ...more);
  });

/** Blocks the worker; resolves once it is blocked. */
async function hang(name, page) {
  if (name === 'chromium') {
    const [worker] = page.workers();
    worker.evaluate('setTimeout(() => { for (;;); })').catch(() => {});
  } else {
    // Firefox cannot run code in a worker from outside: messages to it are dropped instead.
    await page.evaluate(() => globalThis.deaf.push(globalThis.workers.at(-1)));
  }
  await new Promise((resolve) => setTimeout(resolve, 300));
}

/** A server that delays some files by two seconds, longer than the notice takes here. */
async function serveSlowly(late) {
  const handler = sirv(join(root, '.build/page'), { dev: true });
  const delayed = [];
  const server = createServer(async (request, response) => {
    if (late.test(request.url)) {
      delayed.push(request.url);
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
    handler(request, response, () => response.writeHead(404).end());
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const close = () => new Promise((done) => (server.close(done), server.closeAllConnections()));
  return { url: `http://localhost:${server.address().port}/`, delayed, close };
}

const noticed = (page, isThere = true) =>
  page.waitForFunction(
    (hidden) => document.querySelector('.unresponsive').hidden === hidden,
    { timeout: 20_000 },
    !isThere,
  );

const write = (page, text) =>
  page.evaluate((value) => {
    const field = document.getElementById('first');
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }, text);

for (const name of ['chromium', 'firefox']) {
  describe(`a worker that does not answer in ${name}`, { timeout: 180_000 }, () => {
    const demo = startPage(name);

    async function open(hash) {
      const page = await demo.browser.newPage();
      const said = listen(page);
      await hurry(page);
      if (name === 'firefox') {
        await page.evaluateOnNewDocument(() => {
          Object.assign(globalThis, { deaf: [], workers: [] });
          const post = Worker.prototype.postMessage;
          Worker.prototype.postMessage = function postMessage(...given) {
            if (!globalThis.workers.includes(this)) globalThis.workers.push(this);
            if (!globalThis.deaf.includes(this)) post.apply(this, given);
          };
        });
      }
      await page.setViewport({ width: 1280, height: 900 });
      await page.goto(demo.url + hash);
      await drawn(page);
      return { page, said };
    }

    it('is stopped, and the page goes on with its text', async () => {
      const { page, said } = await open(spelled);
      await hang(name, page);
      await write(page, 'three cups of tea');
      await noticed(page);
      const box = await page.$eval('.unresponsive [role="alertdialog"]', (one) => ({
        title: document.getElementById(one.getAttribute('aria-labelledby')).textContent,
        says: document.getElementById(one.getAttribute('aria-describedby')).textContent,
        focused: one.contains(document.activeElement) && document.activeElement.textContent,
      }));
      assert.ok(box.title && box.says);
      // The typed text is seen, not the words of the last picture.
      const seen = await page.evaluate(() => {
        const styleOf = (one) => getComputedStyle(document.querySelector(one));
        return {
          field: styleOf('#first').webkitTextFillColor === styleOf('#first').color,
          words: styleOf('#first-words').visibility,
        };
      });
      assert.deepEqual(seen, { field: true, words: 'hidden' });
      // Enter must not press the stop button by accident.
      assert.equal(box.focused, 'Keep waiting');
      assert.deepEqual(await problems(page), []);
      await page.keyboard.down('Shift');
      await page.keyboard.press('Tab');
      await page.keyboard.up('Shift');
      await press(page, 'Enter');
      await noticed(page, false);
      await drawn(page);
      const shown = await page.evaluate(() => ({
        text: document.getElementById('first').value,
        words: document.querySelectorAll('#first-words [role="option"]').length,
        cells: document.querySelectorAll('tbody td').length,
        head: document.querySelectorAll('#head option').length,
      }));
      assert.deepEqual(shown, { text: 'three cups of tea', words: 4, cells: 16, head: 3 });
      assert.equal(await page.$('.sheet.behind'), null);
      await paste(page, 'first', 'two cups');
      assert.equal(await page.$$eval('tbody td', (all) => all.length), 4);
      assert.deepEqual(said, []);
      await page.close();
    });

    it('closes the open files', async () => {
      const { page, said } = await open(spelled);
      await page.select('#source', 'files');
      await drawn(page);
      await dropFile(page, 'q.json', '{"query": [[1, 0], [0, 1]]}');
      await hang(name, page);
      await write(page, 'a cup of tea');
      await noticed(page);
      await page.evaluate(() => document.querySelector('.unresponsive .stop').click());
      await drawn(page);
      const shown = await page.evaluate(() => ({
        files: document.querySelectorAll('.open-files li').length,
        text: document.getElementById('first').value,
        cells: document.querySelectorAll('tbody td').length,
      }));
      assert.deepEqual(shown, { files: 0, text: 'a cup of tea', cells: 16 });
      assert.deepEqual(said, []);
      await page.close();
    });

    it('closes the reader’s model', async () => {
      const { page, said } = await open('#mode=self&text=two+cats+sat');
      await dropModel(page, decoderFiles());
      await page.waitForSelector('.model-card:not([hidden])');
      await drawn(page);
      await hang(name, page);
      await write(page, 'two cats');
      await noticed(page);
      await page.evaluate(() => document.querySelector('.unresponsive .stop').click());
      await noticed(page, false);
      await page.waitForSelector('.model-card', { hidden: true });
      await drawn(page);
      const shown = await page.evaluate(() => ({
        says: document.querySelector('.model-says').textContent,
        loading: document.querySelector('.model-loading').hidden,
        text: document.getElementById('first').value,
        source: document.getElementById('source').value,
      }));
      assert.match(shown.says, /closed/);
      assert.deepEqual([shown.loading, shown.text, shown.source], [true, 'two cats', 'own']);
      await page.select('#source', 'ngrams');
      await drawn(page);
      assert.equal(await page.$$eval('#first-words [role="option"]', (all) => all.length), 2);
      assert.deepEqual(said, []);
      await page.close();
    });

    it('can be waited for, and the notice disappears when it answers', async () => {
      const { page } = await open(spelled);
      await page.focus('#first');
      if (name === 'chromium') {
        const [worker] = page.workers();
        const busy = 'const end = performance.now() + 9000; while (performance.now() < end);';
        worker.evaluate(`setTimeout(() => { ${busy} })`).catch(() => {});
        await new Promise((resolve) => setTimeout(resolve, 200));
      } else await hang(name, page);
      await write(page, 'three cups');
      await noticed(page);
      // Typing continues in the text field.
      assert.equal(await page.evaluate(() => document.activeElement.id), 'first');
      await page.evaluate(() => document.querySelector('.unresponsive button:last-child').focus());
      await page.keyboard.press('Escape');
      await noticed(page, false);
      assert.equal(await page.evaluate(() => document.activeElement.id), 'first');
      await noticed(page);
      if (name === 'firefox') {
        await page.evaluate(() => globalThis.deaf.pop());
        await page.evaluate(() => globalThis.workers.at(-1).postMessage({ type: 'ping' }));
      }
      await noticed(page, false);
      await page.close();
    });

    it('shows no notice while it computes or loads', async () => {
      const page = await demo.browser.newPage();
      await hurry(page);
      await page.evaluateOnNewDocument(() => {
        globalThis.wasSilent = false;
        new MutationObserver(() => {
          globalThis.wasSilent ||= document.querySelector('.unresponsive')?.hidden === false;
        }).observe(document, { subtree: true, childList: true, attributes: true });
      });
      const { url, delayed, close } = await serveSlowly(/worker-|requests-|english_french/);
      await page.goto(`${url}#mode=self&text=a+red+car`);
      await drawn(page);
      assert.ok(delayed.length >= 3, delayed.join());
      assert.equal(await page.evaluate(() => globalThis.wasSilent), false);
      await page.close();
      await close();
    });
  });
}
