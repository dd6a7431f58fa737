// Accessibility: keyboard only, dark colors, phones, offline; no axe-core violations and no layout shifts.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { darkProblems, problems } from '../support/browser/axe.js';
import {
  choose,
  click,
  drawn,
  open,
  openDark,
  paste,
  pick,
  press,
  read,
  readSentence,
  servePage,
  slide,
  spelling,
  startPage,
  unfold,
} from '../support/browser/page_driver.js';

const budget = 200_000; // bytes of the first load, gzipped

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

  it('announces changes to screen readers', async () => {
    const { page } = await open(demo.browser, demo.url);
    await page.focus('#causal');
    await press(page, ' ');
    const { query, key } = await read(page);
    await page.waitForFunction(
      (...words) => {
        const said = document.querySelector('#announcement[role="status"]').textContent;
        const shown = document.querySelector('.looking').textContent;
        return said === shown && words.every((word) => said.includes(word));
      },
      { timeout: 15_000 },
      query,
      key,
    );
    await page.close();
  });

  it('announces what each word attends to', async () => {
    const { page } = await open(demo.browser, demo.url);
    await page.focus('#first-words');
    await press(page, 'Home');
    await press(page, 'ArrowRight');
    assert.equal((await read(page)).query, 'much');
    const expected = await page.$eval('.looking', (one) => one.textContent);
    await page.waitForFunction(
      (says) => document.querySelector('#announcement').textContent === says,
      { timeout: 15_000 },
      expected,
    );
    await page.close();
  });

  it('announces what the map’s keys select, and that a link is blocked', async () => {
    const { page } = await open(demo.browser, demo.url, '#mode=cross&row=2&column=1');
    await page.waitForSelector('.block-it:not([hidden]) .block-link', { timeout: 60_000 });
    const announced = (says) =>
      page.waitForFunction(
        (wanted) => document.querySelector('#announcement').textContent.includes(wanted),
        { timeout: 15_000 },
        says,
      );
    await page.focus('.matrix-view attention-map');
    await press(page, 'ArrowRight');
    await announced('“car”');
    await press(page, 'x');
    await announced('you blocked it');
    // The words are options with their weight, and the empty field says what the model writes.
    const [option, field] = await page.evaluate(() => [
      document.querySelector('#second-words [role="option"][data-weight]:not([data-weight=""])')
        .ariaLabel,
      document.querySelector('#first').getAttribute('aria-description'),
    ]);
    assert.match(option, /^\S+, weight [\d.]+$/);
    assert.match(field, /^The model writes: La voiture/);
    await page.close();
  });

  it('has room for a translation on the smallest phone', async () => {
    const { page } = await open(demo.browser, demo.url, '#mode=cross', { folded: true });
    await page.setViewport({ width: 320, height: 640 });
    const check = async (what) => {
      for (const view of ['lines', 'heads', 'table', 'matrix']) {
        await choose(page, 'view', view);
        const { scrollWidth, clientWidth } = await page.evaluate(() => ({
          scrollWidth: document.documentElement.scrollWidth,
          clientWidth: document.documentElement.clientWidth,
        }));
        assert.ok(scrollWidth <= clientWidth, `${what}, ${view}: ${scrollWidth} of ${clientWidth}`);
      }
    };
    await check('folded');
    await unfold(page);
    await check('unfolded');
    await page.close();
  });

  it('is no wider than a phone, in every mode and view', async () => {
    const { page } = await open(demo.browser, demo.url);
    for (const width of [320, 360, 768]) {
      await page.setViewport({ width, height: 740 });
      for (const mode of ['cross', 'self']) {
        await choose(page, 'mode', mode);
        for (const value of [
          'A word',
          'Donaudampfschifffahrt'.repeat(5),
          'wörd 中文 '.repeat(40),
        ]) {
          await paste(page, 'first', value);
          for (const view of ['lines', 'heads', 'table', 'matrix']) {
            await choose(page, 'view', view);
            const { scrollWidth, clientWidth } = await page.evaluate(() => ({
              scrollWidth: document.documentElement.scrollWidth,
              clientWidth: document.documentElement.clientWidth,
            }));
            assert.ok(
              scrollWidth <= clientWidth,
              `${mode}, ${view}, “${value.slice(0, 9)}”: ${scrollWidth} of ${clientWidth}`,
            );
          }
        }
      }
    }
    // Min target size (WCAG 2.2, 2.5.8).
    const small = await page.evaluate(() =>
      Array.from(document.querySelectorAll('button, select, input[type="checkbox"], summary'))
        .filter((one) => one.checkVisibility())
        .map((one) => [one.outerHTML.slice(0, 60), one.getBoundingClientRect()])
        .filter(([, { width, height }]) => width < 24 || height < 18)
        .map(([html]) => html),
    );
    assert.deepEqual(small, []);
    await page.close();
  });

  it('has room for the reader’s own files on the smallest phone', async () => {
    for (const source of ['files', 'own']) {
      const { page } = await open(demo.browser, demo.url, `#source=${source}`, { folded: true });
      await page.setViewport({ width: 320, height: 640 });
      await drawn(page);
      const over = await page.evaluate(() =>
        Array.from(document.querySelectorAll('main *'))
          .filter((one) => one.checkVisibility() && !one.closest('.examples, .unseen'))
          .filter((one) => one.getBoundingClientRect().right > innerWidth)
          .map((one) => one.className || one.tagName),
      );
      assert.deepEqual(over, [], source);
      // Without a picture the text uses the largest font that fits.
      const [tall, room] = await page.$eval('#first', (one) => [
        one.scrollHeight,
        one.clientHeight,
      ]);
      assert.ok(tall <= room, `${source}: ${tall} of ${room}`);
      await page.close();
    }
  });

  it('has no layout shifts', async () => {
    const { page } = await open(demo.browser, demo.url);
    const places = () =>
      page.evaluate(() =>
        ['.texts', '.reading', '.stage', '.looking', '.inspector'].map((selector) => {
          const { x, y } = document.querySelector(selector).getBoundingClientRect();
          return `${selector} ${x.toFixed(1)} ${(y + scrollY).toFixed(1)}`;
        }),
      );
    const start = await places();
    for (const value of ['tea', '', 'one two three '.repeat(60)]) {
      await paste(page, 'first', value);
      assert.deepEqual(await places(), start, `“${value.slice(0, 10)}”`);
    }
    for (const view of ['lines', 'heads', 'table', 'matrix']) {
      await choose(page, 'view', view);
      assert.deepEqual(await places(), start, view);
    }
    await click(page, '#causal');
    await choose(page, 'heads', '4');
    await pick(page, 'kind', 'elu');
    await pick(page, 'kind', 'softmax');
    await slide(page, 'temperature', 2);
    assert.deepEqual(await places(), start);
    await page.close();
  });

  it('cancels outdated work while typing', async () => {
    const { page } = await open(demo.browser, demo.url);
    await choose(page, 'heads', '8');
    const many = Array.from({ length: 600 }, (_, at) => `word${at}`).join(' ');
    await page.evaluate((value) => {
      const field = document.getElementById('first');
      for (const text of [value, `${value} a`, `a ${value}`, 'the end']) {
        field.value = text;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }
    }, many);
    await drawn(page);
    assert.deepEqual((await readSentence(page)).words, ['the', 'end']);
    await page.close();
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

  it('is small, connects to its own server only, and works offline', async (t) => {
    const server = await servePage(0);
    t.after(() => server.close());
    const options = { folded: true, offline: true };
    const { page } = await open(demo.browser, server.url, spelling, options);
    const names = await page.evaluate(() => [
      location.href,
      ...performance.getEntriesByType('resource').map(({ name: address }) => address),
    ]);
    const script = await page.$eval('script[data-modules]', ({ src, dataset }) => {
      const [main] = dataset.modules.split(' ');
      return new URL(main, src).href;
    });
    const { origin } = new URL(server.url);
    assert.deepEqual(
      names.filter((address) => new URL(address).origin !== origin),
      [],
    );
    // The worker's script, and what it loads at once.
    const fileIn = async (address, file) => {
      const [found] = file.exec(await (await fetch(address)).text());
      return new URL(found, script).href;
    };
    const worker = await fileIn(script, /worker-[\w-]+\.js/);
    const requests = await fileIn(worker, /requests-[\w-]+\.js/);
    const files = new Set([...names, script, worker, requests]);
    let weight = 0;
    for (const address of files) {
      if (address.endsWith('service_worker.js')) continue;
      const answer = await fetch(address);
      assert.equal(answer.status, 200, address);
      weight += gzipSync(Buffer.from(await answer.arrayBuffer()), { level: 9 }).length;
    }
    t.diagnostic(
      `note: page ${weight.toLocaleString('en')} bytes gzipped of ${budget.toLocaleString('en')}`,
    );
    assert.ok(weight <= budget, `${weight} bytes`);
    assert.equal(await page.evaluate(() => document.cookie), '');
    const reference = new URL('api/', server.url).href;
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(
      async (scope) =>
        (await navigator.serviceWorker.getRegistration(scope))?.active?.scriptURL.startsWith(scope),
      { timeout: 60_000 },
      reference,
    );
    await server.close();
    await page.reload();
    await drawn(page);
    await paste(page, 'first', 'still there');
    assert.equal((await readSentence(page)).words.length, 2);
    await page.goto(`${reference}translator.html`);
    assert.match(await page.$eval('main', (one) => one.textContent), /nextWords/);
    await page.close();
  });
});
