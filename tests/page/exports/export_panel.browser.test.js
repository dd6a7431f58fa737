// The panel of exports: files, pictures read by independent parsers, links and paper. The numbers in files are proved in
// data_files.test.js, the lines of JavaScript in javascript_lines.test.js.

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { lexicalScale } from 'attention-wasm/text';
import { assertTable, spell } from '../../support/js/page_numbers.js';
import {
  catchFiles,
  choose,
  chooseStage,
  click,
  drawn,
  exported,
  open,
  paste,
  pick,
  read,
  readTable,
  startPage,
  typeInto,
} from '../../support/browser/page_driver.js';

const text = 'Say "tea", uncle: tea, teas';
const { attention } = await loadAttention();

describe('exports', { timeout: 600_000 }, () => {
  const demo = startPage('chromium');
  let page;
  const truth = spell(text);
  const options = { heads: 2, scale: 2 * lexicalScale, causal: true, weights: true };
  const { weights } = attention(truth.q, truth.k, truth.v, options);
  const size = truth.rows.length ** 2;

  before(async () => {
    ({ page } = await open(demo.browser, demo.url));
    await catchFiles(page);
    await paste(page, 'first', text);
    await choose(page, 'heads', '2');
    await click(page, '#causal');
    await pick(page, 'head', '1');
  });

  /** Facts about the last exported PNG: size, first byte, counts of orange and other pixels, frequent blues. */
  const paintedPixels = () =>
    page.evaluate(async () => {
      const bitmap = await createImageBitmap(globalThis.caught[0].blob);
      const { width, height } = bitmap;
      const context = new OffscreenCanvas(width, height).getContext('2d');
      context.drawImage(bitmap, 0, 0);
      const { data } = context.getImageData(0, 0, width, height);
      const seen = new Map();
      let [orange, others] = [0, 0];
      for (let at = 0; at < data.length; at += 4) {
        const [red, green, blue] = data.subarray(at, at + 3);
        if (red > blue + 60 && green > blue + 30) orange++;
        if (red !== data[0]) others++;
        if (blue > red + 4)
          seen.set(`${red},${green},${blue}`, (seen.get(`${red},${green},${blue}`) ?? 0) + 1);
      }
      const blues = [...seen].filter(([, count]) => count > 400).map(([color]) => color);
      return { width, height, corner: data[0], orange, others, blues };
    });

  it('saves CSV and JSON, and shows lines of JavaScript, of the displayed head and settings', async () => {
    const csv = await exported(page, 'csv');
    assert.deepEqual([csv.name, csv.type], ['attention_spelling_head-2.csv', 'text/csv']);
    const lines = csv.text.trim().split('\r\n');
    assert.equal(lines.length, 1 + truth.rows.length);
    const [first] = lines.at(-1).split(',').slice(-1);
    assert.equal(Math.fround(Number(first)), weights.data.at(-1));
    await chooseStage(page, 'masked');
    assert.match((await exported(page, 'csv')).text, /-Infinity/);
    await chooseStage(page, 'weights');
    const json = await exported(page, 'json');
    assert.equal(json.name, 'attention_spelling_head-2.json');
    assert.equal(JSON.parse(json.text).options.causal, true);
    const { text: code } = await exported(page, 'javascript');
    assert.match(code, /heads: 2, scale: 8, causal: true/);
  });

  it('exports a PNG of twice the size, whose pixels are the weights', async () => {
    await choose(page, 'view', 'matrix');
    const file = await exported(page, 'png');
    assert.deepEqual([file.name, file.type], ['attention_spelling_head-2.png', 'image/png']);
    const { width, blues } = await paintedPixels();
    assert.equal(
      width,
      2 * (await page.$eval('.matrix-view attention-map', (one) => one.clientWidth)),
    );
    // Enough cells of different blues.
    assert.ok(blues.length >= 5, blues.join(' '));
  });

  it('exports an SVG with the words and a cell for each weight', async () => {
    for (const view of ['matrix', 'lines']) {
      await choose(page, 'view', view);
      const file = await exported(page, 'svg');
      assert.equal(file.type, 'image/svg+xml');
      const { words, error, shapes } = await page.evaluate((svg) => {
        const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
        return {
          error: parsed.querySelector('parsererror')?.textContent ?? '',
          words: Array.from(parsed.querySelectorAll('text'), (one) => one.textContent),
          shapes: parsed.querySelectorAll('rect, path, line').length,
        };
      }, file.text);
      assert.equal(error, '');
      for (const word of truth.rows) assert.ok(words.includes(word), `${word} in ${words}`);
      assert.ok(shapes >= truth.rows.length, `${view}: ${shapes} shapes`);
    }
    await choose(page, 'view', 'matrix');
  });

  it('exports every view as displayed, with a caption, light or dark', async () => {
    for (const view of ['matrix', 'lines', 'heads', 'table']) {
      await choose(page, 'view', view);
      for (const [paper, surface] of [
        ['light', 'rgb(255, 255, 255)'],
        ['dark', 'rgb(21, 24, 29)'],
        ['page', 'rgb(255, 255, 255)'],
      ]) {
        await choose(page, 'paper', paper);
        const svg = await exported(page, 'svg');
        const drawnAs = await page.evaluate((source) => {
          const { documentElement: root } = new DOMParser().parseFromString(
            source,
            'image/svg+xml',
          );
          document.body.append(document.importNode(root, true));
          const seen = document.body.lastElementChild;
          const fill = getComputedStyle(seen.querySelector('rect')).fill;
          const texts = Array.from(seen.querySelectorAll('text'), (one) => one.textContent);
          const ids = Array.from(seen.querySelectorAll('[id]'), (one) => one.id);
          const [width, height] = ['width', 'height'].map((side) => +seen.getAttribute(side));
          seen.remove();
          return { error: root.nodeName, fill, texts, width, height, ids };
        }, svg.text);
        assert.equal(drawnAs.error, 'svg', `${view}, ${paper}`);
        assert.equal(drawnAs.fill, surface, `${view}, ${paper}`);
        assert.equal(new Set(drawnAs.ids).size, drawnAs.ids.length, `ids of ${view}`);
        const says = drawnAs.texts.join(' ');
        assert.ok(says.includes('“Say "tea", uncle: tea, teas”'), `${view}: ${says}`);
        assert.match(says, /scale 8/, view);
        if (view !== 'heads') assert.match(says, view === 'lines' ? /2 heads/ : /head 2 of 2/);
        if (view === 'heads') assert.match(says, /Head 1.*Head 2/);
        if (view === 'lines') assert.match(says, /head 1 head 2/);
        const png = await exported(page, 'png');
        assert.equal(png.type, 'image/png');
        const painted = await paintedPixels();
        assert.deepEqual(
          [painted.width, painted.height],
          [drawnAs.width, drawnAs.height].map((side) => Math.round(2 * side)),
        );
        assert.equal(painted.corner, paper === 'dark' ? 21 : 255, `${view}, ${paper}`);
        assert.ok(painted.others > 500, `${view}: ${painted.others} pixels are drawn`);
        // The color of the second head, in the only view with colors for heads.
        assert.equal(
          painted.orange > 100,
          view === 'lines',
          `${view}: ${painted.orange} of orange`,
        );
      }
    }
    await choose(page, 'view', 'matrix');
  });

  it('creates a link that shows the same picture and text', async () => {
    await typeInto(page, 'windowLeft', '3');
    await click(page, '#first-words-3');
    const here = await read(page);
    const { text: address } = await exported(page, 'link');
    assert.ok(address.startsWith(`${demo.url}#`), address);
    const other = await demo.browser.newPage();
    await other.goto(address);
    await drawn(other);
    assert.deepEqual(await read(other), here);
    assert.equal(await other.$eval('#first', (field) => field.value), text);
    const there = await readTable(other);
    const window = attention(truth.q, truth.k, truth.v, { ...options, window: [3, null] });
    assertTable(there, truth, window.weights.data.subarray(size));
    // A link opened in the same page; and a link with invalid values.
    await other.evaluate(
      () => (location.hash = '#source=ngrams&mode=cross&first=tea&second=teas+cake'),
    );
    await drawn(other);
    await other.waitForFunction(() => document.querySelector('#first').value === 'tea');
    await drawn(other);
    assert.deepEqual((await readTable(other)).columns, ['teas', 'cake']);
    await other.evaluate(() => {
      location.hash =
        '#source=ngrams&mode=x&row=-1&scale=7&temperature=0&heads=3&lookup=%7B&kind=%22&stage=&x=1&%E0=%E0';
    });
    await drawn(other);
    await other.waitForFunction(() =>
      document.querySelector('#first').value.startsWith('The red car'),
    );
    await drawn(other);
    assert.equal((await read(other)).message, '');
    await other.close();
    await page.bringToFront();
    await page.focus('#windowLeft');
    await page.keyboard.press('Backspace');
    await drawn(page);
  });

  it('omits long texts from links, with a message', async () => {
    await paste(page, 'first', 'word '.repeat(1000));
    const { text: address, says } = await exported(page, 'link');
    assert.ok(address.length < 4000 && /too long/.test(says), says);
    await paste(page, 'first', text);
  });

  it('prints light, without controls', async () => {
    const pages = async () =>
      Buffer.from(await page.pdf({ format: 'A4' }))
        .toString('latin1')
        .match(/\/Type \/Page\n/g).length;
    assert.ok((await pages()) > 1, 'the flow has a page of its own');
    await page.$eval('#how', (button) => button.click());
    await drawn(page);
    assert.equal(await pages(), 1, 'text, map and sentence');
    await page.$eval('#how', (button) => button.click());
    await page.emulateMediaType?.('print').catch(() => {});
    const caption = '#choices'; // layer and head
    const seen = await page.evaluate(() =>
      Array.from(document.querySelectorAll('.more-panel, .texts, button, input, select, textarea'))
        .filter((one) => one.checkVisibility() && !one.closest('.next-words li, .box'))
        .map((one) => `#${one.id}`),
    );
    assert.deepEqual(seen, [caption]);
    assert.match(await page.$eval(caption, (one) => one.textContent), /[Hh]ead 2/);
    assert.ok(await page.$eval('.stage', (stage) => stage.checkVisibility()));
    // Text and table are complete on paper.
    await paste(page, 'first', `${text} `.repeat(8));
    for (const view of ['table', 'lines', 'matrix']) {
      await choose(page, 'view', view);
      const cut = await page.evaluate((name) => {
        const sheets = ['.sentences', '.stage'];
        const inner = ['#first-words', `[data-view="${name}"] > *:not([hidden])`];
        return sheets.flatMap((sheet, at) => {
          const [outer, own] = [sheet, inner[at]].map((one) =>
            document.querySelector(one).getBoundingClientRect(),
          );
          const isWhole = own.height > 20 && own.bottom <= outer.bottom + 1;
          return isWhole ? [] : [`${sheet}: ${own.bottom} below ${outer.bottom}`];
        });
      }, view);
      assert.deepEqual(cut, [], view);
    }
    // Two texts, each of more lines than on the screen.
    await choose(page, 'mode', 'cross');
    for (const field of ['first', 'second']) await paste(page, field, `${text} `.repeat(24));
    const heights = await page.$$eval('.sentences .sheet', (sheets) =>
      sheets.map((sheet) => [
        sheet.getBoundingClientRect().bottom,
        Array.from(sheet.querySelectorAll('[role="option"]')).at(-1).getBoundingClientRect().bottom,
      ]),
    );
    assert.equal(heights.length, 2);
    for (const [sheet, lastWord] of heights) {
      assert.ok(lastWord <= sheet + 1, `the last word ends at ${lastWord}, its text at ${sheet}`);
    }
    await choose(page, 'mode', 'self');
    await paste(page, 'first', text);
    await page.emulateMediaType(null);
    const rules = await page.evaluate(() =>
      Array.from(document.styleSheets).flatMap((sheet) =>
        Array.from(sheet.cssRules, (rule) => rule.media?.mediaText ?? ''),
      ),
    );
    assert.ok(rules.includes('print'));
  });
});
