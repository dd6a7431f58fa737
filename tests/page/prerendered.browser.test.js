// The opening of the page: a translation in its HTML, the same words and map before script and model have come. That
// nothing moves is tested in layout_shift.browser.test.js.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadTranslator } from 'attention-wasm/translator';
import {
  choose,
  drawn,
  open,
  read,
  readSentence,
  startPage,
} from '../support/browser/page_driver.js';
import { serveHeld } from '../support/browser/held_files.js';
import { assertTable, headOf } from '../support/js/page_numbers.js';

const translator = await loadTranslator();
const texts = ({ tokens }) => tokens.map(({ text }) => text);

/** Blocks the page's script; the function that allows it again. */
async function withoutScript(page) {
  const session = await page.createCDPSession();
  await session.send('Network.enable');
  await session.send('Network.setBlockedURLs', { urls: ['*/index-*.js'] });
  return () => session.send('Network.setBlockedURLs', { urls: [] });
}

const weights = /english_french.*\.safetensors$/;

describe('the opening of the page', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');

  /** The current table, without waiting for a new picture. */
  const readShown = async (shown) => {
    await shown.evaluate(() =>
      document.querySelector('[name="of-view"][value="table"]').closest('label').click(),
    );
    await shown.waitForSelector('.view.table tbody td');
    return shown.evaluate(() => {
      const table = document.querySelector('.view.table table');
      const textsIn = (cells) => Array.from(cells, (cell) => cell.textContent);
      return {
        columns: textsIn(table.querySelectorAll('thead th')),
        rows: textsIn(table.querySelectorAll('tbody th')),
        cells: Array.from(table.querySelectorAll('tbody tr'), (row) =>
          textsIn(row.querySelectorAll('td')),
        ),
      };
    });
  };

  it('has its first picture before the model is loaded', async (t) => {
    const { url, release, close } = await serveHeld(weights, 0.5);
    t.after(close);
    const early = await demo.browser.newPage();
    t.after(() => early.close());
    const session = await early.createCDPSession();
    await session.send('Network.enable');
    const network = { offline: false, latency: 20, downloadThroughput: 2e5, uploadThroughput: 2e5 };
    await session.send('Network.emulateNetworkConditions', network);
    await early.evaluateOnNewDocument(() => {
      globalThis.texts = [];
      globalThis.shift = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) globalThis.shift += value;
      }).observe({ type: 'layout-shift', buffered: true });
      const look = () => {
        requestAnimationFrame(look);
        const words = document.querySelector('.sentences[data-size] .second-line [data-weight]');
        if (!words) return;
        const text = document.getElementById('first-words').textContent;
        if (!globalThis.texts.includes(text)) globalThis.texts.push(text);
        if (!document.querySelector('.looking strong')?.textContent) return;
        globalThis.wasWaiting ??= document.querySelector('main').dataset.waiting;
        globalThis.bytes ??= ['navigation', 'resource']
          .flatMap((kind) => performance.getEntriesByType(kind))
          .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0);
      };
      look();
    });
    await early.goto(url, { waitUntil: 'domcontentloaded' });
    await early.waitForFunction('globalThis.wasWaiting');
    const bytes = await early.evaluate('globalThis.bytes');
    t.diagnostic(`note: first picture after ${Math.round(bytes / 1000)} kB`);
    assert.ok(bytes < 250_000, `${bytes} bytes`);
    const isWaiting = await early.evaluate('globalThis.wasWaiting');
    assert.equal(isWaiting, 'true', 'the model was there before the picture');
    const shift = await early.evaluate('globalThis.shift');
    assert.equal(shift, 0, 'layout shift');
    await session.send('Network.emulateNetworkConditions', { ...network, downloadThroughput: -1 });
    const { text, source, target, attention } = translator.translate(
      'The red car is in front of the house.',
    );
    // Words of both texts; punctuation and special tokens are one column.
    const [rows, columns] = [target, source].map(({ tokens }) => tokens.slice(0, -2));
    const all = headOf(attention.cross.at(-1), 0);
    const width = source.tokens.length;
    const shares = rows.flatMap((_, row) => {
      const [point, end] = all.subarray((row + 1) * width - 2, (row + 1) * width);
      return [...all.subarray(row * width, row * width + columns.length), point + end];
    });
    const seen = await readShown(early);
    const [french, english] = [rows, columns].map((tokens) => texts({ tokens }));
    assertTable(seen, { rows: french, columns: [...english, 'marks'] }, shares);
    // The loaded model does not redraw the same picture step by step.
    release();
    await drawn(early);
    const written = await early.evaluate('globalThis.texts');
    assert.deepEqual(written, [text]);
  });

  it('says how much of the model has come while another text waits for it', async (t) => {
    const { url, release, close } = await serveHeld(weights, 0.5);
    t.after(close);
    const early = await demo.browser.newPage();
    t.after(() => early.close());
    await early.goto(url);
    await early.waitForFunction(() => document.querySelector('.looking strong')?.textContent);
    await early.$eval('#second', (field) => {
      field.value = 'The black cat sleeps.';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    const loading = /^Loading the model \(5 MB\): (\d+) %\.$/;
    const seen = await early.waitForFunction(
      (source) => {
        const says = document.querySelector('.looking').textContent;
        if (!new RegExp(source).test(says)) return false;
        const bar = document.querySelector('.stage .progress');
        const map = document.querySelector('.view[data-view="matrix"] attention-map');
        if (bar.hidden) return false;
        const [lower, upper] = [
          bar.getBoundingClientRect().bottom,
          map.getBoundingClientRect().top,
        ];
        return { says, share: bar.querySelector('progress').value, covers: lower > upper };
      },
      { timeout: 120_000 },
      loading.source,
    );
    const { says, share, covers } = await seen.jsonValue();
    assert.equal(Number(loading.exec(says)[1]), Math.floor(100 * share));
    assert.ok(share <= 0.5, `${share}`);
    release();
    assert.equal(covers, false, 'the bar covers the map');
    await early.waitForFunction(
      () => document.querySelector('.looking').textContent.startsWith('To write'),
      { timeout: 60_000 },
    );
    assert.equal((await readShown(early)).columns[1], 'black');
  });

  for (const [width, dark] of [
    [360, false],
    [768, true],
    [1920, false],
  ]) {
    it(`has the same words before its script at ${width} pixels${dark ? ', dark' : ''}`, async (t) => {
      const early = await demo.browser.newPage();
      t.after(() => early.close());
      await early.setViewport({ width, height: 900 });
      const scheme = { name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' };
      await early.emulateMediaFeatures([scheme]);
      const read = () =>
        early.evaluate(() =>
          Array.from(document.querySelectorAll('.sentence [role="option"]'), (word) => {
            const { x, width: across, height } = word.getBoundingClientRect();
            const { backgroundColor, color } = getComputedStyle(word);
            const text = [word.textContent, word.className, word.dataset.weight ?? ''];
            return [...text, backgroundColor, color, x, across, height];
          }),
        );
      /** Text and box of each part of the page; what is invisible before the script may come to any place. */
      const readParts = () =>
        early.evaluate(() => {
          const parts =
            '.masthead button, .modes label, .examples button, .sentences label > *, .sheet, #play, .views label, ' +
            '#choices, #part, #head, .stage, .looking, .looking > *, .block-it button, #how, .next-words li > *, .with-mouse';
          return Array.from(document.querySelectorAll(parts), (one) => {
            if (!one.checkVisibility({ visibilityProperty: true })) return null;
            const { x, y, width: across, height } = one.getBoundingClientRect();
            const text = one.matches('.stage, .sheet, select') ? one.className : one.innerText;
            // The map of a phone takes the height of its cells.
            return { text, box: [x, y, across, one.matches('.stage') ? 0 : height] };
          });
        });
      const readRays = () =>
        early.$$eval('.ray', (all) =>
          all.map((one) => {
            const {
              d = '',
              x = '',
              y = '',
            } = Object.fromEntries(
              ['d', 'x', 'y'].map((name) => [name, one.getAttribute(name) ?? '']),
            );
            const { stroke, opacity } = getComputedStyle(one);
            const numbers = [...`${d} ${x} ${y}`.matchAll(/[\d.]+/g)].map(Number);
            return { numbers, look: [one.getAttribute('class'), stroke, opacity, one.textContent] };
          }),
        );
      const allowScript = await withoutScript(early);
      await early.goto(demo.url);
      const prerendered = await read();
      const rays = await readRays();
      const parts = await readParts();
      await allowScript();
      await early.reload();
      await drawn(early);
      assert.ok(prerendered.length > 10);
      assert.deepEqual(await read(), prerendered);
      // On the narrowest phones a text takes two lines.
      assert.equal(rays.length > 10, width > 360, `${rays.length} rays`);
      const later = await readRays();
      assert.deepEqual(
        later.map(({ look }) => look),
        rays.map(({ look }) => look),
      );
      later.forEach(({ numbers }, ray) => {
        assert.ok(numbers.every((one, at) => Math.abs(one - rays[ray].numbers[at]) < 0.25));
      });
      await early.waitForSelector('.block-it button:not([disabled])');
      await drawn(early);
      const now = await readParts();
      assert.ok(parts.filter(Boolean).length > 20);
      for (const part of parts.filter(Boolean)) {
        const same = now.filter((one) => one?.text === part.text).map(({ box }) => box);
        // Text is measured in one piece before, in several later.
        const isThere = same.some((box) =>
          box.every((number, side) => Math.abs(number - part.box[side]) < 0.25),
        );
        assert.ok(isThere, `${part.text}: ${part.box} → ${same.join(' or ')}`);
      }
    });
  }

  it('has no words before its script for another picture', async (t) => {
    const early = await demo.browser.newPage();
    t.after(() => early.close());
    await withoutScript(early);
    await early.goto(`${demo.url}#mode=self`);
    assert.equal(await early.$$eval('.sentence *', ({ length }) => length), 0);
  });

  it('is a translation, one click from self-attention', async () => {
    const { page, said } = await open(demo.browser, demo.url, '', { folded: true });
    const { query, key } = await read(page);
    assert.deepEqual([query, key], ['rouge', 'red']);
    assert.equal(
      (await readSentence(page)).words.join(' '),
      'La voiture rouge est devant la maison',
    );
    await choose(page, 'mode', 'self');
    const { words } = await readSentence(page);
    assert.equal(words.join(' '), 'The red car is in front of the house');
    await page.reload();
    await drawn(page);
    assert.equal(await page.evaluate(() => document.body.dataset.mode), 'self');
    assert.deepEqual(said, []);
    await page.close();
  });
});
