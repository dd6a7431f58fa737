// Typing in the text fields as browsers do it: text that is composed (as Japanese is), undo by key, and the caret in the
// middle of a text while pictures of older texts come.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { words } from 'attention-wasm/text';
import { drawn, open, readSentence, startPage } from '../../support/browser/page_driver.js';

const text = 'The old man and his dog';
const spelled = `#source=ngrams&mode=self&text=${encodeURIComponent(text)}`;
const car = 'The red car is here.';
const translated = `#mode=cross&text=${encodeURIComponent(car)}`;

/** Focuses a field, with the caret at a place. */
const putCaret = (page, id, at) =>
  page.evaluate(
    (field, place) => {
      const one = document.getElementById(field);
      one.focus();
      one.setSelectionRange(place, place);
    },
    id,
    at,
  );

/** The text of a field with | at the caret, or around what is selected. */
const fieldOf = (page, id) =>
  page.$eval(`#${id}`, ({ value, selectionStart: start, selectionEnd: end }) => {
    const selected = start === end ? '' : `${value.slice(start, end)}|`;
    return `${value.slice(0, start)}|${selected}${value.slice(end)}`;
  });

/** Composes the texts, one in place of the other; null cancels, and the last one is committed. */
const compose = {
  async chromium(page, _id, texts) {
    const session = await page.createCDPSession();
    for (const [at, composed] of texts.entries()) {
      const caret = composed?.length ?? 0;
      const selection = { selectionStart: caret, selectionEnd: caret };
      const isLast = at === texts.length - 1;
      if (isLast && composed !== null) await session.send('Input.insertText', { text: composed });
      else await session.send('Input.imeSetComposition', { text: composed ?? '', ...selection });
      await drawn(page);
    }
    await session.detach();
  },
  /**
   * Firefox composes nothing for WebDriver: these are the events of UI Events and Input Events, in their order, around the
   * changes of the text that it makes between them.
   */
  async firefox(page, id, texts) {
    await page.evaluate((field) => {
      const one = document.getElementById(field);
      const start = one.selectionStart;
      let end = start;
      const tell = (type, data) =>
        one.dispatchEvent(new CompositionEvent(type, { data, bubbles: true }));
      tell('compositionstart', '');
      globalThis.composeText = (composed, isLast) => {
        const data = composed ?? '';
        tell('compositionupdate', data);
        const input = {
          data,
          isComposing: true,
          inputType: 'insertCompositionText',
          bubbles: true,
        };
        one.dispatchEvent(new InputEvent('beforeinput', input));
        one.setRangeText(data, start, end, 'end');
        end = start + data.length;
        if (isLast) tell('compositionend', data);
        one.dispatchEvent(new InputEvent('input', { ...input, isComposing: !isLast }));
      };
    }, id);
    for (const [at, composed] of texts.entries()) {
      const isLast = at === texts.length - 1;
      await page.evaluate((...what) => globalThis.composeText(...what), composed, isLast);
      await drawn(page);
    }
  },
};

/** Holds the messages of workers back from now on; runs before the page's scripts. */
function holdAnswers() {
  const held = (globalThis.heldAnswers = []);
  const listen = Worker.prototype.addEventListener;
  Worker.prototype.addEventListener = function addEventListener(type, listener, ...rest) {
    const hear = (event) => {
      if (globalThis.isHolding) held.push(() => listener.call(this, event));
      else listener.call(this, event);
    };
    listen.call(this, type, type === 'message' ? hear : listener, ...rest);
  };
}

/** Gives the page the messages that were held, and waits until it has painted. */
const giveAnswers = (page) =>
  page.evaluate(async () => {
    for (const give of globalThis.heldAnswers.splice(0)) give();
    for (let frame = 0; frame < 3; ++frame) {
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    }
  });

for (const engine of /** @type {const} */ (['chromium', 'firefox'])) {
  describe(`typing in ${engine}`, { timeout: 300_000 }, () => {
    const demo = startPage(engine);
    const start = (hash) => open(demo.browser, demo.url, hash, { folded: true });
    const isShown = async (page, expected) => {
      await drawn(page);
      const shown = await readSentence(page);
      assert.deepEqual([shown.text, shown.words], [expected, words(expected)]);
    };

    it('composes a word: the picture follows each step, and the caret stays behind it', async () => {
      const { page, said } = await start(spelled);
      await page.evaluate(() => {
        globalThis.ends = [];
        addEventListener('compositionend', ({ data }) => globalThis.ends.push(data));
      });
      await putCaret(page, 'first', 8);
      const steps = ['n', 'に', 'にほ', 'にほん'];
      for (let count = 1; count <= steps.length; ++count) {
        const some = steps.slice(0, count);
        // Canceled after some steps: the text is what it was.
        await compose[engine](page, 'first', [...some, null]);
        assert.equal(await fieldOf(page, 'first'), 'The old |man and his dog');
      }
      await isShown(page, text);
      await page.evaluate(() => (globalThis.ends.length = 0));
      await compose[engine](page, 'first', [...steps, '日本']);
      assert.equal(await fieldOf(page, 'first'), 'The old 日本|man and his dog');
      await isShown(page, 'The old 日本man and his dog');
      // Nothing ended it but its commit.
      assert.deepEqual(await page.evaluate('ends'), ['日本']);
      await page.keyboard.type(' ');
      assert.equal(await fieldOf(page, 'first'), 'The old 日本 |man and his dog');
      await isShown(page, 'The old 日本 man and his dog');
      assert.deepEqual(said, []);
      await page.close();
    });

    for (const [what, hash, id, own] of [
      ['one text', spelled, 'first', text],
      ['a text that is translated', translated, 'second', car],
    ]) {
      it(`undoes and redoes ${what} by key, with its caret`, async () => {
        const { page, said } = await start(hash);
        const chord = async (key, ...modifiers) => {
          for (const one of modifiers) await page.keyboard.down(one);
          await page.keyboard.press(key);
          for (const one of modifiers) await page.keyboard.up(one);
          await drawn(page);
        };
        await putCaret(page, id, 7);
        const before = await fieldOf(page, id);
        for (const letter of 'er') {
          await page.keyboard.type(letter);
          await drawn(page);
        }
        const typed = await fieldOf(page, id);
        assert.equal(typed, before.replace('|', 'er|'));
        // Browsers undo letters together or one by one.
        for (let times = 0; times < 2 && (await fieldOf(page, id)) !== before; ++times) {
          await chord('z', 'Control');
        }
        assert.equal(await fieldOf(page, id), before);
        const { text: seen } = await readSentence(page, `${id}-words`);
        assert.equal(seen, own);
        for (let times = 0; times < 2 && (await fieldOf(page, id)) !== typed; ++times) {
          await chord('z', 'Control', 'Shift');
        }
        assert.equal(await fieldOf(page, id), typed);
        assert.equal((await readSentence(page, `${id}-words`)).text, typed.replace('|', ''));
        assert.deepEqual(said, []);
        await page.close();
      });

      it(`keeps the caret in the middle of ${what} while pictures come late`, async () => {
        const { page, said } = await openHeld(demo, hash);
        await page.evaluate('globalThis.isHolding = true');
        await putCaret(page, id, 7);
        let expected = await fieldOf(page, id);
        for (const letter of 'er, o') {
          await page.keyboard.type(letter);
          expected = expected.replace('|', `${letter}|`);
          // The pictures of some texts come after the next letter.
          if (', o'.includes(letter)) {
            await page.waitForFunction(() => globalThis.heldAnswers.length > 0);
            await page.keyboard.type('x');
            expected = expected.replace('|', 'x|');
            await giveAnswers(page);
          }
          assert.equal(await fieldOf(page, id), expected);
        }
        await page.evaluate('globalThis.isHolding = false');
        await giveAnswers(page);
        await drawn(page);
        assert.equal(await fieldOf(page, id), expected);
        const final = expected.replace('|', '');
        assert.equal((await readSentence(page, `${id}-words`)).text, final);
        await page.waitForFunction(
          (wanted) => new URLSearchParams(location.hash.slice(1)).get('text') === wanted,
          {},
          final,
        );
        assert.deepEqual(said, []);
        await page.close();
      });
    }
  });
}

/** Opens a page whose workers' messages can be held. */
function openHeld({ browser, url }, hash) {
  const preparing = {
    async newPage() {
      const page = await browser.newPage();
      await page.evaluateOnNewDocument(holdAnswers);
      return page;
    },
  };
  return open(preparing, url, hash, { folded: true });
}
