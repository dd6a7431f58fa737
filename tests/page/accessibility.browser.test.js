// Accessibility of the whole page: no axe-core violations, keyboard only, dark colors.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { darkProblems, problems } from '../support/browser/axe.js';
import {
  drawn,
  open,
  openDark,
  press,
  read,
  spelling,
  startPage,
} from '../support/browser/page_driver.js';

// Every view, and the other parts of the page.
const inEachView = ['matrix', 'lines', 'heads', 'table', 'compare'].map((view) => [
  view,
  `${spelling}&mode=self&view=${view}&heads=4`,
]);
const states = {
  ...Object.fromEntries(inEachView),
  'between two texts': `${spelling}&mode=cross&heads=4`,
  scores: `${spelling}&view=table&stage=raw`,
  causal: `${spelling}&heads=2&causal=yes`,
  masked: `${spelling}&causal=yes&stage=masked&hideSpecial=yes`,
  kernels: `${spelling}&kind=gaussian&stage=difference`,
  model: '',
  'model, one text': '#mode=self',
  translation: '#mode=cross&first=&view=lines',
  'heads of the model': '#mode=cross&view=heads',
  'another beginning': '#mode=cross&begin=Une&row=1',
  files: '#source=files',
  'your model': '#source=own&mode=self',
  'two texts': '#mode=cross&view=compare&beside=text&otherText=The+red+car+is+behind+the+house.',
  learn: '#mode=learn',
  empty: '#source=ngrams&first=+',
};

describe('accessibility of the page', { timeout: 600_000 }, () => {
  const demo = startPage('chromium');

  it('has no axe-core violations, light and dark', async () => {
    const found = {};
    for (const [state, hash] of Object.entries(states)) {
      const { page } = await open(demo.browser, demo.url, hash);
      await page.evaluate(() => {
        for (const more of document.querySelectorAll('.explain')) more.click();
      });
      found[state] = await problems(page);
      found[`${state}, dark`] = await darkProblems(page);
      await page.close();
    }
    assert.deepEqual(
      Object.entries(found).filter(([, list]) => list.length > 0),
      [],
    );
  });

  it('can be used with the keyboard alone', async () => {
    const { page } = await open(demo.browser, demo.url, spelling, { folded: true });
    const active = () =>
      page.evaluate(() => {
        const { activeElement: one } = document;
        return one.id || one.name || one.dataset.export || one.className || one.textContent.trim();
      });
    const to = async (wanted) => {
      for (let steps = 0; steps < 120; ++steps) {
        await page.keyboard.press('Tab');
        if ((await active()) === wanted) return;
      }
      assert.fail(`Tab does not come to ${wanted}`);
    };
    await to('first');
    await page.keyboard.down('Control');
    await page.keyboard.press('a');
    await page.keyboard.up('Control');
    await page.keyboard.type('stone stones tone');
    await drawn(page);
    await to('first-words');
    await press(page, 'End');
    assert.equal((await read(page)).query, 'tone');
    await press(page, 'ArrowLeft');
    assert.equal((await read(page)).query, 'stones');
    await to('more');
    await press(page, 'Enter');
    await to('settings');
    await press(page, 'Enter');
    await to('causal');
    await press(page, ' ');
    assert.equal(await page.$eval('#causal', (input) => input.checked), true);
    await page.evaluate(() => localStorage.clear());
    await to('view');
    await press(page, 'ArrowRight');
    assert.equal(await page.$eval('[data-view="lines"]', (one) => one.hidden), false);
    await press(page, 'ArrowLeft');
    // The matrix is one tab stop; arrow keys move between its cells.
    await page.focus('.matrix-view attention-map');
    await press(page, 'Home');
    await press(page, 'ArrowRight');
    const before = await read(page);
    await press(page, 'ArrowRight');
    const after = await read(page);
    assert.notDeepEqual(after.key, before.key);
    await to('Save or share');
    await press(page, 'Enter');
    await to('link');
    await press(page, 'Enter');
    await page.waitForFunction(() => document.querySelector('.exported').textContent !== '');
    // After the last tab stop focus leaves the page or starts again: there is no keyboard trap.
    await page.close();
  });

  it('moves focus from a field to its words and back, also in a translation', async () => {
    for (const hash of ['#mode=cross', '#mode=self']) {
      const { page } = await open(demo.browser, demo.url, hash, { folded: true });
      const focused = () => page.evaluate(() => document.activeElement.id);
      await page.focus('#first');
      await page.keyboard.press('Tab');
      assert.equal(await focused(), 'first-words', hash);
      await page.keyboard.down('Shift');
      await page.keyboard.press('Tab');
      await page.keyboard.up('Shift');
      assert.equal(await focused(), 'first', hash);
      await page.close();
    }
  });

  it('is dark for those who prefer that, and light on paper', async () => {
    const colors = (tab) =>
      tab.evaluate(() => {
        const { backgroundColor, color } = getComputedStyle(document.body);
        const sum = (rgb) =>
          rgb
            .match(/\d+/g)
            .slice(0, 3)
            .reduce((all, one) => all + Number(one), 0);
        return { paper: sum(backgroundColor), ink: sum(color) };
      });
    const page = await openDark(demo.browser, demo.url);
    const night = await colors(page);
    assert.ok(night.paper < 120 && night.ink > 600, JSON.stringify(night));
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    const paper = await colors(page);
    assert.ok(paper.paper > 700 && paper.ink < 150, JSON.stringify(paper));
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    assert.deepEqual(await colors(page), night);
    await page.close();
  });
});
