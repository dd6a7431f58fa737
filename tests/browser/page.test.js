// The page in real browsers, as it is served: silent under its policy, and every number it shows is the
// one that the library computes in Node.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { lexicalScale, words, wordVectors } from 'attention-wasm/text';
import { launch, serve } from '../support/browser.js';
import { root } from '../support/package.js';
import {
  drawn,
  findCells,
  hover,
  listen,
  openDark,
  paste,
  press,
  read,
  readColors,
  readPixel,
  readSentence,
  readTable,
  typeInto,
} from './page_driver.js';

const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; " +
  "style-src 'self'; img-src 'self' data:";
const text = 'Zuko made his uncle tea, and his uncle liked the tea';
const context = 'The uncles like tea';

const { attention } = await loadAttention();

/** What the page should show, computed here: words, and weights and scores row by row. */
function expected(queries, keys, { positions = false, ...options } = {}) {
  const [rows, columns] = [words(queries), words(keys)];
  const [q, k] = [wordVectors(rows, { positions }), wordVectors(columns, { positions })];
  const { weights, scores } = attention(q, k, k, {
    scale: lexicalScale,
    weights: true,
    scores: 'biased',
    ...options,
  });
  const at = (row, column) => row * columns.length + column;
  return {
    rows,
    columns,
    weight: (row, column) => weights.data[at(row, column)],
    score: (row, column) => scores.data[at(row, column)],
  };
}

/** A number as the page writes it must be `value` rounded to the digits written. */
function assertShows(written, value, what) {
  const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
  const plain = written
    .replace('−∞', '-Infinity')
    .replace('−', '-')
    .replace(/ × 10⁻(.+)/, (_, digits) => {
      return `e-${Array.from(digits, (digit) => superscripts.indexOf(digit)).join('')}`;
    });
  const [, decimals = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:e(-\d+))?$/.exec(plain) ?? [];
  const half = 0.5 * 10 ** (Number(exponent) - decimals.length);
  const isRight = Object.is(Number(plain), value) || Math.abs(plain - value) <= half * (1 + 1e-6);
  assert.ok(plain !== '' && isRight, `${what} is shown as “${written}”, but is ${value}`);
}

function assertReads(seen, truth, { spoken = true } = {}) {
  const { row, column } = seen;
  assert.deepEqual(seen.size, [truth.rows.length, truth.columns.length]);
  assert.deepEqual([seen.query, seen.key], [truth.rows[row], truth.columns[column]]);
  assertShows(seen.weight, truth.weight(row, column), 'the weight');
  assertShows(seen.score, truth.score(row, column), 'the score');
  const sum = truth.columns.reduce((total, _, j) => total + truth.weight(row, j), 0);
  assertShows(seen.sum, sum, 'the sum of the row');
  if (!spoken) return;
  for (const part of [seen.query, seen.key, seen.weight, seen.score]) {
    assert.ok(seen.spoken.includes(part), `“${seen.spoken}” does not say ${part}`);
  }
}

function assertTable(table, truth) {
  assert.deepEqual(
    table.map((line) => line.length),
    truth.rows.map(() => truth.columns.length),
  );
  table.forEach((line, row) =>
    line.forEach((written, column) => {
      assertShows(written, truth.weight(row, column), `the weight of ${row}, ${column}`);
    }),
  );
}

/** Like paste(), where nothing is drawn because nothing is left. */
function pasteWithoutWords(page, value) {
  return page.evaluate(async (pasted) => {
    const element = document.getElementById('reading');
    element.value = pasted;
    element.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  }, value);
}

/** Luminance as in WCAG 2, of a colour as getComputedStyle() writes it. */
function luminance(color) {
  const [r, g, b] = color.match(/[\d.]+/g).map((channel) => {
    const c = channel / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

for (const name of ['chromium', 'firefox']) {
  describe(`the page in ${name}`, { timeout: 180_000 }, () => {
    let server;
    let browser;
    let page;
    let said;

    before(async () => {
      const headers = { 'Content-Security-Policy': policy };
      server = await serve([join(root, '.build/page')], { headers });
      browser = await launch(name);
      page = await browser.newPage();
      said = listen(page);
      await page.setViewport({ width: 1280, height: 900 });
      await page.goto(server.url);
      await drawn(page);
    });

    after(async () => {
      await browser?.close();
      await server?.close();
    });

    it('starts with a text and its attention', async () => {
      const seen = await read(page);
      const written = await page.evaluate(() => document.getElementById('reading').value);
      assertReads(seen, expected(written, written));
    });

    it('computes while one types', async () => {
      const before = await read(page);
      await typeInto(page, 'reading', text);
      const truth = expected(text, text);
      const after = await read(page);
      assertReads(after, truth);
      assert.notEqual(after.picture, before.picture);
      assertTable(await readTable(page), truth);
      // Every letter counts, not only the last one of a word.
      await page.keyboard.type(' s');
      await drawn(page);
      assertReads(await read(page), expected(`${text} s`, `${text} s`));
    });

    it('has cells that arrow keys go through', async () => {
      await typeInto(page, 'reading', text);
      const truth = expected(text, text);
      const last = truth.columns.length - 1;
      await page.focus('[role="grid"]');
      await page.keyboard.down('Control');
      await press(page, 'Home');
      await page.keyboard.up('Control');
      const steps = { ArrowRight: [0, 1], ArrowDown: [1, 1], ArrowLeft: [1, 0], ArrowUp: [0, 0] };
      for (const [key, place] of Object.entries({ ...steps, End: [0, last], Home: [0, 0] })) {
        const { picture } = await read(page);
        await press(page, key);
        const seen = await read(page);
        assert.deepEqual([seen.row, seen.column], place, key);
        assert.notEqual(seen.picture, picture, `${key} does not move the cross-hair`);
        assertReads(seen, truth);
      }
    });

    it('shows the cell that the pointer is on, in the colour of its weight', async () => {
      const five = 'stone stones tone atone alone';
      await paste(page, 'reading', five);
      const truth = expected(five, five);
      await page.focus('[role="grid"]');
      await page.keyboard.down('Control');
      await press(page, 'End');
      await page.keyboard.up('Control');
      const { box, columns, rows } = await findCells(page);
      assert.deepEqual([...columns.keys()], truth.columns.slice(0, 4));
      assert.deepEqual([...rows.keys()], truth.rows.slice(0, 4));
      const places = [...columns.values()];
      const cell = (places[3] - places[0]) / 3;
      for (const [query, y] of rows) {
        for (const [key, x] of columns) {
          await hover(page, box.x + x, box.y + y);
          const [row, column] = [truth.rows.indexOf(query), truth.columns.indexOf(key)];
          assertReads({ ...(await read(page)), row, column }, truth, { spoken: false });
          const sentence = await readSentence(page);
          assert.deepEqual([sentence.read, sentence.looked], [row, column]);
          // Beside the number in its middle. The word that reads is red in the text.
          const pixel = await readPixel(page, x - 0.3 * cell, y - 0.25 * cell);
          if (row !== column) assert.equal(pixel, sentence.fills[column], `${query}, ${key}`);
        }
      }
      await hover(page, 2, 2);
      const { query, key } = await read(page);
      assert.deepEqual([query, key], ['alone', 'alone']);
    });

    it('shades the words of the text by their weights', async () => {
      await paste(page, 'reading', text);
      const truth = expected(text, text);
      await page.click('#reading-words-4');
      await drawn(page);
      const { fills, inks, numbers, ...sentence } = await readSentence(page);
      assert.equal(sentence.text, text);
      assert.deepEqual(sentence.words, truth.columns);
      assert.equal(sentence.read, 4);
      const others = truth.columns.map((_, column) => column).filter((column) => column !== 4);
      for (const column of others) {
        assert.ok(contrast(fills[column], inks[column]) >= 4.5, `${fills[column]}`);
        assert.ok(Math.abs(Number(numbers[column]) - truth.weight(4, column)) <= 0.005 + 1e-7);
      }
      others.sort((a, b) => truth.weight(4, a) - truth.weight(4, b));
      const lights = others.map((column) => luminance(fills[column]));
      assert.deepEqual(
        lights,
        lights.toSorted((a, b) => b - a),
      );
      assert.ok(lights[0] - lights.at(-1) > 0.2, `from ${lights[0]} to ${lights.at(-1)}`);
      const [r, g, b] = fills[4].match(/\d+/g).map(Number);
      assert.ok(r > 2 * g && r > 2 * b, `the word that reads is ${fills[4]}`);
    });

    it('has words that arrow keys go through, in reading direction', async () => {
      for (const [value, forwards, direction] of [
        [text, 'ArrowRight', 'ltr'],
        ['خيط حرير على حيط خليل', 'ArrowLeft', 'rtl'],
      ]) {
        await paste(page, 'reading', value);
        await page.focus('#reading-words');
        await press(page, 'Home');
        await press(page, forwards);
        const sentence = await readSentence(page);
        assert.deepEqual([sentence.direction, sentence.read], [direction, 1]);
        await press(page, 'End');
        assert.equal((await readSentence(page)).read, words(value).length - 1);
        assertReads(await read(page), expected(value, value));
      }
    });

    it('looks only backwards when told to', async () => {
      await typeInto(page, 'reading', text);
      await page.click('#causal');
      await drawn(page);
      const truth = expected(text, text, { causal: true });
      const table = await readTable(page);
      assertTable(table, truth);
      table.forEach((line, row) => {
        for (const later of line.slice(row + 1)) assert.equal(Number(later), 0);
        assert.ok(Number(line[row]) > 0);
      });
      await page.focus('[role="grid"]');
      await press(page, 'End');
      await press(page, 'ArrowUp');
      const seen = await read(page);
      assert.equal(seen.score, '−∞');
      assertReads(seen, truth);
      await page.click('#causal');
      await drawn(page);
    });

    it('scales as it is told to', async () => {
      await typeInto(page, 'reading', text);
      for (const scale of ['1.5', '0', '-2']) {
        await typeInto(page, 'scale', scale);
        assertTable(await readTable(page), expected(text, text, { scale: Number(scale) }));
      }
      const presets = { scaled: 1 / 8, unscaled: 1, lexical: lexicalScale };
      for (const [preset, scale] of Object.entries(presets)) {
        await page.click(`[data-preset="${preset}"]`);
        await drawn(page);
        assertTable(await readTable(page), expected(text, text, { scale }));
        const { pressed, number, power } = await page.evaluate(() => ({
          pressed: Array.from(document.querySelectorAll('[aria-pressed="true"]'), (button) => {
            return button.dataset.preset;
          }),
          number: document.getElementById('scale').value,
          power: document.getElementById('scale-slider').value,
        }));
        assert.deepEqual([pressed, Number(number)], [[preset], scale]);
        assert.ok(Math.abs(2 ** power - scale) < 0.01 * scale, `the slider is at 2^${power}`);
      }
      await page.focus('#scale-slider');
      await press(page, 'ArrowRight');
      const scale = await page.$eval('#scale', (number) => number.valueAsNumber);
      assert.ok(scale > lexicalScale, `${scale}`);
      assertTable(await readTable(page), expected(text, text, { scale }));
      // An emptied field is not a scale; leaving it brings back the one in force.
      await page.click('[data-preset="lexical"]');
      await typeInto(page, 'scale', '');
      await press(page, 'Backspace');
      await page.focus('#reading');
      await drawn(page);
      assert.equal(await page.$eval('#scale', (number) => number.value), String(lexicalScale));
      assertTable(await readTable(page), expected(text, text));
    });

    it('lets word order count when told to', async () => {
      await page.click('#positions');
      await drawn(page);
      assertTable(await readTable(page), expected(text, text, { positions: true }));
      await page.click('#positions');
      await drawn(page);
    });

    it('lets one text look into another', async () => {
      await typeInto(page, 'reading', text);
      await page.click('[name="mode"][value="cross"]');
      await drawn(page);
      await typeInto(page, 'context', context);
      const truth = expected(text, context);
      assertReads(await read(page), truth);
      assertTable(await readTable(page), truth);
      // In two texts nothing comes before anything; the page says so where the switch is.
      const { disabled, hint } = await page.evaluate(() => ({
        disabled: document.getElementById('causal').disabled,
        hint: document.getElementById('causal-hint').innerText,
      }));
      assert.ok(disabled && /one text/i.test(hint), hint);
      await page.click('#context-words-3');
      await drawn(page);
      assert.equal((await read(page)).key, 'tea');
      assert.equal((await readSentence(page, 'context-words')).looked, 3);
      await page.click('[name="mode"][value="self"]');
      await drawn(page);
      assert.deepEqual((await read(page)).size, [truth.rows.length, truth.rows.length]);
    });

    it('has examples, which belong to their mode; what somebody wrote stays', async () => {
      for (const mode of ['cross', 'self']) {
        await page.click(`[name="mode"][value="${mode}"]`);
        await drawn(page);
        assert.equal(await page.$eval('#reading', (field) => field.value), text);
      }
      for (const mode of ['self', 'cross']) {
        await page.click(`[name="mode"][value="${mode}"]`);
        const buttons = await page.$$(`.examples [data-for="${mode}"] button`);
        assert.ok(buttons.length >= 5);
        for (const button of buttons) {
          await button.click();
          await drawn(page);
          const [{ reading, context: other, read: word }, seen] = [
            await button.evaluate((element) => ({ ...element.dataset })),
            await read(page),
          ];
          assert.equal(seen.query, word);
          assertReads(seen, expected(reading, other ?? reading));
        }
      }
      await page.click('[name="mode"][value="self"]');
      await drawn(page);
      const first = await page.$eval('.examples button', (button) => button.dataset.reading);
      assert.equal(await page.$eval('#reading', (field) => field.value), first);
    });

    it('is kind to no word, one word and two thousand', async () => {
      const message = () =>
        page.$eval('.message', (element) => (element.hidden ? '' : element.textContent));
      for (const value of ['', ' \n ']) {
        await pasteWithoutWords(page, value);
        assert.match(await message(), /Write a text/);
      }
      await paste(page, 'reading', 'tea');
      assert.equal(await message(), '');
      const seen = await read(page);
      assert.deepEqual([seen.size, seen.weight], [[1, 1], '1.00000']);

      const many = Array.from({ length: 2000 }, (_, i) => `word${i}`).join(' ');
      await paste(page, 'reading', many);
      const first = many.split(' ').slice(0, 512).join(' ');
      await page.focus('[role="grid"]');
      for (const key of ['Home', 'PageDown', 'PageDown', 'End']) await press(page, key);
      const far = await read(page);
      assertReads(far, expected(first, first));
      assert.ok(far.row > 10 && far.column === 511, `row ${far.row}, column ${far.column}`);
      const scrolled = await page.$eval('.scroller', ({ scrollLeft, scrollTop }) => [
        scrollLeft,
        scrollTop,
      ]);
      assert.ok(
        scrolled.every((length) => length > 100),
        `scrolled to ${scrolled}`,
      );
      assert.match(await page.$eval('.cut', (element) => element.innerText), /512 words/);
      // The table has the row that reads, instead of a quarter of a million cells.
      assert.equal((await readTable(page)).length, 512);
    });

    it('tells those who listen what has changed', async () => {
      await paste(page, 'reading', text);
      await page.focus('#causal');
      await press(page, ' ');
      const { spoken } = await read(page);
      await page.waitForFunction(
        (said) => document.querySelector('#announcement[role="status"]').textContent === said,
        { timeout: 5_000 },
        spoken,
      );
      await press(page, ' ');
    });

    it('has a name for everything that one can act on', async () => {
      for (const mode of ['cross', 'self']) {
        await page.click(`[name="mode"][value="${mode}"]`);
        await drawn(page);
        const names = await page.evaluate(() => {
          const interactive =
            'a[href], button, input, textarea, select, summary, [tabindex], [role="grid"], [role="listbox"]';
          const named = (element) => {
            const ids = element.getAttribute('aria-labelledby')?.split(/\s+/) ?? [];
            const referred = ids.map((id) => document.getElementById(id)?.textContent ?? '');
            const labels = Array.from(element.labels ?? [], (label) => label.textContent);
            const own = element.matches('a, button, summary') ? [element.textContent] : [];
            const given = [element.getAttribute('aria-label') ?? ''];
            return (
              [...given, ...referred, ...labels, ...own].find((one) => one.trim() !== '') ?? ''
            );
          };
          return Array.from(document.querySelectorAll(interactive))
            .filter((element) => element.checkVisibility())
            .map((element) => ({ element: element.outerHTML.slice(0, 80), name: named(element) }));
        });
        assert.ok(names.length > 12, `${names.length} elements`);
        assert.deepEqual(
          names.filter((one) => one.name === ''),
          [],
        );
      }
    });

    it('is no wider than a phone', async () => {
      await page.setViewport({ width: 360, height: 740 });
      for (const mode of ['cross', 'self']) {
        await page.click(`[name="mode"][value="${mode}"]`);
        for (const value of [text, `${text} `.repeat(5), 'Donaudampfschifffahrt'.repeat(5)]) {
          await paste(page, 'reading', value);
          const widths = await page.evaluate(() => {
            const { scrollWidth, clientWidth } = document.documentElement;
            const { width } = document.querySelector('[role="grid"]').getBoundingClientRect();
            return { window: innerWidth, scrollWidth, clientWidth, width };
          });
          assert.equal(widths.window, 360);
          assert.ok(widths.scrollWidth <= widths.clientWidth, `${mode}: ${JSON.stringify(widths)}`);
          assert.ok(widths.width > 280, `${mode}: the matrix is ${widths.width} wide`);
        }
      }
      await page.setViewport({ width: 1280, height: 900 });
    });

    it('is dark for those who prefer that', async () => {
      // One after the other: a page behind another one draws no frames.
      await paste(page, 'reading', text);
      const day = await readColors(page);
      const dark = await openDark(name, browser, server.url);
      await drawn(dark);
      await paste(dark, 'reading', text);
      const night = await readColors(dark);
      await page.bringToFront();
      assert.ok(day.paper > 0.8 && night.paper < 0.05, JSON.stringify({ day, night }));
      assert.ok(day.matrix > 0.5 && night.matrix < 0.3, JSON.stringify({ day, night }));
      for (const { paper, ink } of [day, night]) {
        const ratio = (Math.max(paper, ink) + 0.05) / (Math.min(paper, ink) + 0.05);
        assert.ok(ratio >= 7, `the contrast of the text is ${ratio}`);
      }
      // Paper is light all the same.
      await dark.evaluate(() => dispatchEvent(new Event('beforeprint')));
      const paper = await readColors(dark);
      await dark.evaluate(() => dispatchEvent(new Event('afterprint')));
      assert.ok(paper.paper > 0.8 && paper.matrix > 0.5, JSON.stringify(paper));
      const again = await readColors(dark);
      assert.ok(again.paper < 0.05 && again.matrix < 0.3, JSON.stringify(again));
    });

    it('says in a sentence that it cannot compute, where it cannot', async () => {
      const other = await browser.newPage();
      await other.evaluateOnNewDocument(() => {
        WebAssembly.validate = () => false;
      });
      await other.goto(server.url);
      await other.waitForFunction(() => !document.querySelector('.message').hidden);
      const message = await other.$eval('.message', (element) => element.innerText);
      assert.match(message, /^Nothing can be computed here: .*WebAssembly SIMD.*\.$/);
      await other.close();
    });

    it('says nothing on the console in all that time, under its policy', async () => {
      assert.deepEqual(said, []);
      const ran = await page.evaluate(() => {
        const script = document.createElement('script');
        script.textContent = 'globalThis.ranInline = true';
        document.head.append(script);
        return globalThis.ranInline === true;
      });
      assert.equal(ran, false, 'a script within the page was run: the policy is not in force');
      // The silence means something: this page's words do arrive.
      await page.evaluate(() => console.debug('a word'));
      for (let wait = 0; wait < 50 && !said.includes('console debug: a word'); wait++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      assert.ok(said.includes('console debug: a word'));
    });
  });
}
