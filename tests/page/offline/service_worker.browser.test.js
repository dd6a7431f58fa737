// The first load and the visits without a network.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  drawn,
  open,
  paste,
  readSentence,
  servePage,
  spelling,
  startPage,
} from '../../support/browser/page_driver.js';

const budget = 200_000; // bytes of the first load, gzipped
const translated = 440_000; // bytes until a translation of one's own, gzipped, without the weights

/** @param {Buffer} content */
const gzipped = (content) => gzipSync(content, { level: 9 }).length;

const english = (bytes) => bytes.toLocaleString('en');

describe('the page', { timeout: 180_000 }, () => {
  const demo = startPage('chromium');

  it('is small until it has translated a text of its reader', async (t) => {
    const asked = new Set();
    const server = await servePage(3600, (path) => asked.add(path));
    t.after(() => server.close());
    const { page } = await open(demo.browser, server.url, '', { folded: true });
    await paste(page, 'second', 'Two cats sleep.');
    await page.waitForFunction(() =>
      /chats/.test(/** @type {HTMLInputElement} */ (document.querySelector('#first')).placeholder),
    );
    const all = [...asked].filter((path) => !path.endsWith('.safetensors'));
    assert.notEqual(all.length, asked.size, 'the weights have come');
    const sizes = await Promise.all(
      all.map(async (path) => {
        const answer = await fetch(new URL(path, server.url));
        return gzipped(Buffer.from(await answer.arrayBuffer()));
      }),
    );
    const weight = sizes.reduce((sum, size) => sum + size, 0);
    t.diagnostic(`note: translated ${english(weight)} bytes gzipped of ${english(translated)}`);
    assert.ok(weight <= translated, `${weight} bytes`);
    await page.close();
  });

  it('is small, connects to its own server only, and works offline', async (t) => {
    const server = await servePage(0);
    t.after(() => server.close());
    const options = { folded: true, offline: true };
    const { page } = await open(demo.browser, server.url, spelling, options);
    const names = await page.evaluate(() => [
      location.href,
      ...performance.getEntriesByType('resource').map(({ name: address }) => address),
    ]);
    const script = await page.$eval('script[data-modules]', ({ src, dataset }) => {
      const [main] = dataset.modules.split(' ');
      return new URL(main, src).href;
    });
    const { origin } = new URL(server.url);
    assert.deepEqual(
      names.filter((address) => new URL(address).origin !== origin),
      [],
    );
    // The worker's script, and what it loads at once.
    const fileIn = async (address, file) => {
      const [found] = file.exec(await (await fetch(address)).text());
      return new URL(found, script).href;
    };
    const worker = await fileIn(script, /worker-[\w-]+\.js/);
    const requests = await fileIn(worker, /requests-[\w-]+\.js/);
    const files = new Set([...names, script, worker, requests]);
    let weight = 0;
    for (const address of files) {
      if (address.endsWith('service_worker.js')) continue;
      const answer = await fetch(address);
      assert.equal(answer.status, 200, address);
      weight += gzipped(Buffer.from(await answer.arrayBuffer()));
    }
    t.diagnostic(`note: page ${english(weight)} bytes gzipped of ${english(budget)}`);
    assert.ok(weight <= budget, `${weight} bytes`);
    assert.equal(await page.evaluate(() => document.cookie), '');
    const reference = new URL('api/', server.url).href;
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(
      async (scope) =>
        (await navigator.serviceWorker.getRegistration(scope))?.active?.scriptURL.startsWith(scope),
      { timeout: 60_000 },
      reference,
    );
    await server.close();
    await page.reload();
    await drawn(page);
    await paste(page, 'first', 'still there');
    assert.equal((await readSentence(page)).words.length, 2);
    await page.goto(`${reference}translator.html`);
    assert.match(await page.$eval('main', (one) => one.textContent), /nextWords/);
    await page.close();
  });
});
