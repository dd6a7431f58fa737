// Addresses and the browser's history: those of the first version open what they opened then, also in embedded pages; for
// invalid ones there is a picture, whatever they contain; Back leads through modes and views.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fields } from '../../web/demo/state_fields.js';
import { countHeld, holdTimers, runHeld } from '../support/browser/held_timers.js';
import {
  choose,
  drawn,
  open,
  paste,
  pick,
  startExample,
  startPage,
} from '../support/browser/page_driver.js';
import { hostileNames } from '../support/js/hostile_names.js';
import { listen } from '../support/js/browser.js';
import { embeddedAddresses, pageAddresses } from '../support/js/page_addresses.js';

/** Name of what is visible in the place of the picture: a view, a mode or the tour. */
const visibleOn = (page) =>
  page.evaluate(() => {
    const isSeen = (one) => one?.checkVisibility() === true;
    if (isSeen(document.querySelector('.tour'))) return 'tour';
    if (isSeen(document.querySelector('.learn-room'))) return 'learn';
    return Array.from(document.querySelectorAll('[data-view]'))
      .filter((one) => isSeen(one) && one.childElementCount > 0)
      .map((one) => one.dataset.view)
      .join();
  });

const fieldsOn = (page) =>
  page.evaluate(() =>
    ['first', 'second']
      .map((id) => document.getElementById(id))
      .filter((one) => one.checkVisibility())
      .map((one) => one.value),
  );

const spelled = '#source=ngrams&mode=self&text=tea+cup';
const others = Object.keys(fields).filter((name) => !['source', 'text', 'context'].includes(name));
const linkOf = (names, value) =>
  `${spelled}&${names.map((name) => `${name}=${encodeURIComponent(value)}`).join('&')}`;

/** Cells of the picture, or the message instead. */
const shownOn = (page) =>
  page.evaluate(() => ({
    rows: Number(
      document
        .querySelector('attention-map')
        ?.shadowRoot.querySelector('canvas')
        .getAttribute('aria-rowcount'),
    ),
    message: document.querySelector('.message').textContent,
  }));

describe('addresses', { timeout: 600_000 }, () => {
  const demo = startPage('chromium');

  describe('an address of the first version', () => {
    async function openAll(file, addresses, check) {
      const page = await demo.browser.newPage();
      const said = listen(page);
      await page.evaluateOnNewDocument(() => delete Navigator.prototype.serviceWorker);
      for (const one of addresses) {
        await page.goto('about:blank');
        await page.goto(demo.url + file + one.address);
        await drawn(page);
        assert.equal(await visibleOn(page), one.visible, `${file}${one.address}`);
        await check?.(page, one);
      }
      assert.deepEqual(said, []);
      await page.close();
    }

    it('opens its view, mode or step, with its texts', () =>
      openAll('', pageAddresses, async (page, { address, fields }) => {
        assert.deepEqual(await fieldsOn(page), fields, address);
      }));

    it('opens its view in an embedded page', () => openAll('embed.html', embeddedAddresses));
  });

  describe('an address from elsewhere', () => {
    for (const file of ['', 'embed.html']) {
      it(`has a picture for any values of ${file || 'the page'}`, async () => {
        const page = await demo.browser.newPage();
        const said = listen(page);
        for (const value of hostileNames) {
          await page.goto('about:blank');
          await page.goto(demo.url + file + linkOf(others, value));
          await drawn(page);
          assert.deepEqual(await shownOn(page), { rows: 2, message: '' }, value);
        }
        // An unknown source falls back to the first.
        await page.goto(`${demo.url}${file}#mode=self&text=tea&source=constructor`);
        await drawn(page);
        const { rows, message } = await shownOn(page);
        assert.ok(rows > 0 && message === '', `${rows} rows, “${message}”`);
        assert.deepEqual(said, []);
        await page.close();
      });
    }

    it('may have values in its history that are no text', async () => {
      const page = await demo.browser.newPage();
      const said = listen(page);
      await page.goto(demo.url + spelled);
      await drawn(page);
      for (const longTexts of [{ text: 7 }, { context: ['a'], causal: 'toString' }, 'abc', null]) {
        await page.evaluate((given) => history.replaceState({ longTexts: given }, ''), longTexts);
        await page.reload();
        await drawn(page);
        assert.deepEqual(await shownOn(page), { rows: 2, message: '' }, JSON.stringify(longTexts));
      }
      assert.deepEqual(said, []);
      await page.close();
    });
  });

  describe('the browser’s history', () => {
    it('leads Back from a mode and a view', async () => {
      const { page } = await open(demo.browser, demo.url, '#source=ngrams&text=one+two');
      await choose(page, 'view', 'table');
      await choose(page, 'mode', 'cross');
      const where = () =>
        page.evaluate(() => [
          document.body.dataset.mode,
          document.querySelector('[data-view]:not([hidden])').dataset.view,
          document.getElementById('first').value,
        ]);
      assert.deepEqual(await where(), ['cross', 'table', 'one two']);
      for (const expected of [
        ['self', 'table', 'one two'],
        ['self', 'matrix', 'one two'],
      ]) {
        await page.evaluate(() => history.back());
        await page.waitForFunction(
          (wanted) => {
            const { view } = document.querySelector('[data-view]:not([hidden])').dataset;
            return document.body.dataset.mode === wanted[0] && view === wanted[1];
          },
          {},
          expected,
        );
        await drawn(page);
        assert.deepEqual(await where(), expected);
      }
      await page.evaluate(() => history.forward());
      await page.waitForFunction(
        () => document.querySelector('[data-view]:not([hidden])').dataset.view === 'table',
      );
      await page.close();
    });

    it('leads Back to a text that was replaced, its translation and its place', async () => {
      const own = 'I like the black cat of my friend.';
      const { page, said } = await open(demo.browser, demo.url, '', { folded: true });
      const seen = () =>
        page.evaluate(() => ({
          texts: ['first', 'second'].map((id) => document.getElementById(id).value),
          words: ['first', 'second'].map(
            (id) => document.getElementById(`${id}-words`).textContent,
          ),
          pair: ['.is-read', '.is-seen'].map(
            (one) => document.querySelector(`.looking ${one}`).textContent,
          ),
        }));
      const goBack = async (expected) => {
        await page.evaluate(() => history.back());
        await page.waitForFunction(
          (text) => document.getElementById('second-words').textContent === text,
          { timeout: 30_000 },
          expected.words[1],
        );
        await drawn(page);
        assert.deepEqual(await seen(), expected);
      };
      await paste(page, 'second', own);
      await page.click('#first-words-1');
      await drawn(page);
      const typed = await seen();
      // An example of the same source, also one that is left before its picture has come.
      await startExample(page, 'Pink elephant');
      assert.notDeepEqual((await seen()).texts, typed.texts);
      await goBack(typed);
      await page.evaluate(() => {
        const all = Array.from(document.querySelectorAll('.examples button'));
        all.find(({ textContent }) => textContent === 'Pink elephant').click();
      });
      await goBack(typed);
      // An example with a French text of its own.
      await startExample(page, 'My own French');
      await goBack(typed);
      // A comparison of two texts.
      await startExample(page, 'Too tired / too wide');
      await goBack(typed);
      // A source with other texts.
      await pick(page, 'source', 'ngrams');
      await goBack(typed);
      // Typing makes no entries.
      const entries = await page.evaluate('history.length');
      for (const text of ['I like tea.', 'I like my tea.', own]) await paste(page, 'second', text);
      assert.equal(await page.evaluate('history.length'), entries);
      assert.deepEqual(said, []);
      await page.close();
    });

    it('keeps a text of any length over a reload', async () => {
      const { page } = await open(demo.browser, demo.url);
      const long = 'stones and cups '.repeat(300);
      await paste(page, 'first', long);
      await page.waitForFunction(() => Object.keys(history.state?.longTexts ?? {}).length > 0);
      assert.ok((await page.evaluate('location.href')).length < 4000);
      await page.reload();
      await drawn(page);
      assert.equal(await page.$eval('#first', (field) => field.value), long);
      await page.close();
    });

    it('does not change the address with every key press', async () => {
      const { page } = await open(demo.browser, demo.url, '#source=ngrams');
      // The timer that was set when the page was unfolded has passed.
      await page.waitForFunction(() => location.hash.includes('flow=yes'));
      await holdTimers(page, 300);
      await page.evaluate(() => {
        globalThis.writes = 0;
        for (const how of ['pushState', 'replaceState']) {
          const write = history[how].bind(history);
          history[how] = (...what) => {
            ++globalThis.writes;
            write(...what);
          };
        }
        const field = document.querySelector('#first');
        for (let letter = 0; letter < 20; ++letter) {
          field.value += 'a';
          field.dispatchEvent(new Event('input', { bubbles: true }));
        }
      });
      assert.equal(await page.evaluate('writes'), 0);
      // The paint ends its own timer, which is as long.
      await page.waitForFunction(() => globalThis.heldTimers.size === 1);
      // After a pause once.
      assert.equal(await runHeld(page), 1);
      assert.equal(await page.evaluate('writes'), 1);
      assert.equal(await countHeld(page), 0);
      await page.close();
    });
  });
});
