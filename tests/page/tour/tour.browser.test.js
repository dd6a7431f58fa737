// The tour: its card covers no figure, Back leads through its steps, and keys, links and addresses work.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { darkProblems, problems } from '../../support/browser/axe.js';
import { open, slide, startPage, typeInto } from '../../support/browser/page_driver.js';
import {
  arrived,
  pressButton,
  readStep,
  saidBy,
  stepCount,
} from '../../support/browser/tour_driver.js';
import { assertShows } from '../../support/js/page_numbers.js';
import { column, own, row, words } from '../../support/js/tour_sentence.js';

describe('the tour', { timeout: 600_000 }, () => {
  const demo = startPage('chromium');

  it('has a button for the whole screen that is as wide as its name', async () => {
    const { page } = await open(demo.browser, demo.url, '#tour=0', { folded: true });
    await arrived(page, 0);
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ]) {
      await page.setViewport({ width, height });
      const { across, below } = await page.evaluate(() => {
        const [button, steps] = ['.tour .present', '.tour nav'].map((one) =>
          document.querySelector(one).getBoundingClientRect(),
        );
        return { across: button.width, below: button.top - steps.bottom };
      });
      assert.ok(across < 150, `${across} px of ${width}`);
      if (width === 1440) assert.ok(below < 0, 'it stands beside the steps');
    }
    await page.close();
  });

  it('has its card beside its figures, or text before and buttons after them', async () => {
    const { page } = await open(demo.browser, demo.url, '#tour=0');
    for (const [width, height] of [
      [1440, 900],
      [768, 1024],
      [390, 844],
      [320, 640],
    ]) {
      await page.setViewport({ width, height });
      for (let step = 0; step < stepCount; ++step) {
        await page.evaluate(
          (at) => document.querySelectorAll('.tour nav button')[at].click(),
          step,
        );
        await arrived(page, step);
        const { card, says, buttons, others, wide, inside, within } = await page.evaluate(() => {
          const box = (one) => {
            const { left, top, right, bottom } = one.getBoundingClientRect();
            return { name: one.className, left, top, right, bottom };
          };
          // Buttons that stay in sight on a phone are in their place at the end.
          if (innerWidth < 960) scrollTo(0, document.documentElement.scrollHeight);
          const subject = document.querySelector('.tour .subject');
          const all = Array.from(subject.querySelectorAll('*')).filter(
            (one) => one.checkVisibility() && !one.closest('.light, svg, .unseen, thead td'),
          );
          const edges = box(subject);
          return {
            card: box(document.querySelector('.tour .card')),
            says: box(document.querySelector('.tour .says')),
            buttons: box(document.querySelector('.tour .buttons')),
            others: [
              subject,
              document.querySelector('.ledger'),
              document.querySelector('.tour .head'),
            ].map(box),
            wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
            inside: all
              .map(box)
              .filter(({ left, right }) => left < edges.left - 1 || right > edges.right + 1)
              .map((one) => one.name),
            within: [innerWidth, innerHeight],
          };
        });
        const where = `step ${step + 1} at ${width}`;
        for (const [part, other] of [says, buttons].flatMap((one) => others.map((o) => [one, o]))) {
          const apart =
            part.left >= other.right - 1 ||
            part.right <= other.left + 1 ||
            part.top >= other.bottom - 1 ||
            part.bottom <= other.top + 1;
          assert.ok(apart, `${where}: ${part.name} covers ${other.name}`);
        }
        assert.deepEqual(inside, [], where);
        assert.equal(wide, false, `${where} scrolls sideways`);
        if (width >= 960) {
          assert.ok(card.left >= others[0].right, `${where}: the card is not beside`);
          assert.ok(card.bottom <= within[1], `${where}: the card ends below the screen`);
        } else {
          const [subject, ledger] = others;
          assert.ok(says.bottom <= subject.top, `${where}: what it says is not above`);
          assert.ok(buttons.top >= ledger.bottom, `${where}: the way on is not below`);
        }
      }
    }
    await page.close();
  });

  it('works with the browser’s Back button and by keyboard alone', async () => {
    const { page } = await open(demo.browser, demo.url);
    const { length } = await page.evaluate(() => ({ length: history.length }));
    await page.focus('#tour-start');
    await page.keyboard.press('Enter');
    await arrived(page, 0);
    for (let step = 0; step < 3; ++step) {
      await page.keyboard.press(step === 1 ? 'Enter' : 'ArrowRight');
      await arrived(page, step + 1);
      const focused = await page.evaluate(() => document.activeElement.tagName);
      assert.equal(focused, 'H2');
    }
    assert.equal(await page.evaluate(() => history.length), length + 4);
    await page.goBack();
    await arrived(page, 2);
    await page.goForward();
    await arrived(page, 3);
    await page.keyboard.press('ArrowLeft');
    await arrived(page, 2);
    for (const step of [3, 2, 1, 0]) {
      await page.goBack();
      await arrived(page, step);
    }
    await page.goBack();
    await page.waitForFunction(() => document.querySelector('.tour').hidden);
    assert.equal(await page.$eval('main', (main) => main.hidden), false);
    await page.close();
  });

  it('lets arrow keys reach the numbers, and links to their origin', async () => {
    const { page } = await open(demo.browser, demo.url, '#tour=4');
    await arrived(page, 4);
    await page.focus('.number-table.scores td[tabindex="0"]');
    await page.keyboard.press('ArrowRight');
    const at = await page.$eval('.number-table [aria-selected="true"]', (cell) => cell.ariaLabel);
    const [line, other] = [row, column + 1].map((place) => words[place]);
    assert.ok(at.startsWith(`${line}, ${other}: `), at);
    await page.focus('.matrix.queries');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    const { matrices, trail } = await readStep(page);
    assertShows(saidBy(matrices[1]), own.query.rows[row + 1][1], 'q', 2e-6);
    // Arrow keys moved within the numbers, not between steps.
    await arrived(page, 4);
    assert.equal(trail[0], `Where does q of “${words[row + 1]}” come from?`);
    await page.evaluate(() => document.querySelector('.ledger .trail button').click());
    await arrived(page, 3);
    const { matrices: there, lines } = await readStep(page);
    assertShows(saidBy(there[2]), own.query.rows[row + 1][1], 'the same number', 2e-6);
    assert.match(lines[0], /^q2 = /);
    await page.goBack();
    await arrived(page, 4);
    await page.close();
  });

  it('has a price list of the reader’s own, in the address', async () => {
    const { page, said } = await open(demo.browser, demo.url, '#tour=0', { folded: true });
    await arrived(page, 0);
    const answers = () =>
      page.$$eval('.tour .answer', (list) => list.map((one) => one.textContent));
    assert.deepEqual(await answers(), ['not found', '5.946 €']);
    await typeInto(page, 'lookup-query', 'coffee');
    await slide(page, 'lookup-temperature', -4);
    const until = (expected) =>
      page.waitForFunction(
        (wanted) =>
          Array.from(
            document.querySelectorAll('.tour .answer'),
            (one) => one.textContent,
          ).join() === wanted,
        { timeout: 120_000 },
        expected.join(),
      );
    await until(['4.000 €', '4.000 €']);
    await page.click('.tour .add');
    await page.keyboard.type('tea coffee');
    await page.click('[aria-label="Remove key 3"]');
    await until(['not found', '1.000 €']);
    const keys = () =>
      page.$$eval('.soft [aria-label^="Key"]', (list) => list.map((one) => one.value));
    const own = ['tea', 'teapot', 'cake', 'tea coffee'];
    assert.deepEqual(await keys(), own);
    for (let count = own.length; count > 0; count--)
      await page.click('[aria-label="Remove key 1"]');
    assert.ok(await page.evaluate(() => document.activeElement.matches('.add')));
    await until(['not found', 'nothing to look up']);
    await page.waitForFunction(() => decodeURIComponent(location.hash).includes('"entries":[]'));
    await page.reload();
    await until(['not found', 'nothing to look up']);
    assert.deepEqual(await keys(), []);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('goes on to the reader’s text, selected', async () => {
    for (const [hash, id] of [
      ['#mode=self&text=tea&tour=12', 'first'],
      ['#mode=cross&text=tea&tour=12', 'second'],
      ['#mode=learn&text=tea&tour=12', 'second'],
    ]) {
      const { page } = await open(demo.browser, demo.url, hash, { folded: true });
      await arrived(page, 12);
      await pressButton(page, 'Try my own text');
      await page.waitForFunction(() => document.querySelector('.tour').hidden);
      const [focused, from, to] = await page.evaluate(() => {
        const { id: name, selectionStart, selectionEnd } = document.activeElement;
        return [name, selectionStart, selectionEnd];
      });
      assert.deepEqual([focused, from, to], [id, 0, 3], hash);
      await page.close();
    }
  });

  it('is printed as displayed', async () => {
    const { page } = await open(demo.browser, demo.url, '#tour=6');
    await arrived(page, 6);
    await page.emulateMediaType('print');
    const { height, buttons } = await page.evaluate(() => ({
      height: document.querySelector('.tour .subject').getBoundingClientRect().height,
      buttons: Array.from(document.querySelectorAll('.tour .card button')).some((one) =>
        one.checkVisibility(),
      ),
    }));
    assert.ok(height > 200, `${height}`);
    assert.equal(buttons, false);
    await page.close();
  });

  it('has no axe-core violations at any step', async () => {
    const found = {};
    const { page } = await open(demo.browser, demo.url, '#tour=0');
    for (let step = 0; step < stepCount; ++step) {
      await page.evaluate((at) => document.querySelectorAll('.tour nav button')[at].click(), step);
      await arrived(page, step);
      found[step + 1] = await problems(page);
      found[`${step + 1}, dark`] = await darkProblems(page);
    }
    await page.setViewport({ width: 390, height: 844 });
    await arrived(page, stepCount - 1);
    found['on a phone'] = await problems(page);
    assert.deepEqual(
      Object.entries(found).filter(([, list]) => list.length > 0),
      [],
    );
    await page.close();
  });
});
