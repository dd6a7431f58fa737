// The text fields: what is typed, pasted and edited in place, in any script and of any length; the texts of each mode, and
// the examples of each source.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { words } from 'attention-wasm/text';
import { loadTranslator } from 'attention-wasm/translator';
import {
  addressOf,
  choose,
  click,
  drawn,
  open,
  paste,
  pick,
  press,
  read,
  readSentence,
  readTable,
  spelling,
  startPage,
  typeInto,
} from '../support/browser/page_driver.js';
import { assertShows, assertTable, headOf, spell } from '../support/js/page_numbers.js';

const text = 'Zuko made his uncle tea, and his uncle liked the well-made tea';
const spelled = '#source=ngrams&mode=self&merge=no&hideSpecial=no';
const { attention } = await loadAttention();
const translator = await loadTranslator();

const weightsOf = ({ q, k, v, scale }) => attention(q, k, v, { scale, weights: true }).weights.data;
const textsOf = ({ tokens }) => tokens.map((token) => token.text);
const fields = (page) =>
  page.evaluate(() => ['first', 'second'].map((id) => document.getElementById(id).value));

describe('the text fields', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');

  it('compute while typing continues', async () => {
    const { page } = await open(demo.browser, demo.url, spelled);
    await typeInto(page, 'first', text);
    // Every key press counts, not only the end of a word.
    await page.focus('#first');
    await press(page, 'End');
    await page.keyboard.type(' s');
    await drawn(page);
    const truth = spell(`${text} s`);
    assertTable(await readTable(page), truth, weightsOf(truth));
    await page.close();
  });

  it('can be canceled while their picture is computed', async () => {
    const { page, said } = await open(demo.browser, demo.url, spelling, { folded: true });
    // A worker that does not hear what it is to show takes as long as the test wants.
    await page.evaluate(() => {
      const post = Worker.prototype.postMessage;
      globalThis.isDeaf = true;
      Worker.prototype.postMessage = function postMessage(message, ...more) {
        if (!globalThis.isDeaf || message.type !== 'show') post.call(this, message, ...more);
      };
      const field = /** @type {HTMLTextAreaElement} */ (document.getElementById('first'));
      field.value = 'tea cup';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await page.waitForSelector('.progress button', { visible: true });
    await page.click('.progress button');
    await drawn(page);
    const message = () =>
      page.$eval('.message', (one) => (one.checkVisibility() ? one.textContent : ''));
    assert.match(await message(), /^The computation was canceled\./);
    assert.equal(await page.$eval('.progress', (one) => one.checkVisibility()), false);
    await page.evaluate('isDeaf = false');
    await paste(page, 'first', 'tea cups');
    assert.equal(await message(), '');
    assert.deepEqual((await readSentence(page)).words, ['tea', 'cups']);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('edit a text in place', async () => {
    const { page } = await open(demo.browser, demo.url, spelling, { folded: true });
    const field = () =>
      page.evaluate(() => {
        const { activeElement: one } = document;
        return [one.id, one.selectionStart, one.selectionEnd];
      });
    // A click selects a word, a double click edits it.
    await click(page, '#first-words-2');
    assert.equal((await read(page)).query, 'wood');
    assert.equal((await field())[0], 'first-words');
    await press(page, 'Enter');
    assert.deepEqual(await field(), ['first', 9, 13]);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('en');
    await drawn(page);
    assert.ok((await readSentence(page)).text.startsWith('How much wooden would'));
    assert.equal((await read(page)).query, 'wooden');
    // The visible words are at the positions of the field's characters.
    const seen = await page.evaluate(() => {
      const style = getComputedStyle(document.getElementById('first'));
      const words = document.getElementById('first-words');
      return {
        letters: style.webkitTextFillColor,
        words: getComputedStyle(words).visibility,
        text: words.textContent === document.getElementById('first').value,
      };
    });
    assert.deepEqual(seen, { letters: 'rgba(0, 0, 0, 0)', words: 'visible', text: true });
    // A click after the last word puts the caret there.
    const end = await page.$eval('#first-words', (words) => {
      const { right, bottom } = words.getBoundingClientRect();
      return [right - 8, bottom - 8];
    });
    await page.mouse.click(...end);
    await page.keyboard.type('!');
    await drawn(page);
    assert.ok((await page.$eval('#first', ({ value }) => value)).endsWith('chuck wood?!'));
    await page.close();
  });

  it('show a typed character before its picture is ready', async () => {
    const { page } = await open(
      demo.browser,
      demo.url,
      '#source=ngrams&text=The+old+man,+and+his+dog',
      {
        folded: true,
      },
    );
    await page.focus('#first');
    const seen = await page.evaluate(() => {
      const field = document.getElementById('first');
      const words = document.getElementById('first-words');
      const write = (value) => {
        field.value = value;
        field.dispatchEvent(new Event('input', { bubbles: true }));
        const options = words.querySelectorAll('[role="option"]');
        const isAbove = getComputedStyle(field).webkitTextFillColor === 'rgba(0, 0, 0, 0)';
        return [words.textContent, isAbove, Array.from(options, (one) => one.textContent).join()];
      };
      return [
        write('The older man, and his dog'), // within a word
        write('The older man, x and his dog'), // between two
        write('Another text altogether'), // in all words: the field's own characters are visible
      ];
    });
    assert.deepEqual(seen, [
      ['The older man, and his dog', true, 'The,older,man,and,his,dog'],
      ['The older man, x and his dog', true, 'The,older,man,and,his,dog'],
      ['The older man, x and his dog', false, 'The,older,man,and,his,dog'],
    ]);
    await drawn(page);
    const { words } = await readSentence(page);
    assert.deepEqual(words, ['Another', 'text', 'altogether']);
    await page.close();
  });

  it('cancel outdated work while typing', async () => {
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

  it('handle no word, one word, two thousand, and any script', async () => {
    const { page } = await open(demo.browser, demo.url, spelled);
    for (const value of ['', ' \n ']) {
      await paste(page, 'first', value);
      assert.match((await read(page)).message, /Write a text/);
    }
    await paste(page, 'first', 'tea');
    const seen = await read(page);
    assert.deepEqual([seen.message, seen.query, seen.weight], ['', 'tea', '1.00000']);
    for (const value of ['a👩‍👩‍👧‍👦b e\u0301te\u0301 👍🏽 中文 שלום عربي', '\ud800 x', '<b>&amp;</b>']) {
      await paste(page, 'first', value);
      const { words: shown, text: whole } = await readSentence(page);
      assert.equal(whole.replaceAll('\ufffd', '\ud800'), value);
      const cut = words(value).map((word) => word.replaceAll('\ud800', '\ufffd'));
      assert.deepEqual(
        shown.map((word) => word.replaceAll('\ud800', '\ufffd')),
        cut,
      );
      const table = await readTable(page);
      assert.equal(table.cells.length, cut.length);
    }
    const many = Array.from({ length: 2000 }, (_, i) => `word${i}`).join(' ');
    await choose(page, 'view', 'matrix');
    await paste(page, 'first', many);
    assert.match(
      await page.$eval('.was-read', ({ textContent }) => textContent),
      /^Read: tokens 1 to 1,024 of 2,000 \(the page reads at most 1,024\)\.$/,
    );
    const truth = spell(many);
    assert.equal(truth.rows.length, 1024);
    await page.focus('#first-words');
    await press(page, 'End');
    const { query, key, weight } = await read(page);
    assert.equal(query, 'word1023');
    const at = 1023 * 1024 + truth.columns.indexOf(key);
    assertShows(weight, weightsOf(truth)[at], 'the weight');
    // A large picture shows the selected row instead of a million cells.
    const table = await readTable(page);
    assert.equal(table.rows.length, 1024);
    assertShows(table.cells[7][0], weightsOf(truth)[1023 * 1024 + 7], 'a weight of the row');
    await page.close();
  });

  it('handle other scripts byte by byte, and point to Spelling', async () => {
    const hash = `#mode=self&text=${encodeURIComponent('I like 猫 and 👍')}`;
    const { page, said } = await open(demo.browser, demo.url, hash, { folded: true });
    const { words } = await readSentence(page);
    assert.deepEqual(words, ['I', 'like', '猫', 'and', '👍']);
    const { rows } = await readTable(page);
    assert.deepEqual(rows, ['I', 'like', '猫', 'and', '👍']);
    const note = () => page.$eval('.note', (one) => one.textContent);
    assert.match(await note(), /vectors from Spelling suit any writing/);
    await choose(page, 'mode', 'cross');
    assert.match(await note(), /vectors from Spelling suit any writing/);
    await paste(page, 'second', 'I like my cat.');
    assert.doesNotMatch(await note(), /Spelling/);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('show the beginning of a text that is too long, with a message', async () => {
    const hash = '#mode=self&merge=no&hideSpecial=no';
    const { page, said } = await open(demo.browser, demo.url, hash);
    const isCut = () =>
      page.$eval('.was-read', (one) => one.checkVisibility() && one.textContent.startsWith('Read'));
    await paste(page, 'first', 'The cat is black. '.repeat(500));
    assert.equal(await isCut(), true);
    const { rows } = await readTable(page);
    assert.ok(rows.length > 300 && rows.length <= 1024, `${rows.length} tokens`);
    const note = () => page.$eval('.note', (element) => element.textContent);
    assert.match(await note(), /in a text this long its weights say little/);
    // Three bytes per character, one token per byte.
    await paste(page, 'first', '猫'.repeat(240));
    assert.equal(await page.$eval('.message', (element) => element.textContent), '');
    await choose(page, 'mode', 'cross');
    await paste(page, 'first', 'Le chat est noir.');
    await paste(page, 'second', 'The cat is black. '.repeat(500));
    assert.equal(await isCut(), true);
    await choose(page, 'mode', 'self');
    await paste(page, 'first', 'The cat is black.');
    assert.doesNotMatch(await note(), /say little/);
    const { source, attention } = translator.encode('The cat is black.');
    const words = textsOf(source);
    const weights = headOf(attention.encoder[0], 0);
    assertTable(await readTable(page), { rows: words, columns: words }, weights);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('have the translation in the empty field, or French of the reader’s own', async () => {
    const english = 'She has a small black dog.';
    const link = 'mode=cross&part=cross.1&head=1&merge=no&hideSpecial=no';
    const { page, said } = await open(demo.browser, demo.url, `#${link}`);
    const placeholder = () => page.$eval('#first', (field) => field.placeholder);
    const assertShown = async ({ source, target, attention }) => {
      const labels = { rows: textsOf(target), columns: textsOf(source) };
      assertTable(await readTable(page), labels, headOf(attention.cross[1], 1));
    };
    await paste(page, 'second', english);
    const written = translator.translate(english);
    assert.equal(await placeholder(), written.text);
    await assertShown(written);
    const target = 'Elle a un minuscule chien noir.';
    await paste(page, 'first', target);
    await assertShown(translator.translate(english, { target }));
    assert.equal(await placeholder(), '');
    assert.deepEqual(said, []);
    await page.close();
  });

  it('begin with the model’s sentence where its French is edited, the word selected', async () => {
    const { page, said } = await open(demo.browser, demo.url, '', { folded: true });
    const french = 'La voiture rouge est devant la maison.';
    const field = () =>
      page.evaluate(() => {
        const one = document.activeElement;
        return [one.id, one.value, one.value.slice(one.selectionStart, one.selectionEnd)];
      });
    const leave = async () => {
      await page.focus('#play');
      await drawn(page);
    };
    // “Edit”, a double click on a word, Enter, and Tab.
    await click(page, '[for="first"] .edit');
    assert.deepEqual(await field(), ['first', french, 'rouge']);
    await leave();
    // Nothing was changed: it is still the model's.
    assert.equal(await page.$eval('#first', ({ value }) => value), '');
    assert.match(await page.$eval('[for="first"]', (one) => one.textContent), /by the model/);
    assert.equal(new URL(await addressOf(page)).hash, '');
    await page.focus('#first-words');
    await press(page, 'Enter');
    assert.deepEqual(await field(), ['first', french, 'rouge']);
    await leave();
    const box = await (await page.$('#first-words-1')).boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { count: 2 });
    await drawn(page);
    assert.deepEqual(await field(), ['first', french, 'voiture']);
    await leave();
    // One word is replaced, the rest stays.
    await click(page, '[for="first"] .edit');
    await page.keyboard.type('moto');
    await drawn(page);
    assert.equal((await field())[1], 'La moto rouge est devant la maison.');
    await leave();
    assert.equal(
      await page.$eval('#first', ({ value }) => value),
      'La moto rouge est devant la maison.',
    );
    assert.deepEqual(said, []);
    await page.close();
  });

  it('have one English text for Self and Cross, and a French one beside it', async () => {
    const { page, said } = await open(demo.browser, demo.url, '#mode=self');
    await paste(page, 'first', 'I like tea.');
    await choose(page, 'mode', 'cross');
    assert.deepEqual(await fields(page), ['', 'I like tea.']);
    await paste(page, 'first', 'J’aime le thé.');
    await paste(page, 'second', 'I like my tea.');
    await choose(page, 'mode', 'self');
    assert.equal((await fields(page))[0], 'I like my tea.');
    await choose(page, 'mode', 'learn');
    await choose(page, 'mode', 'cross');
    assert.deepEqual(await fields(page), ['J’aime le thé.', 'I like my tea.']);
    await choose(page, 'mode', 'self');
    assert.equal((await fields(page))[0], 'I like my tea.');
    // A change of mode keeps an example as it keeps any text.
    await click(page, '.examples button:nth-child(2)');
    const [example] = await fields(page);
    await choose(page, 'mode', 'cross');
    assert.deepEqual(await fields(page), ['J’aime le thé.', example]);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('leave the texts of spelling as they were, too', async () => {
    const { page } = await open(demo.browser, demo.url, '#source=ngrams&text=one+two');
    await choose(page, 'mode', 'cross');
    await paste(page, 'second', 'two three');
    await choose(page, 'mode', 'self');
    await choose(page, 'mode', 'cross');
    assert.deepEqual(await fields(page), ['one two', 'two three']);
    await page.close();
  });

  it('start with the example of another source if it showed an example', async () => {
    const { page, said } = await open(demo.browser, demo.url, '#source=ngrams&mode=self');
    await page.click('.examples button');
    await drawn(page);
    await pick(page, 'source', 'model');
    const text = await page.$eval('#first', (field) => field.value);
    assert.equal(text, 'The red car is in front of the house.');
    assert.deepEqual(said, []);
    await page.close();
  });

  it('are named after their text in parts without cross-attention', async () => {
    const { page } = await open(demo.browser, demo.url, '#mode=cross&part=decoder.1');
    const names = () =>
      page.$$eval('.first-line label, .second-line label', (all) =>
        all.reverse().map((label) => {
          const [name, says] = label.querySelectorAll('.given-name, .given-name + small');
          return [name, says]
            .map(({ textContent }) => textContent)
            .filter(Boolean)
            .join(': ');
        }),
      );
    const { text } = await readSentence(page, 'second-words');
    assert.match(text, /^La voiture/);
    assert.deepEqual(await names(), [
      'French: each word as it is written',
      'French: what it looks back at',
    ]);
    // Text typed in the second field is still the English text.
    await page.focus('#second');
    assert.equal((await names())[1], 'English');
    await page.focus('#play');
    assert.equal((await names())[1], 'French: what it looks back at');
    await pick(page, 'part', 'encoder.0');
    assert.deepEqual(await names(), ['English', 'English']);
    await pick(page, 'part', 'cross.0');
    assert.deepEqual(await names(), ['French: by the model', 'English']);
    await page.close();
  });
});
