// The whole block and the logit lens in the flow: unfolded on request, by pointer and keys. The vectors of every kind of
// layer are proved in sources/inside.test.js.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { loadTranslator } from 'attention-wasm/translator';
import { problems } from '../../support/browser/axe.js';
import {
  click,
  drawn,
  dropModel,
  open,
  openBox,
  overflow,
  paste,
  pick,
  startPage,
} from '../../support/browser/page_driver.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { assertShows } from '../../support/js/page_numbers.js';
import { seededWeights } from '../../support/js/seeded_weights.js';
import { filesOf } from '../../support/js/own_model.js';

const english = 'The red car is fast.';
const french = 'La voiture rouge est rapide.';
const translator = await loadTranslator();

/** What the panel shows: its lines by symbol with the number of the selected component, sums, and words. */
const readInside = (page) =>
  page.evaluate(() => {
    const textsIn = (selector) =>
      Array.from(document.querySelectorAll(`.further ${selector}`), (one) => one.textContent);
    return {
      intro: document.querySelector('.inside.block > .hint').textContent,
      lines: Array.from(document.querySelectorAll('.block-lines li'), (line) => [
        line.querySelector('.symbol').textContent,
        /: (\S+)$/.exec(line.querySelector('canvas')?.getAttribute('aria-valuetext') ?? '')?.[1],
      ]),
      sums: textsIn('.sum'),
      hints: Array.from(document.querySelectorAll('.inside > .hint:not([hidden])'), (one) => one.textContent), // prettier-ignore
      lens: Array.from(document.querySelectorAll('.lens-layers button'), (one) => ({
        word: one.querySelector('bdi').textContent,
        probability: one.querySelector('span').textContent,
        isCurrent: one.getAttribute('aria-current') === 'true',
      })),
      likely: textsIn('.likely bdi'),
    };
  });

describe('the whole block', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');

  it('is unfolded on request, with the trained model’s vectors and its words at the end', async () => {
    const link = new URLSearchParams({ text: english, french, part: 'decoder.1', row: 2 });
    const { page, said } = await open(demo.browser, demo.url, `#mode=cross&${link}`);
    await openBox(page, 'value');
    assert.equal(await page.$('.block-lines'), null);
    await click(page, '.inside.block summary');
    await page.waitForSelector('.block-lines li');
    await drawn(page);
    await page.waitForFunction(() => location.hash.includes('whole=yes'));
    await click(page, '.inside.lens summary');
    await drawn(page);
    const { intro, lines, lens, likely, sums } = await readInside(page);
    assert.match(intro, /“voiture”, after which “rouge” is written,.*decoder layer 2 of 2/);
    const { vectors, logProbabilities } = translator.translate(english, {
      ...{ target: french, vectors: true },
    });
    const { data, dims } = vectors.decoder[1].x;
    const symbols = lines.map(([symbol]) => symbol);
    assert.deepEqual(symbols, [
      ...['x', 'norm(x)', 'a', 'x + a', 'norm', 'c', 'x + a + c', 'norm', 'm'],
      'y = x + a + c + m',
    ]);
    assertShows(lines[1][1], data[2 * dims[1]], 'norm(x), what attention gets', 1e-5);
    const number = Object.fromEntries(lines);
    assert.equal(sums[0], `y1 = x1 + a1 + c1 + m1 = ${number.x} + ${number.a} + ${number.c} + ${number.m} = ${number['y = x + a + c + m']}`); // prettier-ignore
    assert.equal(likely[0], 'rouge');
    const [, last] = lens;
    assert.ok(last.isCurrent && last.word === 'rouge', JSON.stringify(lens));
    assertShows(
      last.probability,
      Math.exp(logProbabilities[2]),
      'the last layer of the lens',
      1e-5,
    );

    // A layer of the lens is selected by keyboard; a component by the arrow keys of a strip.
    await page.focus('.lens-layers button');
    await page.keyboard.press('Enter');
    await drawn(page);
    assert.equal(await page.$eval('#part', ({ value }) => value), 'decoder.0');
    assert.match((await readInside(page)).intro, /decoder layer 1 of 2/);
    await page.focus('.block-lines canvas');
    await page.keyboard.press('ArrowRight');
    await drawn(page);
    const next = await readInside(page);
    assert.match(next.sums[0], /^y2 = x2 \+ a2/);
    assert.deepEqual(await problems(page), []);

    // With something blocked it shows that run.
    const before = (await readInside(page)).lines;
    await page.evaluate(() => (location.hash += '&block=cross.0.1'));
    await drawn(page);
    await page.waitForFunction(
      (was) =>
        document.querySelectorAll('.block-lines canvas')[5].getAttribute('aria-valuetext') !== was,
      { timeout: 120_000 },
      `number 2 of ${dims[1]}: ${before[5][1]}`,
    );

    // The encoder has no lens, and says why.
    await pick(page, 'part', 'encoder.4');
    const encoder = await readInside(page);
    assert.deepEqual(encoder.lens, []);
    assert.ok(encoder.hints.some((hint) => hint.startsWith('The logit lens is in the decoder')));
    assert.ok(encoder.hints.some((hint) => hint.includes('by cross-attention')));
    await click(page, '.inside.block summary');
    assert.equal(await page.$eval('.inside.block', ({ open: isOpen }) => isOpen), false);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('fits a phone, dark, without a fault by axe-core', async () => {
    for (const width of [390, 320]) {
      const page = await demo.browser.newPage();
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
      await page.setViewport({ width, height: 800 });
      await page.goto(`${demo.url}#mode=cross&part=cross.1&inside=yes`);
      await drawn(page);
      await page.waitForSelector('.block-lines li');
      await drawn(page);
      assert.equal(await overflow(page), 0);
      assert.deepEqual(await problems(page), []);
      await page.close();
    }
  });

  it('is absent where there is no model', async () => {
    const { page } = await open(demo.browser, demo.url);
    assert.equal(await page.$('.inside'), null);
    await page.close();
  });

  it('is that of the reader’s model that was just opened', async () => {
    const { page, said } = await open(demo.browser, demo.url, '#mode=self&inside=yes&merge=no');
    const { config, input } = cases.gpt2;
    await dropModel(page, filesOf(cases.gpt2));
    await paste(page, 'first', input.ids.join(' '));
    assert.match((await readInside(page)).intro, /layer 1 of 2\b/);
    await pick(page, 'part', 'self.1');
    await page.waitForFunction(() => location.hash.includes('part='));
    await page.evaluate(() => (location.hash += '&row=2&column=0'));
    await drawn(page);
    await page.waitForSelector('.block-lines li', { timeout: 120_000 });
    await drawn(page);
    const model = await loadModel({ config, weights: seededWeights(cases.gpt2) });
    const capture = [{ at: 'resid_post', stack: 'self', layer: 1 }];
    const [{ tensor }] = model.run({ ids: input.ids }, { capture }).captured;
    model.delete();
    const { lines, lens } = await readInside(page);
    const shown = Object.fromEntries(lines)['y = x + a + m'];
    assertShows(shown, tensor.data[2 * tensor.dims[1]], 'y', 1e-5);
    assert.equal(lens.length, 2);
    assert.deepEqual(said, []);
    await page.close();
  });
});
