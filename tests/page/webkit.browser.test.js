// The page in the engine of Safari: it is there at every load, computes what is typed, and draws every view.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { root } from '../support/js/package.js';
import { assertTable, spell } from '../support/js/page_numbers.js';
import {
  catchFiles,
  choose,
  click,
  drawn,
  exported,
  paste,
  press,
  read,
  readSentence,
  readTable,
  servePage,
  spelling,
  typeInto,
} from '../support/browser/page_driver.js';
import { launchWebKit } from '../support/browser/webkit.js';

const loads = 8; // without the mend about half of them stayed blank
const text = 'Zuko made his uncle tea';
const { attention } = await loadAttention();

describe('the page in webkit', { timeout: 300_000 }, () => {
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
    const [style, script] = ['rel="stylesheet"', 'type="module"'].map((one) => html.indexOf(one));
    assert.ok(style > 0 && style < script, `style at ${style}, script at ${script}`);
  });

  // The engine would run the first script once more, and answer everything twice.
  it('has no script that imports from the first one of a worker', () => {
    const folder = join(root, '.build/page/assets');
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
    const [first, ...more] = scripts.filter((name) => name.startsWith('worker-'));
    assert.ok(first && more.length === 0, scripts.join(' '));
    for (const name of scripts) {
      assert.doesNotMatch(readFileSync(join(folder, name), 'utf8'), /from ?['"`]\.\/worker-/, name);
    }
  });

  it('is there at every load, in its own colours', async () => {
    for (let load = 0; load < loads; load++) {
      await page.goto(`${server.url}?${load}${spelling}`);
      await page.waitForFunction(() => document.querySelector('main').dataset.waiting === 'false', {
        timeout: 20_000,
      });
      const { query, weight, sum } = await read(page);
      assert.ok(
        query !== '' && weight !== '' && sum === '1.00000',
        `load ${load}: ${query} ${weight}`,
      );
    }
  });

  it('computes what is typed', async () => {
    await typeInto(page, 'first', text);
    const truth = spell(text);
    const { q, k, v, scale } = truth;
    const { weights } = attention(q, k, v, { scale, weights: true });
    assertTable(await readTable(page), truth, weights.data);
  });

  it('follows hands and keys, in every view', async () => {
    await click(page, '#first-words-1');
    assert.equal((await read(page)).query, 'made');
    await page.focus('#first-words');
    await press(page, 'ArrowRight');
    assert.equal((await readSentence(page)).read, 2);
    await choose(page, 'view', 'matrix');
    await page.focus('.matrix-view attention-map');
    await press(page, 'End');
    assert.equal((await read(page)).key, 'tea');
    for (const view of ['lines', 'heads', 'table', 'matrix']) {
      await choose(page, 'view', view);
      assert.equal(await page.$eval(`[data-view="${view}"]`, (one) => one.hidden), false);
      const { message, weight } = await read(page);
      assert.ok(message === '' && weight !== '', `${view}: ${message}`);
    }
    await choose(page, 'mode', 'lookup');
    assert.match(await page.$eval('.answers', (one) => one.textContent), /not found/);
    await choose(page, 'mode', 'self');
  });

  it('gives its picture away', async () => {
    await catchFiles(page);
    for (const [way, type] of [
      ['png', 'image/png'],
      ['svg', 'image/svg+xml'],
    ]) {
      const file = await exported(page, way);
      assert.deepEqual([file.name, file.type], [`attention.${way}`, type]);
      assert.ok(file.size > 2000, `${way} has ${file.size} bytes`);
    }
  });

  it('translates with the model', async () => {
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
    // A step is drawn once, and none after the last.
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
