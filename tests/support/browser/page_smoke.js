// Smoke test of the page in one browser: it opens, computes typed text, draws every view,
// responds to pointer and keys, translates, looks up, and prints nothing on the console.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { assertTable, spell } from '../js/page_numbers.js';
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
} from './page_driver.js';

const text = 'Zuko made his uncle tea';
const { attention } = await loadAttention();

/**
 * Declares the tests of an engine.
 * @param {string} engine
 * @param {() => Promise<object>} launch a browser with the methods of puppeteer's that page_driver.js uses
 * @param {(page: object) => string[]} listen collects a page's console messages
 */
export function smoke(engine, launch, listen) {
  describe(`the page in ${engine}`, { timeout: 300_000 }, () => {
    let server;
    let browser;
    let page;
    let said;

    before(async () => {
      server = await servePage();
      browser = await launch();
      page = await browser.newPage();
      said = listen(page);
      await page.setViewport({ width: 1280, height: 900 });
    });

    after(async () => {
      await browser?.close();
      await server?.close();
    });

    it('opens with a translation', async () => {
      await page.goto(server.url);
      await drawn(page);
      const { query, weight, message } = await read(page);
      assert.ok(query !== '' && weight !== '' && message === '', `${query} ${weight} ${message}`);
      const { rows } = await readTable(page);
      assert.ok(rows.length > 2, rows.join(' '));
    });

    it('translates what is typed', async () => {
      await page.goto(`${server.url}?model#mode=cross&french=`);
      await drawn(page);
      await paste(page, 'second', 'I have a red car.');
      await page.waitForFunction(() =>
        document.querySelector('#first').placeholder.endsWith('rouge.'),
      );
      const { rows, columns } = await readTable(page);
      assert.ok(columns.join('').includes('car'), columns.join(' '));
      assert.equal(rows.join(' '), "J' ai une voiture rouge");
    });

    it('computes what is typed', async () => {
      await page.goto(`${server.url}?spelling${spelling}`);
      await drawn(page);
      await typeInto(page, 'first', text);
      const truth = spell(text);
      const { q, k, v, scale } = truth;
      const { weights } = attention(q, k, v, { scale, weights: true });
      assertTable(await readTable(page), truth, weights.data);
    });

    it('follows pointer and keys, in every view', async () => {
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
    });

    it('looks up softly', async () => {
      await choose(page, 'mode', 'lookup');
      assert.match(await page.$eval('.answers', (one) => one.textContent), /not found/);
      await choose(page, 'mode', 'self');
    });

    it('learns', async () => {
      await choose(page, 'mode', 'learn');
      const count = (step) =>
        page.waitForFunction(
          (start) => document.querySelector('.learn-count')?.textContent.startsWith(start),
          { timeout: 60_000 },
          `Step ${step}`,
        );
      await count('0;');
      await click(page, '#learn-step');
      await count('1, loss 2.'); // about log 11: all tokens are as likely
      await choose(page, 'mode', 'self');
    });

    it('exports its picture', async () => {
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

    it('says nothing on the console', () => {
      assert.deepEqual(said, []);
    });
  });
}
