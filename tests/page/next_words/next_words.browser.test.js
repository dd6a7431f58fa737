// Next words in the page: choosing one continues from it, and Back undoes that. The words at every position are proved in
// next_words.test.js.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadTranslator } from 'attention-wasm/translator';
import { problems } from '../../support/browser/axe.js';
import {
  click,
  drawn,
  open,
  overflow,
  paste,
  pick,
  press,
  read,
  startExample,
  startPage,
} from '../../support/browser/page_driver.js';
import { assertPercent } from '../../support/js/page_numbers.js';

const translator = await loadTranslator();

const english = 'The red car is in front of the house.';
const elephant = 'The pink elephant tried to get into the car but it was too big.';

/** The offered words of a position. */
async function offered(page, after) {
  await page.waitForFunction(
    (end) =>
      document.querySelector('.next-words:not(.empty) h3 .unseen')?.textContent.endsWith(end),
    { timeout: 120_000 },
    after,
  );
  return page.evaluate(() => {
    const textOf = (one) => one.textContent;
    return {
      words: Array.from(document.querySelectorAll('.next-words li'), (one) => ({
        text: textOf(one.querySelector('bdi')),
        probability: textOf(one.querySelector('span')),
        isOwn: one.firstChild.getAttribute('aria-current') === 'true',
        isButton: one.firstChild.matches('button'),
      })),
    };
  });
}

const written = (page) => page.$eval('#first', ({ placeholder, value }) => value || placeholder);

/** Waits until this is the translation. */
async function writes(page, text) {
  await page.waitForFunction(
    (wanted) => document.querySelector('#first').placeholder === wanted,
    { timeout: 120_000 },
    text,
  );
  await drawn(page);
}

const take = (page, text) =>
  page.evaluate((wanted) => {
    const all = Array.from(document.querySelectorAll('.next-words button'));
    all.find((one) => one.querySelector('bdi')?.textContent === wanted).click();
  }, text);

describe('next words', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');

  it('are those at the selected word', async () => {
    const { page, said } = await open(demo.browser, demo.url, '#mode=cross&row=0');
    const { text } = translator.translate(english);
    await offered(page, 'at the start');
    for (const [word, before] of [
      [2, 'La voiture”'],
      [4, 'voiture rouge est”'],
    ]) {
      await click(page, `#first-words-${word}`);
      const shown = await offered(page, before);
      const [likeliest] = translator.nextWords(english, { target: text, word });
      assert.equal(shown.words[0].text, likeliest.text);
      assertPercent(shown.words[0].probability, likeliest.probability, likeliest.text);
      const own = shown.words.find(({ isOwn }) => isOwn);
      assert.equal(own.text, (await read(page)).query);
    }
    assert.deepEqual(said, []);
    await page.close();
  });

  it('can be continued from, and undone', async () => {
    const { page, said } = await open(demo.browser, demo.url, '#mode=cross&row=4');
    const text = await written(page);
    const { words } = await offered(page, 'rouge est”');
    const other = words.find(({ isOwn }) => !isOwn).text;
    await take(page, other);
    const begin = `La voiture rouge est ${other}`;
    const want = translator.translate(english, { begin }).text;
    assert.notEqual(want, text);
    await writes(page, want);
    assert.equal((await read(page)).query, other);
    const again = await offered(page, 'rouge est”');
    assert.equal(again.words.find(({ isOwn }) => isOwn).text, other);
    // The address restores it.
    await page.waitForFunction(
      (text) => location.hash.includes(`begin=${text}`),
      {},
      begin.replaceAll(' ', '+'),
    );
    await page.reload();
    await drawn(page);
    await writes(page, want);
    await page.goBack();
    await writes(page, text);
    await page.goForward();
    await writes(page, want);
    await page.evaluate(() => document.querySelector('.next-words .own').click());
    await writes(page, text);
    assert.equal(await page.$('.next-words .own'), null);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('restarts with another text', async () => {
    const { page } = await open(demo.browser, demo.url, '#mode=cross&begin=Une&row=0');
    await writes(page, translator.translate(english, { begin: 'Une' }).text);
    await paste(page, 'second', 'I have a dog.');
    await writes(page, translator.translate('I have a dog.').text);
    assert.doesNotMatch(await page.evaluate(() => location.hash), /begin=/);
    await page.close();
  });

  it('answers what follows “too”', async () => {
    const { page } = await open(demo.browser, demo.url, '#mode=cross');
    await startExample(page, 'What follows “too”?');
    const { words } = await offered(page, 'il était trop”');
    const { text } = translator.translate(elephant);
    assert.match(text, /il était trop gros\.$/);
    assert.equal(words[0].text, 'gros');
    assert.ok(parseFloat(words[0].probability) > 50);
    await page.close();
  });

  it('exists for the decoder only', async () => {
    const { page } = await open(demo.browser, demo.url, '#mode=cross&row=2');
    await offered(page, 'voiture”');
    await pick(page, 'part', 'decoder.0');
    await offered(page, 'voiture”');
    await pick(page, 'part', 'encoder.0');
    assert.equal(await page.$eval('.next-words', (one) => one.classList.contains('empty')), true);
    await page.close();
  });

  it('and what else is said of a text go with it', async () => {
    const { page, said } = await open(demo.browser, demo.url, '#mode=cross&row=2&sweep=heads');
    await offered(page, 'voiture”');
    await page.waitForSelector('.sweep[data-state="done"]', { timeout: 120_000 });
    const left = () =>
      page.evaluate(() => {
        const seen = (selector) =>
          Array.from(document.querySelectorAll(selector))
            .filter((one) => one.checkVisibility({ visibilityProperty: true }))
            .map((one) => one.textContent.trim())
            .filter(Boolean);
        return ['.looking', '.next-words *', '.flow > *', '.sweep', '.what-if'].flatMap(seen);
      });
    assert.ok((await left()).length > 4);
    await paste(page, 'second', '');
    assert.deepEqual(await left(), []);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('can be chosen by keyboard, and is no wider than a phone', async () => {
    const { page } = await open(demo.browser, demo.url, '#mode=cross&row=4');
    const { words } = await offered(page, 'rouge est”');
    await page.focus('#how');
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => document.activeElement.textContent);
    assert.ok(focused.startsWith(words[1].text), focused);
    await press(page, 'Enter');
    await writes(
      page,
      translator.translate(english, { begin: `La voiture rouge est ${words[1].text}` }).text,
    );
    for (const width of [320, 390]) {
      await page.setViewport({ width, height: 740 });
      assert.equal(await overflow(page), 0);
    }
    assert.deepEqual(await problems(page), []);
    await page.close();
  });
});
