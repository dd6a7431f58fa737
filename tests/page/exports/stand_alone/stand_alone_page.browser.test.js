// The exported HTML file, opened from disk without a network: the same numbers, and no console messages.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { loadAttention } from 'attention-wasm';
import { listen } from '../../../support/js/browser.js';
import { spell } from '../../../support/js/page_numbers.js';
import { problems } from '../../../support/browser/axe.js';
import { cellsOfMap } from '../../../support/browser/cells_of_map.js';
import {
  catchFiles,
  choose,
  chooseStage,
  dropFile,
  exported,
  open,
  overflow,
  paste,
  startPage,
} from '../../../support/browser/page_driver.js';

const { attention } = await loadAttention();
const text = 'Say "tea" </script><b>& cup teas';

describe('the stand-alone page', { timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'stand-alone-'));
  const truth = spell(text);
  const count = truth.rows.length;
  const options = { heads: 2, scale: 2 * truth.scale, causal: true, weights: true };
  const { weights } = attention(truth.q, truth.k, truth.v, options);
  const demo = startPage('chromium');
  let page;

  before(async () => {
    const link = '#source=ngrams&heads=2&head=1&causal=yes&hideSpecial=no&merge=no&row=1&column=0';
    ({ page } = await open(demo.browser, demo.url, link));
    await catchFiles(page);
    await paste(page, 'first', text);
  });

  after(() => {
    rmSync(folder, { recursive: true });
  });

  /** Opens an export from disk. */
  async function openFile({ width = 1200, height = 1000, dark = false } = {}) {
    const file = await exported(page, 'page');
    assert.match(file.name, /^attention(_spelling(_head-2)?|_weights)?\.html$/);
    assert.equal(file.type, 'text/html');
    const path = join(folder, file.name);
    writeFileSync(path, file.text);
    const opened = await demo.browser.newPage();
    const said = listen(opened);
    const asked = [];
    opened.on('request', (request) => asked.push(request.url()));
    await opened.setViewport({ width, height });
    if (dark) {
      await opened.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
    }
    const address = pathToFileURL(path).href;
    await opened.goto(address);
    await opened.waitForFunction(() => document.querySelector('.numbers').textContent !== '');
    return { opened, said, asked: asked.filter((url) => url !== address), size: file.size };
  }
  // A page in the background does not draw.
  const shut = async (opened) => {
    await opened.close();
    await page.bringToFront();
  };
  const line = (opened) =>
    opened.$eval('.readout', (one) => one.textContent.replace(/\s+/g, ' ').trim());

  it('shows the page’s numbers, without console messages or requests', async (t) => {
    const { opened, said, asked, size } = await openFile();
    const { values, rows, columns } = await cellsOfMap(opened);
    assert.deepEqual([rows, columns], [truth.rows, truth.columns]);
    assert.equal(Object.keys(values).length, count * count);
    for (let at = 0; at < count * count; ++at) {
      const value = Number(values[`${Math.floor(at / count)},${at % count}`]);
      assert.equal(value, weights.data[count * count + at]);
    }
    assert.equal(await opened.$eval('h1', (one) => one.textContent), `“${text}”`);
    const caption = await opened.$eval('.caption', (one) => one.textContent);
    assert.match(caption, /head 2 of 2 · weights · softmax · scale 8 · looking only backwards/);
    assert.deepEqual([said, asked], [[], []]);
    t.diagnostic(`note: the stand-alone page has ${size.toLocaleString('en')} bytes`);
    await shut(opened);
  });

  it('works by keys, and announces the selection', async () => {
    const { opened } = await openFile();
    await opened.focus('attention-map');
    await opened.keyboard.down('Control');
    await opened.keyboard.press('Home');
    await opened.keyboard.up('Control');
    assert.match(await line(opened), /^Say looks at Say weight 1\.00000, score /);
    await opened.keyboard.press('ArrowRight');
    assert.match(await line(opened), /^Say may not look at " weight 0\.00000, score −∞$/);
    const cell = await opened.$eval(
      'attention-map',
      (one) => one.shadowRoot.querySelector('[role="gridcell"]').textContent,
    );
    assert.match(cell, /^Say → ": /);
    await shut(opened);
  });

  it('chooses layer and head of the view of all heads', async () => {
    await choose(page, 'view', 'heads');
    const { opened, said, asked } = await openFile({ height: 2000 });
    const lists = await opened.$$eval('.with-arrays label', (all) =>
      all.map((one) => [one.checkVisibility(), one.textContent, one.querySelector('select').value]),
    );
    assert.deepEqual(lists, [
      [false, 'Example 1', '0'],
      [false, 'Layer Spelling', '0'],
      [true, 'Head 12', '1'],
    ]);
    for (const head of [1, 0]) {
      await opened.select('#head', String(head));
      const { values } = await cellsOfMap(opened);
      for (let at = 0; at < count * count; ++at) {
        const value = Number(values[`${Math.floor(at / count)},${at % count}`]);
        assert.equal(value, weights.data[head * count * count + at], `head ${head}, ${at}`);
      }
    }
    assert.match(await line(opened), / looks at .* weight \d\.\d{5}$/);
    assert.deepEqual([said, asked], [[], []]);
    await shut(opened);
    await choose(page, 'view', 'matrix');
  });

  it('has captions of many heads that end where the next head begins', async () => {
    const { page: files } = await open(demo.browser, demo.url, '#source=files&view=heads', {});
    await catchFiles(files);
    const [layers, heads, words] = [2, 12, 5];
    const one = Array.from({ length: words }, (_, row) =>
      Array.from({ length: words }, (__, column) => Number(column === Math.max(0, row - 1))),
    );
    const all = Array.from({ length: layers }, () => Array.from({ length: heads }, () => one));
    const tokens = ['un', 'deux', 'trois', 'quatre', 'internationalization'];
    await dropFile(files, 'many.json', JSON.stringify({ weights: all, tokens }));
    await files.waitForSelector('.heads-view [role="gridcell"]');
    const { text: svg } = await exported(files, 'svg');
    const drawn = await files.evaluate((given) => {
      const root = new DOMParser().parseFromString(given, 'image/svg+xml').documentElement;
      const numbersOf = (node, ...names) => names.map((name) => Number(node.getAttribute(name)));
      return {
        width: numbersOf(root, 'width')[0],
        captions: Array.from(root.querySelectorAll('.head-caption'), (node) => ({
          box: numbersOf(node, 'x', 'y', 'width', 'height'),
          lines: Array.from(node.querySelectorAll('text'), (one) => [
            one.textContent,
            ...numbersOf(one, 'y'),
          ]),
        })),
      };
    }, svg);
    assert.ok(drawn.width <= 1200, `${drawn.width} px`);
    assert.equal(drawn.captions.length, layers * heads);
    drawn.captions.forEach(({ box: [x, y, width, height], lines }, at) => {
      // An SVG element within another cuts what is outside its box.
      const next = drawn.captions[at + 1]?.box;
      if (next && next[1] === y) assert.ok(x + width <= next[0], `caption ${at}`);
      else if (next) assert.ok(y + height < next[1], `caption ${at}`);
      assert.match(lines[0][0], new RegExp(`^Head ${(at % heads) + 1},`));
      for (const [says, line] of lines) {
        assert.ok(line <= height, `${says}: ${line} of ${height}`);
        assert.ok(says.length <= width / 5, says);
      }
    });
    await files.close();
    await page.bringToFront();
  });

  it('shows scores in the stage of scores, and the displayed view', async () => {
    await chooseStage(page, 'masked');
    const masked = await openFile();
    const { values } = await cellsOfMap(masked.opened);
    assert.equal(values['0,1'], '-Infinity');
    assert.match(await line(masked.opened), /score −?\d/);
    await shut(masked.opened);
    await chooseStage(page, 'weights');
    for (const view of ['lines', 'heads', 'table']) {
      await choose(page, 'view', view);
      const { opened, said } = await openFile();
      const words = await opened.$$eval('.of-light svg text', (all) =>
        all.map((one) => one.textContent),
      );
      assert.ok(words.length > 0, view);
      const seen = await opened.$$eval('.view', (all) =>
        all.map((one) => [one.className, one.checkVisibility()]),
      );
      assert.deepEqual(seen, [
        ['view of-light', true],
        ['view of-dark', false],
      ]);
      assert.equal(Object.keys((await cellsOfMap(opened)).values).length > 0, true, view);
      assert.deepEqual(said, []);
      await shut(opened);
    }
    await choose(page, 'view', 'matrix');
  });

  it('is light or dark by preference or by export option', async () => {
    const background = (opened) =>
      opened.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const [white, night] = ['rgb(255, 255, 255)', 'rgb(21, 24, 29)'];
    for (const [paper, day, evening] of [
      ['page', white, night],
      ['light', white, white],
      ['dark', night, night],
    ]) {
      await choose(page, 'paper', paper);
      for (const dark of [false, true]) {
        const { opened } = await openFile({ dark });
        assert.equal(await background(opened), dark ? evening : day, `${paper}, ${dark}`);
        await shut(opened);
      }
    }
    await choose(page, 'paper', 'page');
  });

  it('has no axe-core violations, and fits on a phone', async () => {
    for (const view of ['matrix', 'lines']) {
      await choose(page, 'view', view);
      const { opened } = await openFile({ width: 320 });
      assert.equal(await overflow(opened), 0);
      assert.deepEqual(await problems(opened), []);
      await shut(opened);
    }
    await choose(page, 'view', 'matrix');
  });

  it('keeps words that look like the end of its script', async () => {
    const weights = [
      [1, 0],
      [0.25, 0.75],
    ];
    const own = { weights, tokens: ['</script>', '<!--'] };
    await dropFile(page, 'weights.json', JSON.stringify(own));
    const { opened, said } = await openFile();
    const { rows, values } = await cellsOfMap(opened);
    assert.deepEqual(rows, ['</script>', '<!--']);
    assert.deepEqual(Object.values(values).sort(), ['0', '0.25', '0.75', '1']);
    assert.deepEqual(said, []);
    await shut(opened);
  });
});
