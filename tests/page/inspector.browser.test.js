// The inspector with the trained model: concatenated heads and their product with W_O; keyboard and touch access to
// every number of a strip.

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadTranslator } from 'attention-wasm/translator';
import { asFloat32 } from '../support/js/narrowed.js';
import { assertShows, numberOf } from '../support/js/page_numbers.js';
import {
  choose,
  click,
  drawn,
  open,
  paste,
  pick,
  read,
  readInspector,
  readTable,
  startPage,
} from '../support/browser/page_driver.js';

const english = 'The red car is fast.';
const translator = await loadTranslator();
const { MultiHeadAttention } = await loadAttention();
const { tensors, heads } = translator;

/** Expected output of a row: concatenated heads, and their product with W_O, which the page computes in floats. */
function togetherOf(part, row) {
  const [stack, n] = part.split('.');
  const { vectors } = translator.translate(english, { vectors: true });
  const { x, context } = vectors[stack][n];
  const prefix = {
    encoder: `encoder.layers.${n}.self_attn.`,
    decoder: `decoder.layers.${n}.self_attn.`,
    cross: `decoder.layers.${n}.multihead_attn.`,
  }[stack];
  const layer = MultiHeadAttention.fromTorch(tensors, { heads, prefix });
  const { headOutputs } = layer.forward(x, context === x ? null : context, {
    causal: stack === 'decoder',
    headOutputs: true,
  });
  layer.delete();
  const [, rows, width] = headOutputs.dims.slice(-3);
  const joined = Array.from({ length: heads }, (_, head) => {
    const first = (head * rows + row) * width;
    return Array.from(headOutputs.data.subarray(first, first + width));
  }).flat();
  const { data: weight } = asFloat32(tensors.get(`${prefix}out_proj.weight`));
  const bias = tensors.get(`${prefix}out_proj.bias`).data;
  const result = Array.from(bias, (start, at) =>
    joined.reduce((sum, number, c) => sum + number * weight[at * joined.length + c], start),
  );
  return { joined, result, bias };
}

/** Text of the step “All heads”. */
const readTogether = (page) =>
  page.evaluate(() => {
    const step = document.querySelector('#step-heads');
    if (!step) return { hidden: true };
    return {
      hidden: false,
      strips: Array.from(step.querySelectorAll('canvas'), (one) =>
        one.getAttribute('aria-valuetext'),
      ),
      sums: Array.from(step.querySelectorAll('.sum'), (one) => one.textContent),
    };
  });

const valueOf = (text) => /: (\S+)$/.exec(text)[1];

describe('the inspector with the model', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');
  let page;
  let said;

  before(async () => {
    const link = new URLSearchParams({ mode: 'self', text: english, row: 1, column: 2, head: 1 });
    ({ page, said } = await open(demo.browser, demo.url, `#${link}`));
  });

  /** Presses a key many times with a strip (counted from the end) in focus. */
  async function press(strip, key, times = 1) {
    await page.evaluate((at) => {
      Array.from(document.querySelectorAll('.inspector canvas.strip')).at(at).focus();
    }, strip);
    for (let count = 0; count < times; ++count) await page.keyboard.press(key);
    await drawn(page);
  }

  it('shows the concatenated heads and their product with W_O', async () => {
    await page.waitForFunction(
      () => document.querySelectorAll('.inspector canvas.strip').length > 10,
    );
    for (const part of ['encoder.0', 'encoder.1']) {
      await pick(page, 'part', part);
      const { joined, result, bias } = togetherOf(part, 1);
      await press(-1, 'Home');
      await press(-1, 'ArrowRight', 7);
      await press(-2, 'End');
      await press(-2, 'ArrowLeft', 3);
      const { strips, sums } = await readTogether(page);
      assertShows(valueOf(strips[0]), joined[joined.length - 4], 'a number of the heads');
      assertShows(valueOf(strips[1]), result[7], 'a number of the result');
      assertShows(/ = (\S+)$/.exec(sums[1])[1], result[7], 'the sum');
      assert.match(sums[0], new RegExp(`from head ${heads} and`));
      const shares = sums[2].match(/(?<=head \d )[−\d.e]+/g);
      assert.equal(shares.length, heads);
      const total = shares.reduce((all, share) => all + Number(share.replaceAll('−', '-')), 0);
      assert.ok(
        Math.abs(total + bias[7] - result[7]) < 0.003,
        `${total} + ${bias[7]} = ${result[7]}`,
      );
    }
  });

  it('shows the selected row of every part', async () => {
    await choose(page, 'mode', 'cross');
    await paste(page, 'first', '');
    await paste(page, 'second', english);
    for (const part of ['cross.1', 'cross.0', 'decoder.0']) {
      await pick(page, 'part', part);
      await page.focus('#first-words');
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await drawn(page);
      const { result } = togetherOf(part, 2);
      await press(-1, 'Home');
      const { strips } = await readTogether(page);
      assertShows(valueOf(strips[1]), result[0], part);
    }
  });

  it('shows the selected pair after quick changes', async () => {
    const row = () => page.$eval('.inspector .pair-title .is-read', (one) => one.textContent);
    const press = (keys) =>
      page.evaluate((list) => {
        const words = document.querySelector('#first-words');
        for (const key of list) {
          words.dispatchEvent(
            new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
          );
        }
      }, keys);
    await press(['Home', 'ArrowRight', 'ArrowRight']);
    await drawn(page);
    const before = await row();
    // Back before any answer can have come.
    await press(['ArrowLeft', 'ArrowRight']);
    await drawn(page);
    assert.equal(await row(), before);
  });

  it('gives keyboard and touch access to every number of a strip', async () => {
    const seen = () =>
      page.evaluate(() => {
        const strip = document.querySelectorAll('.inspector canvas.strip')[1];
        const { min, max } = { min: strip.ariaValueMin, max: strip.ariaValueMax };
        const shown = strip.parentElement.querySelector('.strip-number');
        return {
          ...{ min, max, now: strip.ariaValueNow, text: strip.ariaValueText },
          shown: shown.hidden ? '' : shown.textContent,
        };
      });
    const heard = [];
    await press(1, 'Home');
    const { max, min } = await seen();
    assert.deepEqual([min, max], ['1', '48']);
    for (let at = 0; at < 48; ++at) {
      const { now, text, shown } = await seen();
      assert.equal(now, String(at + 1));
      assert.equal(shown, text, 'what is said is written, too');
      heard.push(valueOf(text));
      await page.keyboard.press('ArrowRight');
    }
    const { vectors } = translator.translate(english, { vectors: true });
    const { data, dims } = vectors.decoder[0].query;
    const head = await page.$eval('#head', (select) => Math.max(0, select.selectedIndex));
    const first = (head * dims[2] + 2) * dims[3];
    heard.forEach((number, c) => assertShows(number, data[first + c], `number ${c + 1}`));
    await page.keyboard.press('Tab');
    assert.equal((await seen()).shown, '');
    // Touch: down on one number, then along to another.
    const box = await page.evaluate(() => {
      const strip = document.querySelectorAll('.inspector canvas.strip')[1];
      strip.scrollIntoView({ block: 'center' });
      const { left, top, width, height } = strip.getBoundingClientRect();
      return { left, top, width, height };
    });
    const x = (at) => box.left + ((at + 0.5) / 48) * box.width;
    const y = box.top + box.height / 2;
    await page.touchscreen.touchStart(x(10), y);
    assert.equal((await seen()).now, '11');
    await page.touchscreen.touchMove(x(30), y);
    assert.equal((await seen()).now, '31');
    await page.touchscreen.touchEnd();
    assertShows(valueOf((await seen()).text), data[first + 30], 'under the finger');
    assert.deepEqual(said, []);
  });

  it('is absent without W_O', async () => {
    await choose(page, 'mode', 'self');
    await pick(page, 'source', 'ngrams');
    assert.equal((await readTogether(page)).hidden, true);
    await pick(page, 'source', 'model');
    assert.equal((await readTogether(page)).hidden, false);
    assert.deepEqual(said, []);
  });

  it('spells out what moved, which is the number of that stage', async () => {
    await choose(page, 'mode', 'cross');
    await pick(page, 'part', 'cross.1');
    await pick(page, 'head', '1');
    const { columns, rows, cells } = await readTable(page, 'moved');
    const { vectors, attention } = translator.translate(english, { vectors: true });
    const { value } = vectors.cross[1];
    const { data: weights, dims } = attention.cross[1];
    const output = tensors.get('decoder.layers.1.multihead_attn.out_proj.weight');
    const [, , width, valueDim] = value.dims;
    const head = 1;
    // W_O is out × in, int8 with a scale for each row.
    const moved = (row, column) => {
      const v = value.data.subarray((head * width + column) * valueDim).subarray(0, valueDim);
      const sums = Array.from({ length: output.dims[0] }, (_, out) =>
        v.reduce((sum, number, i) => {
          const at = out * output.dims[1] + head * valueDim + i;
          return sum + number * output.data[at] * (output.scales?.[out] ?? 1);
        }, 0),
      );
      const weight = weights[(head * dims.at(-2) + row) * width + column];
      return weight * Math.hypot(...sums);
    };
    const { source, target } = translator.translate(english);
    const isWhole = ({ word }, tokens) => tokens.filter((one) => one.word === word).length === 1;
    let checked = 0;
    for (const [row, { text, ...own }] of target.tokens.entries()) {
      for (const [column, other] of source.tokens.entries()) {
        if (!isWhole(own, target.tokens) || !isWhole(other, source.tokens)) continue;
        const [r, c] = [rows.indexOf(text), columns.indexOf(other.text)];
        if (r < 0 || c < 0) continue;
        assertShows(cells[r][c], moved(row, column), `${text} → ${other.text}`, 1e-4);
        ++checked;
      }
    }
    assert.ok(checked > 8, `${checked} cells`);
    const { query, key } = await read(page);
    const shown = cells[rows.indexOf(query)][columns.indexOf(key)];
    const { sums } = await readInspector(page);
    const spelled = sums.flat().find((line) => line.includes('√('));
    assertShows(/= (\S+)$/.exec(spelled)[1], numberOf(shown).value, 'the inspector', 1e-4);
    await choose(page, 'stage', 'weights');
    assert.deepEqual(said, []);
  });

  it('opens on demand, moves no cell, and stays open for who opened it', async () => {
    const context = await demo.browser.createBrowserContext();
    const fresh = await context.newPage();
    await fresh.setViewport({ width: 1440, height: 900 });
    await fresh.goto(demo.url);
    await drawn(fresh);
    const isOpen = () => fresh.$eval('.inspector', (one) => !one.hidden);
    const cell = () =>
      fresh.evaluate(() => {
        const map = document.querySelector('.matrix-view attention-map');
        const { left, top } = map.getBoundingClientRect();
        const at = map.cellAt({ clientX: left + 320, clientY: top + 190 });
        return { ...at, left, top, scroll: scrollY };
      });
    assert.equal(await isOpen(), false);
    const before = await cell();
    assert.ok(before.row >= 0 && before.column >= 0, JSON.stringify(before));
    await click(fresh, '#how');
    assert.equal(await isOpen(), true);
    assert.deepEqual(await cell(), before);
    await fresh.goto('about:blank');
    await fresh.goto(demo.url);
    await drawn(fresh);
    assert.equal(await isOpen(), true);
    await click(fresh, '.inspector .close');
    // Addresses from before it could be closed.
    for (const [hash, selector] of [
      ['#mode=cross&inside=yes', '.flow'],
      ['#mode=cross&stage=raw', '[name="stage"][value="raw"]:checked'],
    ]) {
      await fresh.goto('about:blank');
      await fresh.goto(demo.url + hash);
      await fresh.waitForSelector(selector, { timeout: 20_000 });
    }
    await fresh.goto('about:blank');
    await fresh.goto(demo.url);
    await drawn(fresh);
    assert.equal(await isOpen(), false);
    await context.close();
  });

  it('says that settings change the picture, not the model', async () => {
    // Waits, because the note is drawn a frame after the picture.
    const isSaid = (wanted) =>
      page.waitForFunction(
        (is) =>
          Object.entries({
            '.note': 'change only this picture',
            '.in-force': 'in the picture only',
          }).every(([one, text]) => document.querySelector(one).textContent.includes(text) === is),
        { timeout: 10_000 },
        wanted,
      );
    await isSaid(false);
    for (const [id, value, usual] of [
      ['kind', 'elu', 'softmax'],
      ['kind', 'gaussian', 'softmax'],
    ]) {
      await pick(page, id, value);
      await isSaid(true);
      await pick(page, id, usual);
    }
    await choose(page, 'scale', 'one');
    await isSaid(true);
    await choose(page, 'scale', 'source');
    await isSaid(false);
  });
});
