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
import { holdTimersFromTheStart, runHeld, untilHeld } from '../support/browser/held_timers.js';
import {
  drawn,
  dropFile,
  dropModel,
  paste,
  press,
  read,
  startPage,
} from '../support/browser/page_driver.js';

const pause = 1000; // ms between pings
const spelled = '#source=ngrams&mode=self&text=tea+cup&heads=2&view=table';

/** Blocks the worker by the next message that it receives. */
async function hang(name, page) {
  if (name === 'chromium') {
    const [worker] = page.workers();
    await worker.evaluate(() => {
      const block = () => {
        for (;;);
      };
      addEventListener('message', block, { capture: true, once: true });
    });
  } else {
    // Firefox cannot run code in a worker from outside: messages to it are dropped instead.
    await page.evaluate(() => globalThis.deaf.push(globalThis.workers.at(-1)));
  }
}

/** Ends hang(), as if the worker had computed for long. */
async function goOn(name, page) {
  if (name === 'chromium') await page.workers()[0].client.send('Runtime.terminateExecution');
  else {
    await page.evaluate(() => {
      globalThis.deaf.pop();
      globalThis.workers.at(-1).postMessage({ type: 'ping' });
    });
  }
}

/** A server that holds some files: { url, held: functions that send them, close }. */
async function serveHeld(late) {
  const handler = sirv(join(root, '.build/page'), { dev: true });
  const held = [];
  const server = createServer(async (request, response) => {
    if (late.test(request.url)) await new Promise((send) => held.push(send));
    handler(request, response, () => response.writeHead(404).end());
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const close = () => new Promise((done) => (server.close(done), server.closeAllConnections()));
  return { url: `http://localhost:${server.address().port}/`, held, close };
}

/** Lets pauses pass, one with each frame, until there is a notice. */
const noticed = (page) =>
  page.waitForFunction(() => {
    if (!document.querySelector('.unresponsive').hidden) return true;
    for (const pass of [...globalThis.heldTimers.values()]) pass();
    return false;
  });

/** Waits until the notice has disappeared. */
const disappeared = (page) =>
  page.waitForFunction(() => document.querySelector('.unresponsive').hidden);

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
      await holdTimersFromTheStart(page, pause);
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
      await disappeared(page);
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
      }));
      assert.deepEqual(shown, { files: 0, text: 'a cup of tea' });
      assert.match((await read(page)).message, /^Give /);
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
      await disappeared(page);
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
      await hang(name, page);
      await write(page, 'three cups');
      await noticed(page);
      // Typing continues in the text field.
      assert.equal(await page.evaluate(() => document.activeElement.id), 'first');
      await page.evaluate(() => document.querySelector('.unresponsive button:last-child').focus());
      await page.keyboard.press('Escape');
      await disappeared(page);
      assert.equal(await page.evaluate(() => document.activeElement.id), 'first');
      await noticed(page);
      await goOn(name, page);
      await disappeared(page);
      await page.close();
    });

    it('shows no notice while it computes or loads', async () => {
      const page = await demo.browser.newPage();
      await holdTimersFromTheStart(page, pause);
      await page.evaluateOnNewDocument(() => {
        globalThis.wasSilent = false;
        globalThis.pings = { sent: 0, answered: 0 };
        const post = Worker.prototype.postMessage;
        Worker.prototype.postMessage = function postMessage(message, ...more) {
          if (message.type === 'ping') ++globalThis.pings.sent;
          post.call(this, message, ...more);
        };
        globalThis.Worker = class extends Worker {
          constructor(...given) {
            super(...given);
            this.addEventListener('message', ({ data }) => {
              if (data.type === 'pong') ++globalThis.pings.answered;
            });
          }
        };
        new MutationObserver(() => {
          globalThis.wasSilent ||= document.querySelector('.unresponsive')?.hidden === false;
        }).observe(document, { subtree: true, childList: true, attributes: true });
      });
      const { url, held, close } = await serveHeld(/worker-|requests-|english_french/);
      await page.goto(`${url}#mode=self&text=a+red+car`);
      await untilHeld(page);
      let sent = 0; // files
      for (;;) {
        const isWaiting = await page.$eval('main', ({ dataset }) => dataset.waiting === 'true');
        if (!isWaiting) break;
        // More pauses than the notice takes; a worker that has started answers each ping.
        for (let pauses = 0; pauses < (held.length > sent ? 25 : 1); pauses++) {
          await runHeld(page);
          await page.waitForFunction(() => {
            const { sent: count, answered } = globalThis.pings;
            return answered === 0 || answered === count;
          });
        }
        for (; sent < held.length; sent++) held[sent]();
      }
      assert.ok(sent >= 3, `${sent} files were late`);
      assert.equal(await page.evaluate(() => globalThis.wasSilent), false);
      await page.close();
      await close();
    });
  });
}
