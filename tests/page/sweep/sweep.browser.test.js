// Which head, which word matters: the map fills, can be canceled, and its cells open in the view. Its numbers are proved
// in sweep.test.js, the words of the panel in panel.test.js.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadTranslator } from 'attention-wasm/translator';
import { darkProblems, problems } from '../../support/browser/axe.js';
import {
  catchFiles,
  choose,
  click,
  drawn,
  exported,
  open,
  overflow,
  paste,
  pick,
  press,
  read,
  startPage,
} from '../../support/browser/page_driver.js';

const translator = await loadTranslator();
const english = 'The red car is in front of the house.';
const plain = translator.translate(english);
const rouge = plain.target.tokens.findIndex(({ text }) => text === 'rouge');
const start = `#mode=cross&row=${rouge}&column=1`;
const long = 'The old man who lives in the small house reads the same book. '.repeat(8).trim();

/** Waits until the panel has this state: measuring, done or again. */
async function reached(page, state) {
  await page.waitForFunction(
    (wanted) => document.querySelector('.sweep')?.dataset.state === wanted,
    { timeout: 120_000 },
    state,
  );
  await drawn(page);
}

/**
 * Pushes the button for a measurement, and acts within the page as soon as some runs are drawn: a driver would come
 * too late. 'ArrowDown' is pressed on the map of weights, and when the view has answered the button is pushed again;
 * 'other text' is pasted. Returns the panel's state when it has answered.
 */
const actWhileMeasuring = (page, act, text) =>
  page.evaluate(
    async (what, pasted) => {
      const one = (selector) => document.querySelector(selector);
      const button = one('.sweep .far button');
      const until = (isSo) =>
        new Promise((resolve) => {
          const observer = new MutationObserver(() => {
            if (!isSo()) return;
            observer.disconnect();
            resolve();
          });
          const all = { childList: true, subtree: true, characterData: true, attributes: true };
          observer.observe(document.body, all);
        });
      const begun = until(() => /^[1-9]\d* of \d/.test(one('.sweep .far span').textContent));
      button.click();
      await begun;
      if (what === 'ArrowDown') {
        const { textContent } = one('.looking .is-read');
        const answered = until(() => one('.looking .is-read').textContent !== textContent);
        const canvas = one('.matrix-view attention-map').shadowRoot.querySelector('canvas');
        canvas.dispatchEvent(new KeyboardEvent('keydown', { key: what, bubbles: true }));
        await answered;
        const { state } = one('.sweep').dataset;
        button.click();
        return state;
      }
      const field = one('#second');
      field.value = pasted;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      return null;
    },
    act,
    text,
  );

/** What the panel shows. */
const panel = (page) =>
  page.evaluate(() => {
    const textOf = (selector) => document.querySelector(`.sweep ${selector}`)?.textContent;
    const map = document.querySelector('.sweep attention-map');
    return {
      state: document.querySelector('.sweep').dataset.state,
      count: textOf('.far span'),
      number: textOf('.hint'),
      rows: map.rowLabels,
      columns: map.columnLabels,
      effects: map.weights && Array.from(map.weights.data),
      unseen: map.unseen && Array.from(map.unseen),
    };
  });

const hashField = (page, name) =>
  page.evaluate((field) => new URLSearchParams(location.hash.slice(1)).get(field), name);
const shownHead = (page) =>
  page.evaluate(() => ['part', 'head'].map((id) => document.getElementById(id).value));
const pushButton = (page) =>
  page.evaluate(() => document.querySelector('.sweep .far button').click());
const isHidden = (page, selector) =>
  page.$eval(selector, (one) => !one.checkVisibility()).catch(() => true);
/** The text of the strip. */
const strip = (page) => page.$eval('.what-if', (one) => one.textContent);

/** Clicks a cell of the map with the mouse. */
async function clickCell(page, row, column) {
  const at = await page.evaluate(
    (wantedRow, wantedColumn) => {
      const map = document.querySelector('.sweep attention-map');
      map.scrollIntoView({ block: 'center' });
      const { left, top, width, height } = map.getBoundingClientRect();
      for (let y = top; y < top + height; y += 3) {
        for (let x = left; x < left + width; x += 3) {
          const cell = map.cellAt({ clientX: x, clientY: y });
          if (cell?.row === wantedRow && cell.column === wantedColumn)
            return { x: x + 3, y: y + 3 };
        }
      }
      return null;
    },
    row,
    column,
  );
  await page.mouse.click(at.x, at.y);
  await drawn(page);
}

/** Opens the panel by the menu of a cell. */
async function openPanel(page) {
  await page.waitForSelector('.block-it button:not([disabled])');
  await (await page.$('.stage attention-map')).click({ button: 'right' });
  await page.evaluate(() => {
    const items = Array.from(document.querySelectorAll('.what-if-menu [role="menuitem"]'));
    items.find((one) => one.textContent.startsWith('Which head matters')).click();
  });
  await drawn(page);
}

describe('which head, which word matters', { timeout: 150_000 }, () => {
  const demo = startPage('chromium');
  const opened = (address = start) => open(demo.browser, demo.url, address, { folded: true });

  it('measures each head; click and Enter open one, pointer and keys show it in the strip', async () => {
    const { page, said } = await opened();
    await openPanel(page);
    await reached(page, 'done');
    const { rows, columns, effects } = await panel(page);
    const [encoder, decoder] = ['encoder 2', 'decoder 1'].map((one) => rows.indexOf(one));
    await clickCell(page, encoder, 2);
    assert.deepEqual(await shownHead(page), ['encoder.1', '2']);
    // The numbers stay those of “rouge”, and a head that looks back opens at it.
    assert.deepEqual((await panel(page)).effects, effects);
    await clickCell(page, decoder, 1);
    assert.deepEqual(await shownHead(page), ['decoder.0', '1']);
    assert.equal((await read(page)).query, 'rouge');
    await catchFiles(page);
    const csv = await exported(page, 'effects.csv');
    assert.equal(csv.name, 'attention_effects.csv');
    const saved = csv.text
      .split('\r\n')
      .find((line) => /,"?[^"]*ecoder[^"]* 1"?,2,rouge,/.test(line));
    assert.equal(Number(saved.split(',').at(-1)), effects[decoder * columns.length + 1]);
    assert.match(
      await page.$eval('.sweep .save-table', ({ textContent }) => textContent),
      /effects\.csv is saved/,
    );
    await page.mouse.move(2, 2);
    await page.focus('.sweep attention-map');
    await press(page, 'ArrowRight');
    assert.match(
      await strip(page),
      /^decoder 1, head 3 switched off.*rouge [\d.]+.%.*rouge [\d.]+.%/,
    );
    await press(page, 'Enter');
    assert.deepEqual(await shownHead(page), ['decoder.0', '2']);

    await page.evaluate(() => document.querySelector('#first-words-0').click());
    await drawn(page);
    const la = await panel(page);
    assert.notDeepEqual(la.effects, effects);
    assert.equal(la.state, 'done');
    assert.match(la.number, /“La”/);
    await choose(page, 'sweep-of', 'text');
    assert.match((await panel(page)).number, /the translation as it stands/);
    // A measured block can be made.
    await click(page, '.what-if .undo');
    await page.waitForFunction(() => document.querySelector('.what-if .now')?.textContent);
    assert.equal(await hashField(page, 'block'), 'decoder.0.2');
    assert.equal((await panel(page)).state, 'again');
    assert.deepEqual(said, []);
    await page.close();
  });

  it('hides each word; a cell selects both words; link and Back know the map', async () => {
    const { page, said } = await opened(`${start}&part=encoder.0&sweep=heads`);
    await reached(page, 'done');
    await choose(page, 'sweep', 'words');
    await page.waitForFunction(
      () => document.querySelector('.sweep attention-map').columnLabels[1] === 'red',
    );
    await reached(page, 'done');
    const { rows, columns, effects } = await panel(page);
    assert.equal(rows.join(' '), 'La voiture rouge est devant la maison . </s> all');
    const [row, column] = [rows.indexOf('maison'), columns.indexOf('house')];
    assert.ok(effects[row * columns.length + column] < -2);
    await clickCell(page, row, column);
    const { query, key } = await read(page);
    assert.deepEqual([query, key], ['maison', 'house']);
    assert.match(await page.$eval('#part', ({ value }) => value), /^cross/);
    assert.equal(await hashField(page, 'sweep'), 'words');
    await page.goBack();
    await drawn(page);
    assert.equal(await hashField(page, 'sweep'), 'heads');
    await pick(page, 'source', 'ngrams');
    for (const selector of ['.sweep', '.block-it']) {
      assert.equal(await isHidden(page, selector), true, selector);
    }
    assert.deepEqual(said, []);
    await page.close();
  });

  it('answers while it measures, and stops for Cancel and for another text', async () => {
    const { page, said } = await opened(`#mode=cross&text=${encodeURIComponent(long)}&sweep=words`);
    await reached(page, 'done');
    await paste(page, 'second', long.replace('old', 'young'));
    assert.equal(await actWhileMeasuring(page, 'ArrowDown'), 'measuring');
    await reached(page, 'again');
    const canceled = await panel(page);
    const [, done, total] = canceled.count.match(/^Canceled at (\d+) of (\d+)\.$/).map(Number);
    const missing = canceled.unseen.filter((one) => one === 1).length;
    assert.equal(missing, (total - done) * canceled.rows.length);
    assert.ok(done < total, canceled.count);

    await actWhileMeasuring(page, 'other text', english);
    await drawn(page);
    const old = await panel(page);
    assert.match(old.count, /is another now/);
    assert.ok(old.unseen.includes(1));
    // A cell of the old text opens nothing.
    const before = await read(page);
    await page.focus('.sweep attention-map');
    for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await press(page, key);
    await pushButton(page);
    await reached(page, 'done');
    assert.deepEqual(await read(page), before);
    assert.ok(Math.min(...(await panel(page)).effects) < -0.1);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('opens and closes by keys with the focus; no fault by axe, no wider than a phone', async () => {
    const { page } = await opened();
    await page.waitForSelector('.block-it button:not([disabled])');
    await page.focus('.matrix-view attention-map');
    await press(page, 'w');
    await reached(page, 'done');
    const focused = () => page.evaluate(() => document.activeElement.textContent);
    assert.equal(await focused(), 'Which matters?');
    assert.deepEqual(await problems(page), []);
    await press(page, 'Escape');
    assert.equal(await isHidden(page, '.sweep'), true);
    assert.ok(await page.evaluate(() => document.activeElement.matches('.block-it button')));
    await page.setViewport({ width: 320, height: 740 });
    await page.focus('.matrix-view attention-map');
    await press(page, 'w');
    await choose(page, 'sweep', 'words');
    await reached(page, 'done');
    assert.ok(await page.$('.sweep-room > .sweep'));
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await darkProblems(page), []);
    await page.close();
  });
});
