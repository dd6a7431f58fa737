// The page in real browsers, as it is served: silent under its policy, and every number it shows is the
// one that the library computes in Node.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { lexicalScale, words, wordVectors } from 'attention-wasm/text';
import { launch, serve } from '../support/browser.js';
import { root } from '../support/package.js';

const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; " +
  "style-src 'self'; img-src 'self' data:";
const text = 'Zuko made his uncle tea, and his uncle liked the tea';
const context = 'The uncles like tea';

const { attention } = await loadAttention();

/** What the page should show, computed here: words, and weights and scores row by row. */
function expected(queries, keys, options = {}) {
  const [rows, columns] = [words(queries), words(keys)];
  const [q, k] = [wordVectors(rows), wordVectors(columns)];
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

/** Everything that a page says: console messages of any level, errors, and what did not load. */
function listen(page) {
  const said = [];
  page.on('console', (message) => said.push(`console ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => said.push(`error: ${error}`));
  page.on('requestfailed', (request) => said.push(`failed request: ${request.url()}`));
  return said;
}

/** Until the page has computed and drawn: it draws in the next frame. */
async function drawn(page) {
  await page.waitForFunction(
    () => Number(document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount')) > 0,
    { timeout: 10_000 },
  );
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

async function typeInto(page, id, value) {
  await page.evaluate((field) => {
    document.getElementById(field).focus();
    document.getElementById(field).select();
  }, id);
  await page.keyboard.type(value);
  await drawn(page);
}

async function paste(page, id, value) {
  await page.evaluate(
    (field, pasted) => {
      const element = document.getElementById(field);
      element.value = pasted;
      element.dispatchEvent(new Event('input', { bubbles: true }));
    },
    id,
    value,
  );
  await drawn(page);
}

async function press(page, key) {
  await page.keyboard.press(key);
  await drawn(page);
}

/** What can be read off the page, by eyes and by other means. */
function read(page) {
  return page.evaluate(() => {
    const textOf = (selector) => document.querySelector(selector).textContent;
    const grid = document.querySelector('[role="grid"]');
    const details = document.querySelector('details');
    details.open = true;
    const cell = document.getElementById(grid.getAttribute('aria-activedescendant'));
    return {
      size: [grid.getAttribute('aria-rowcount'), grid.getAttribute('aria-colcount')].map(Number),
      row: Number(cell.parentElement.getAttribute('aria-rowindex')) - 1,
      column: Number(cell.getAttribute('aria-colindex')) - 1,
      spoken: cell.textContent,
      query: textOf('.query bdi'),
      key: textOf('.key bdi'),
      weight: textOf('.readout .weight'),
      score: textOf('.readout .score'),
      sum: textOf('.readout .sum'),
      picture: document.querySelector('canvas').toDataURL(),
    };
  });
}

async function readTable(page) {
  await page.evaluate(() => (document.querySelector('details').open = true));
  await page.waitForSelector('details table td');
  return page.evaluate(() =>
    Array.from(document.querySelectorAll('details tbody tr'), (line) =>
      Array.from(line.querySelectorAll('td'), (cell) => cell.textContent),
    ),
  );
}

function assertReads(seen, truth) {
  const { row, column } = seen;
  assert.deepEqual(seen.size, [truth.rows.length, truth.columns.length]);
  assert.deepEqual([seen.query, seen.key], [truth.rows[row], truth.columns[column]]);
  assertShows(seen.weight, truth.weight(row, column), 'the weight');
  assertShows(seen.score, truth.score(row, column), 'the score');
  const sum = truth.columns.reduce((total, _, j) => total + truth.weight(row, j), 0);
  assertShows(seen.sum, sum, 'the sum of the row');
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

/** The page for a reader who prefers dark colours; Firefox can be told so only by a dark frame. */
async function openDark(name, browser, url) {
  const page = await browser.newPage();
  if (name === 'chromium') {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
    await page.setViewport({ width: 800, height: 900 });
    await page.goto(url);
    return page;
  }
  await page.setViewport({ width: 900, height: 900 });
  await page.setContent(
    `<iframe style="color-scheme: dark" width="800" height="800" src="${url}"></iframe>`,
  );
  return page.waitForFrame((frame) => frame.url() === url);
}

/** Luminance (WCAG 2) of the page's paper and ink, and of its matrix on average. */
function readColors(page) {
  return page.evaluate(() => {
    const luminance = (rgb) => {
      const [r, g, b] = rgb.map((channel) => {
        const c = channel / 255;
        return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const parse = (color) =>
      color
        .match(/[\d.]+/g)
        .slice(0, 3)
        .map(Number);
    const { backgroundColor, color } = getComputedStyle(document.body);
    const canvas = document.querySelector('canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    let [sum, count] = [0, 0];
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] < 255) continue;
      sum += luminance([...data.subarray(i, i + 3)]);
      count++;
    }
    return {
      paper: luminance(parse(backgroundColor)),
      ink: luminance(parse(color)),
      matrix: sum / count,
    };
  });
}

for (const name of ['chromium', 'firefox']) {
  describe(`the page in ${name}`, { timeout: 60_000 }, () => {
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

    it('shows what the pointer is on', async () => {
      await typeInto(page, 'reading', text);
      const truth = expected(text, text);
      const { query, key } = await read(page);
      const box = await (await page.$('canvas')).boundingBox();
      const pairs = new Set();
      for (const share of [0.5, 0.6, 0.7]) {
        await page.mouse.move(box.x + box.width * share, box.y + box.height * share);
        await drawn(page);
        const seen = await read(page);
        const weights = truth.rows.flatMap((row, i) =>
          truth.columns
            .map((column, j) => ({ row, column, weight: truth.weight(i, j) }))
            .filter((cell) => cell.row === seen.query && cell.column === seen.key),
        );
        assert.ok(weights.length > 0, `“${seen.query}” and “${seen.key}” are no cell`);
        assertShows(seen.weight, weights[0].weight, 'the weight');
        pairs.add(`${seen.query} ${seen.key}`);
      }
      assert.equal(pairs.size, 3);
      await page.mouse.move(5, 5);
      await drawn(page);
      const left = await read(page);
      assert.deepEqual([left.query, left.key], [query, key]);
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
      await typeInto(page, 'scale', '1.5');
      assertTable(await readTable(page), expected(text, text, { scale: 1.5 }));
      await typeInto(page, 'scale', String(lexicalScale));
      assertTable(await readTable(page), expected(text, text));
    });

    it('lets one text look into another', async () => {
      await typeInto(page, 'reading', text);
      await page.click('[name="mode"][value="cross"]');
      await drawn(page);
      await typeInto(page, 'context', context);
      const truth = expected(text, context);
      assertReads(await read(page), truth);
      assertTable(await readTable(page), truth);
      await page.click('[name="mode"][value="self"]');
      await drawn(page);
      assert.deepEqual((await read(page)).size, [truth.rows.length, truth.rows.length]);
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
        const contrast = (Math.max(paper, ink) + 0.05) / (Math.min(paper, ink) + 0.05);
        assert.ok(contrast >= 7, `the contrast of the text is ${contrast}`);
      }
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
