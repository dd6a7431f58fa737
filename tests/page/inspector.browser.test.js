// The inspector with the trained model: it goes on to all heads end to end and their product with W_O; and every
// number of a strip is within reach of the keyboard and of a finger.

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadTranslator } from 'attention-wasm/translator';
import { assertShows } from '../support/js/page_numbers.js';
import { choose, drawn, open, paste, pick, startPage } from '../support/browser/page_driver.js';

const english = 'The red car is fast.';
const translator = await loadTranslator();
const { MultiHeadAttention } = await loadAttention();
const { tensors, heads } = translator;

/** What the library makes of a row: its heads end to end, and their product with W_O. */
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
  const { output, headOutputs } = layer.forward(x, context === x ? null : context, {
    causal: stack === 'decoder',
    headOutputs: true,
  });
  layer.delete();
  const [, rows, width] = headOutputs.dims.slice(-3);
  const joined = Array.from({ length: heads }, (_, head) => {
    const first = (head * rows + row) * width;
    return Array.from(headOutputs.data.subarray(first, first + width));
  }).flat();
  const result = output.data.subarray(row * output.dims[1], (row + 1) * output.dims[1]);
  return { joined, result, bias: tensors.get(`${prefix}out_proj.bias`).data };
}

/** What the last step of the inspector says. */
const readTogether = (page) =>
  page.evaluate(() => {
    const step = Array.from(document.querySelectorAll('.inspector .step')).at(-1);
    return {
      hidden: step.hidden,
      strips: Array.from(step.querySelectorAll('canvas'), (one) =>
        one.getAttribute('aria-valuetext'),
      ),
      sums: Array.from(step.querySelectorAll('.sum'), (one) => one.textContent),
    };
  });

const valueOf = (text) => /: (\S+)$/.exec(text)[1];

for (const name of ['chromium', 'firefox']) {
  describe(`the inspector of the model in ${name}`, { timeout: 300_000 }, () => {
    const demo = startPage(name);
    let page;
    let said;

    before(async () => {
      const link = new URLSearchParams({ mode: 'self', text: english, row: 1, column: 2, head: 1 });
      ({ page, said } = await open(demo.browser, demo.url, `#${link}`));
    });

    /** Presses a key often, with the strip so many from the end of the inspector in focus. */
    async function press(strip, key, times = 1) {
      await page.evaluate((at) => {
        Array.from(document.querySelectorAll('.inspector canvas.strip')).at(at).focus();
      }, strip);
      for (let count = 0; count < times; ++count) await page.keyboard.press(key);
      await drawn(page);
    }

    it('goes on to the heads end to end, and to W_O', async () => {
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
        assert.match(sums[0], new RegExp(`of head ${heads};`));
        const shares = sums[2].match(/(?<=head \d )[−\d.e]+/g);
        assert.equal(shares.length, heads);
        const total = shares.reduce((all, share) => all + Number(share.replaceAll('−', '-')), 0);
        assert.ok(
          Math.abs(total + bias[7] - result[7]) < 0.003,
          `${total} + ${bias[7]} = ${result[7]}`,
        );
      }
    });

    it('does so for the row that is chosen, of every part', async () => {
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

    it('is of the pair that is chosen, however quickly it was gone to and left', async () => {
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
      // There and back, before anything of it can have been answered.
      await press(['ArrowLeft', 'ArrowRight']);
      await drawn(page);
      assert.equal(await row(), before);
    });

    it('says every number of a strip to the keyboard and to a finger', async () => {
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
      // A finger: down on one number, and along to another.
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

    it('leaves it away where no W_O was learnt', async () => {
      await choose(page, 'mode', 'self');
      await pick(page, 'source', 'ngrams');
      assert.equal((await readTogether(page)).hidden, true);
      await pick(page, 'source', 'model');
      assert.equal((await readTogether(page)).hidden, false);
      assert.deepEqual(said, []);
    });
  });
}
