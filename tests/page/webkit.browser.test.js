// The page in WebKit, Safari's engine: the smoke test, and loading.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../support/js/package.js';
import {
  drawn,
  paste,
  read,
  readTable,
  servePage,
  spelling,
} from '../support/browser/page_driver.js';
import { smoke } from '../support/browser/page_smoke.js';
import { launchWebKit } from '../support/browser/webkit.js';

const loads = 8; // when the style sheet came after the script, about half of them stayed blank

smoke('webkit', launchWebKit);

describe('loading in webkit', { timeout: 300_000 }, () => {
  let server;
  let browser;
  let page;

  before(async () => {
    server = await servePage();
    browser = await launchWebKit();
    page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 900 });
  });

  after(async () => {
    await browser?.close();
    await server?.close();
  });

  it('has its style before its script, as engines may run the script at once', () => {
    const html = readFileSync(join(root, '.build/page/index.html'), 'utf8');
    const [style, script] = ['rel="stylesheet"', '<script'].map((one) => html.indexOf(one));
    assert.ok(style > 0 && style < script, `style at ${style}, script at ${script}`);
  });

  // WebKit would run the worker's script twice and answer everything twice.
  it('has no script that imports from the first one of a worker', () => {
    const folder = join(root, '.build/page/assets');
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
    const [first, ...more] = scripts.filter((name) => name.startsWith('worker-'));
    assert.ok(first && more.length === 0, scripts.join(' '));
    for (const name of scripts) {
      assert.doesNotMatch(readFileSync(join(folder, name), 'utf8'), /from ?['"`]\.\/worker-/, name);
    }
  });

  it('has no fused kernels, and says so', async () => {
    await page.goto(`${server.url}${spelling}&fused=yes`);
    await drawn(page);
    assert.equal(
      await page.$eval('.in-force', (one) => one.textContent),
      'fused: not in this browser',
    );
  });

  it('appears at every load, with its styles', async () => {
    for (let load = 0; load < loads; load++) {
      await page.goto(`${server.url}?${load}${spelling}&flow=yes&box=weight`);
      await page.waitForFunction(() => document.querySelector('main').dataset.waiting === 'false', {
        timeout: 120_000,
      });
      const { query, weight, sum } = await read(page);
      assert.ok(
        query !== '' && weight !== '' && sum === '1.00000',
        `load ${load}: ${query} ${weight}`,
      );
    }
  });

  it('draws each step of a translation once', async () => {
    await page.goto(`${server.url}?model#mode=cross&french=`);
    await drawn(page);
    await page.evaluate(() => {
      globalThis.answers = [];
      let isListening = false;
      const post = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function ask(message) {
        if (!isListening) {
          isListening = true;
          this.addEventListener('message', ({ data }) => globalThis.answers.push(data));
        }
        return post.call(this, message);
      };
    });
    await paste(page, 'second', 'I have a red car.');
    await page.waitForFunction(() =>
      document.querySelector('#first').placeholder.endsWith('rouge.'),
    );
    const { rows, columns } = await readTable(page);
    assert.ok(columns.includes('car') || columns.join('').includes('car'), columns.join(' '));
    assert.equal(rows.join(' '), "J' ai une voiture rouge");
    // No answer comes after the last one.
    const answers = await page.evaluate(() =>
      globalThis.answers
        .filter(({ type }) => type === 'shown')
        .map(({ id, isWhole, facts }) => ({ id, isWhole, text: facts?.translation })),
    );
    const ids = new Set(answers.map(({ id }) => id));
    for (const id of ids) {
      const own = answers.filter((one) => one.id === id);
      assert.ok(own.findIndex(({ isWhole }) => isWhole) === own.length - 1, JSON.stringify(own));
    }
    assert.ok(ids.size >= 1);
  });
});
