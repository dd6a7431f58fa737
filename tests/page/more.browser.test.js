// The drawer "More": source, settings, export, keys, about; beside the page or below it, open as its reader left it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  choose,
  click,
  drawn,
  open,
  overflow,
  pick,
  press,
  readSentence,
  readTable,
  slide,
  spelling,
  startPage,
} from '../support/browser/page_driver.js';

describe('the drawer “More”', { timeout: 180_000 }, () => {
  const demo = startPage('chromium');
  const isSeen = (page, selector) => page.$eval(selector, (one) => one.checkVisibility());
  const unfold = (page, name) => click(page, `[data-fold="${name}"] > summary`);

  it('opens as its reader left it', async () => {
    const { page } = await open(demo.browser, demo.url, '', { folded: true });
    assert.equal(await isSeen(page, '#source'), false);
    await page.focus('#more');
    await press(page, 'Enter');
    assert.equal(await isSeen(page, '#source'), true);
    await unfold(page, 'settings');
    assert.equal(await isSeen(page, '#causal'), true);
    await page.reload();
    await drawn(page);
    assert.equal(await isSeen(page, '#causal'), true);
    await unfold(page, 'settings');
    await unfold(page, 'keys');
    await page.reload();
    await drawn(page);
    assert.deepEqual(
      [await isSeen(page, '#settings-panel'), await isSeen(page, '.keys-list')],
      [false, true],
    );
    await page.focus('#source');
    await press(page, 'Escape');
    assert.equal(await isSeen(page, '#source'), false);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'more');
    await page.reload();
    await drawn(page);
    assert.equal(await isSeen(page, '#source'), false);
    await page.evaluate(() => localStorage.clear());
    await page.close();
  });

  it('leads to soft lookup, and back to the reader’s text', async () => {
    const { page } = await open(demo.browser, demo.url, '#text=my+own+text');
    await page.$eval('.more-panel .idea a', (link) => link.click());
    await page.waitForSelector('#lookup-query', { visible: true });
    await page.click('.tour .end');
    assert.equal(await isSeen(page, '.matrix-view'), true);
    assert.equal((await readSentence(page)).text, 'my own text');
    await page.close();
  });

  it('changes the source, and has the examples that the first sight leaves out', async () => {
    const { page, said } = await open(demo.browser, demo.url, '');
    await click(page, '.examples.others button:last-child');
    assert.match((await readSentence(page)).text, /petit chien noir/);
    await pick(page, 'source', 'ngrams');
    assert.doesNotMatch(await page.$eval('.examples.others', (one) => one.textContent), /French/);
    assert.ok(await page.$eval('#source-says', (one) => one.textContent.length > 20));
    assert.deepEqual(said, []);
    await page.close();
  });

  it('says at the map which settings differ from their default', async () => {
    const { page } = await open(demo.browser, demo.url, '');
    const says = () => page.$eval('.in-force', (one) => one.textContent);
    assert.equal(await says(), '');
    await choose(page, 'scale', 'one');
    await choose(page, 'sort', 'total');
    assert.equal(await says(), 'scale 1 · columns sorted · in the picture only');
    await page.close();
  });

  it('has fused kernels as a switch, which the address keeps', async () => {
    const { page, said } = await open(demo.browser, demo.url, `${spelling}&view=table`);
    const numbers = async () => (await readTable(page)).cells;
    const before = await numbers();
    const says = () => page.$eval('.in-force', (one) => one.textContent);
    await click(page, '#fused');
    assert.equal(await says(), 'fused');
    await page.waitForFunction(() => location.hash.includes('fused=yes'));
    assert.deepEqual(await numbers(), before);
    await pick(page, 'source', 'model');
    for (const mode of ['self', 'cross']) {
      await choose(page, 'mode', mode);
      assert.match(await says(), /^fused/, mode);
    }
    assert.deepEqual(said, []);
    await page.close();
  });

  it('is about the mode', async () => {
    const { page } = await open(demo.browser, demo.url, '#mode=learn');
    await unfold(page, 'about');
    const about = () => page.$eval('.about', (one) => one.innerText);
    assert.match(await about(), /The loss is/);
    assert.doesNotMatch(await about(), /Tatoeba/);
    await choose(page, 'mode', 'self');
    assert.match(await about(), /Tatoeba/);
    await page.evaluate(() => localStorage.clear());
    await page.close();
  });

  it('is below the picture where there is no room beside it', async () => {
    const { page } = await open(demo.browser, demo.url, '', { folded: true });
    for (const [width, height] of [
      [390, 844],
      [320, 640],
      [768, 1024],
    ]) {
      const where = `at ${width} × ${height}`;
      await page.setViewport({ width, height });
      await page.evaluate(() => scrollTo(0, 0));
      await click(page, '#more');
      await unfold(page, 'settings');
      const [stage, panel] = await page.evaluate(() =>
        ['.stage', '.more-panel'].map((selector) => {
          const box = document.querySelector(selector).getBoundingClientRect();
          return { top: box.top, bottom: box.bottom };
        }),
      );
      assert.ok(stage.top >= 0 && stage.bottom <= panel.top + 1, `${where}: ${stage.bottom}`);
      assert.ok(panel.bottom <= height + 1 && panel.top >= 0.4 * height, where);
      await slide(page, 'temperature', 2);
      await unfold(page, 'settings');
      await page.focus('.more-panel .close');
      await press(page, height === 640 ? 'Escape' : 'Enter');
      const [isClosed, focused] = await page.evaluate(() => [
        document.querySelector('.more-panel').hidden,
        document.activeElement.id,
      ]);
      assert.deepEqual([isClosed, focused], [true, 'more'], where);
      assert.equal(await overflow(page), 0, where);
    }
    // On the next visit the sheet does not cover the page.
    await click(page, '#more');
    await page.reload();
    await drawn(page);
    assert.equal(await isSeen(page, '#source'), false);
    await page.evaluate(() => localStorage.clear());
    await page.close();
  });
});
