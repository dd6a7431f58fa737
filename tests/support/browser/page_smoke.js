// Smoke test of the page in one browser: it opens, computes typed text, draws every view,
// responds to pointer and keys, translates, looks up, and prints nothing on the console.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { assertSilent } from '../js/browser.js';
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
 * @param {(page: object) => string[]} [listen] collects a page's console messages
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
      said = listen?.(page);
      await page.setViewport({ width: 1280, height: 900 });
    });

    after(async () => {
      await browser?.close();
      await server?.close();
    });

    it('opens with a translation', async () => {
      await page.goto(server.url);
      await drawn(page);
      const { query, share, message } = await read(page);
      assert.ok(query !== '' && share !== '' && message === '', `${query} ${share} ${message}`);
      const { rows } = await readTable(page);
      assert.ok(rows.length > 2, rows.join(' '));
    });

    it('translates what is typed', async () => {
      await page.goto(`${server.url}?model#mode=cross&french=`);
      await drawn(page);
      await paste(page, 'second', 'I have a red car.');
      await page.waitForFunction(() => {
        const field = /** @type {HTMLInputElement} */ (document.querySelector('#first'));
        return field.placeholder.endsWith('rouge.');
      });
      const { rows, columns } = await readTable(page);
      assert.ok(columns.join('').includes('car'), columns.join(' '));
      assert.equal(rows.join(' '), "J' ai une voiture rouge");
    });

    it('blocks a link, a word and a head, undoes it, and has it in its link', async () => {
      const waitFor = (selector) =>
        page.waitForFunction((one) => document.querySelector(one) !== null, {}, selector);
      const effect = async (start) => {
        await page.waitForFunction(
          (wanted) => document.querySelector('.what-if .now')?.textContent.startsWith(wanted),
          {},
          start,
        );
        await drawn(page);
        return page.evaluate(() =>
          Array.from(document.querySelectorAll('.what-if li bdi'), (one) => one.textContent),
        );
      };
      const blocks = () =>
        page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get('block') ?? '');
      await page.goto(`${server.url}?block#mode=cross&french=&row=2&column=1`);
      await drawn(page);
      await waitFor('.block-it button:not([disabled])');
      await click(page, '.block-it button');
      const everywhere = '“rouge”, now “est”, blocked from “red”';
      assert.deepEqual(await effect('Now it writes'), [everywhere]);
      assert.equal(await blocks(), 'cross:2-1');
      await click(page, '.block-it button');
      assert.equal(await blocks(), '');
      const focusMap = () => page.focus('.matrix-view attention-map');
      await focusMap();
      await press(page, 'h');
      assert.deepEqual(await effect('Now it writes'), ['“red” hidden from all other words']);
      assert.equal(await blocks(), 'encoder:1');
      assert.ok(
        (await page.$eval('#first', (one) => one.placeholder)).startsWith('La voiture est'),
      );
      await choose(page, 'view', 'heads');
      await page.focus('.heads-view [tabindex="0"]');
      await press(page, 'x');
      const off = 'Head switched off';
      assert.deepEqual((await effect('Now it writes'))[1], off);
      await choose(page, 'view', 'matrix');
      await focusMap();
      await press(page, 'u');
      assert.equal(await page.$eval('.what-if', (one) => one.hidden), true);
      assert.equal(await blocks(), '');
      await page.goto(
        `${server.url}?blocked#mode=cross&french=&row=2&column=1&flow=yes&box=weight&block=cross:2-1`,
      );
      await drawn(page);
      await effect('Now it writes');
      assert.equal((await read(page)).weight, '0.00000');
      const says = await page.$eval('.looking', (one) => one.textContent);
      assert.match(says, /“red”: you blocked it\.$/);
    });

    it('is large for a lesson, and goes on by arrow keys', async () => {
      await page.goto(`${server.url}?lesson#mode=cross&french=&row=1&tour=11`);
      await page.waitForFunction(() => document.querySelector('.tour .likely li') !== null);
      await click(page, '.tour .present');
      await page.waitForFunction(() => document.querySelector('.lesson-bar p')?.textContent !== '');
      const size = await page.$eval('.tour .says p', (one) => getComputedStyle(one).fontSize);
      assert.ok(parseFloat(size) >= 16, size);
      await press(page, 'ArrowLeft');
      await page.waitForFunction(
        () => /** @type {HTMLElement} */ (document.querySelector('.tour')).dataset.step === 'cross',
      );
      await press(page, 'Escape');
      await page.waitForFunction(
        () => /** @type {HTMLElement} */ (document.querySelector('.lesson-bar')).hidden,
      );
      assert.equal(await page.$eval('.tour', (one) => one.hidden), false);
      await press(page, 'Escape');
      await page.waitForFunction(
        () => /** @type {HTMLElement} */ (document.querySelector('.tour')).hidden,
      );
      await drawn(page);
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
        const { message, share } = await read(page);
        assert.ok(message === '' && share !== '', `${view}: ${message}`);
      }
    });

    it('looks up softly', async () => {
      await page.$eval('.more-panel .idea a', (link) => link.click());
      await page.waitForFunction(() => document.querySelector('.tour .answer') !== null);
      assert.match(await page.$eval('.tour .before', (one) => one.textContent), /not found/);
      await click(page, '.tour .end');
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
        assert.deepEqual([file.name, file.type], [`attention_spelling.${way}`, type]);
        assert.ok(file.size > 2000, `${way} has ${file.size} bytes`);
      }
    });

    it('says nothing on the console, under its policy', async () => {
      if (listen) await assertSilent(page, said);
      const ran = await page.evaluate(() => {
        const script = document.createElement('script');
        script.textContent = 'globalThis.ranInline = true';
        document.head.append(script);
        return globalThis.ranInline === true;
      });
      assert.equal(ran, false, 'a script within the page was run: the policy is not in force');
    });
  });
}
