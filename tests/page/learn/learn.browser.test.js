// Mode "Learn": a run in the page has the numbers of the same run in Node.js, goes back to any step, stops with a
// sentence, and is loaded only when asked for.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadTraining } from 'attention-wasm/training';
import { readSettings } from '../../../web/demo/learn_settings.js';
import { createRun } from '../../../web/demo/worker/learn/run.js';
import { listen } from '../../support/js/browser.js';
import { darkProblems, problems } from '../../support/browser/axe.js';
import { holdTimers, runHeld, untilHeld } from '../../support/browser/held_timers.js';
import {
  catchFiles,
  choose,
  drawn,
  open,
  overflow,
  paste,
  pick,
  readTable,
  startPage,
} from '../../support/browser/page_driver.js';

const training = await loadTraining();

/** The line of numbers of a run, and the weights of the large matrix. */
const shown = (page) =>
  page.evaluate(() => {
    const textsOf = (selector) => document.querySelector(selector).textContent;
    const { weights } = document.querySelector('.learn-map attention-map');
    return {
      count: textsOf('.learn-count'),
      output: textsOf('.learn-example div:last-child dd'),
      weights: Array.from(weights.data),
    };
  });

/** The same of a run in Node.js. */
function expected(text, steps) {
  const run = createRun(training, readSettings(text));
  while (run.steps() < steps) run.train();
  const { output, parts } = run.look();
  const { right, of } = run.score();
  const part = text.startsWith('repeat') ? parts.at(-1) : parts[0];
  const size = part.rows.length * part.columns.length;
  const loss = steps === 0 ? '' : `, loss ${run.losses.at(-1).toFixed(4)}`;
  run.delete();
  return {
    count: `Step ${steps}${loss}; ${right} of ${of} rows that it never saw are right.`,
    output: output.join(''),
    weights: Array.from(part.weights.subarray(0, size)),
  };
}

/** The first multiple of 20 steps after which all test rows of a run in Node.js are right. */
function stepsUntilSolved(text) {
  const run = createRun(training, readSettings(text));
  let score;
  do {
    for (let n = 0; n < 20; n++) run.train();
    score = run.score();
  } while (score.right < score.of);
  const steps = run.steps();
  run.delete();
  return steps;
}

/** Opens a run and waits for its first picture. */
async function openRun(demo, text = '') {
  const opened = await open(
    demo.browser,
    demo.url,
    `#mode=learn&learn=${encodeURIComponent(text)}`,
    { folded: true },
  );
  await atStep(opened.page, 0);
  return opened;
}

const atStep = (page, step) =>
  page.waitForFunction(
    (wanted) => document.querySelector('.learn-count')?.textContent.startsWith(`Step ${wanted}`),
    { timeout: 60_000 },
    `${step}${step === 0 ? ';' : ','}`,
  );

async function train(page, steps) {
  for (let step = 1; step <= steps; step++) {
    await page.click('#learn-step');
    await atStep(page, step);
  }
}

async function goTo(page, step) {
  await page.$eval(
    '#learn-time',
    (time, value) => {
      time.value = value;
      time.dispatchEvent(new Event('input', { bubbles: true }));
    },
    step,
  );
  await atStep(page, step);
}

const status = (page) => page.$eval('.learn-status', ({ textContent }) => textContent);

async function untilStatus(page, pattern) {
  await page.waitForFunction(
    (source) => RegExp(source).test(document.querySelector('.learn-status').textContent),
    { timeout: 120_000 },
    pattern.source,
  );
}

const playName = (page) => page.$eval('#learn-play', ({ textContent }) => textContent);

async function write(page, id, value) {
  await page.$eval(
    `#${id}`,
    (input, text) => {
      input.value = text;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    },
    value,
  );
}

describe('learning in the page', { timeout: 600_000 }, () => {
  const demo = startPage('chromium');

  it('is loaded only when asked for', async () => {
    const { page } = await open(demo.browser, demo.url, '');
    const loaded = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => name)
          .filter((name) => /learn/.test(name)),
      );
    assert.deepEqual(await loaded(), []);
    await choose(page, 'mode', 'learn');
    await atStep(page, 0);
    assert.ok((await loaded()).length >= 2);
    await page.close();
  });

  it('has the numbers of the same run in Node.js, forwards and back', async () => {
    for (const text of ['reverse width 16 seed 7', 'repeat width 16']) {
      const { page, said } = await openRun(demo, text);
      assert.deepEqual(await shown(page), expected(text, 0));
      await train(page, 3);
      assert.deepEqual(await shown(page), expected(text, 3));
      for (const step of [1, 0]) {
        await goTo(page, step);
        assert.deepEqual(await shown(page), expected(text, step), `${text}, step ${step}`);
      }
      await page.click('#learn-step');
      await atStep(page, 1);
      assert.deepEqual(await shown(page), expected(text, 1));
      await page.click('#learn-again');
      await atStep(page, 0);
      assert.deepEqual(said, []);
      await page.close();
    }
  });

  it('learns to reverse: the output turns right, and the attention becomes a diagonal', async () => {
    const { page } = await openRun(demo);
    await page.click('#learn-play');
    await untilStatus(page, /^After \d+ steps all 500 rows/);
    assert.equal(await playName(page), 'Play');
    // It ends at the same step on any machine.
    assert.match(await status(page), RegExp(`^After ${stepsUntilSolved('')} steps`));
    const { input, output, wrong } = await page.evaluate(() => {
      const [reads, writes] = document.querySelectorAll('.learn-example dd');
      return {
        input: reads.textContent,
        output: writes.textContent,
        wrong: writes.querySelectorAll('s').length,
      };
    });
    assert.equal(output, [...input].reverse().join(''));
    assert.equal(wrong, 0);
    const { weights } = await shown(page);
    for (let i = 0; i < 8; i++) assert.ok(weights[i * 8 + 7 - i] > 0.5, `row ${i}`);
    await page.close();
  });

  it('ends at that step at twice the speed too', async () => {
    const { page } = await openRun(demo);
    const pressed = () => page.$eval('#learn-speed', ({ ariaPressed }) => ariaPressed);
    assert.equal(await pressed(), 'false');
    await page.click('#learn-speed');
    assert.equal(await pressed(), 'true');
    await page.click('#learn-play');
    await untilStatus(page, /^After \d+ steps all 500 rows/);
    assert.match(await status(page), RegExp(`^After ${stepsUntilSolved('')} steps`));
    await page.close();
  });

  it('shows matrix and sentence in the first screen, and moves nothing while it trains', async () => {
    for (const [width, height] of [
      [1440, 900],
      [1280, 720],
      [390, 844],
    ]) {
      const page = await demo.browser.newPage();
      await page.setViewport({ width, height });
      await page.goto(`${demo.url}#mode=learn`);
      await atStep(page, 0);
      const placesOf = () =>
        page.evaluate(() =>
          ['.learn-map attention-map', '.learn-map .looking', '.learn-course', '.learn-setup'].map(
            (selector) => {
              const { left, top, bottom } = document
                .querySelector(selector)
                .getBoundingClientRect();
              const map = document.querySelector('.learn-map attention-map');
              const box = map.shadowRoot.querySelector('canvas').getBoundingClientRect();
              return [selector, left, top, bottom, box.width, box.height].join(' ');
            },
          ),
        );
      const before = await placesOf();
      assert.ok(
        await page.$eval('.learn-map .looking', (one) => {
          const { bottom, top } = one.getBoundingClientRect();
          return top > 0 && bottom <= innerHeight;
        }),
        `${width} × ${height}: ${before[1]}`,
      );
      await train(page, 1);
      await page.click('#learn-play');
      await page.waitForFunction(() =>
        /^Step [2-9]\d,/.test(document.querySelector('.learn-count').textContent),
      );
      await page.click('#learn-play');
      assert.deepEqual(await placesOf(), before, `${width} × ${height}`);
      await page.close();
    }
  });

  it('pauses, and in another mode too', async () => {
    const { page } = await openRun(demo, 'reverse width 16 rate 1e-9'); // which never learns
    await page.click('#learn-play');
    await page.waitForFunction(() =>
      /^Step [1-9]/.test(document.querySelector('.learn-count').textContent),
    );
    await page.click('#learn-play');
    await page.waitForFunction(() => document.querySelector('#learn-play').textContent === 'Play');
    await page.click('#learn-play');
    await choose(page, 'mode', 'self');
    await page.waitForFunction(() => document.querySelector('#learn-play').textContent === 'Play', {
      timeout: 60_000,
    });
    await page.close();
  });

  it('is a link: the same settings, the same run', async () => {
    const { page } = await openRun(demo);
    await pick(page, 'learn-task', 'sort');
    await pick(page, 'learn-heads', '1');
    await page.click('#learn-positions');
    await page.click('#learn-divided');
    await write(page, 'learn-seed', '12');
    await write(page, 'learn-rate', '0,01');
    await atStep(page, 0);
    await train(page, 2);
    const before = await shown(page);
    assert.deepEqual(before, expected('sort heads 1 positions 0 divided 0 rate 0.01 seed 12', 2));
    const link = await page.$eval('.learn-room a', ({ hash }) => hash);
    assert.equal(link, '#mode=learn&learn=sort+heads+1+positions+0+divided+0+rate+0.01+seed+12');
    await page.waitForFunction((hash) => location.hash === hash, {}, link);
    await page.reload();
    await atStep(page, 0);
    await train(page, 2);
    assert.deepEqual(await shown(page), before);
    await page.close();
  });

  it('stops with a sentence', async () => {
    const { page } = await openRun(demo, 'reverse width 16');
    for (const rate of ['NaN', '0', '-1', 'Infinity', '']) {
      await write(page, 'learn-rate', rate);
      assert.match(await status(page), /^The learning rate must be a number above 0/, rate);
    }
    await write(page, 'learn-rate', '0.01');
    assert.equal(await status(page), '');
    await write(page, 'learn-seed', '-1');
    assert.match(await status(page), /^The seed must be a whole number from 0 to 4294967295/);
    await write(page, 'learn-rate', '1e38');
    await atStep(page, 0);
    await page.click('#learn-play');
    await untilStatus(
      page,
      /^Training stopped after step 0: a learningRate of 2e\+36 .*is unchanged\. A smaller learning rate/,
    );
    assert.equal(await playName(page), 'Play');
    await write(page, 'learn-rate', '0.003');
    await atStep(page, 0);
    await page.click('#learn-step');
    await atStep(page, 1);
    assert.equal(await status(page), '');
    await page.close();
  });

  it('goes on in the other modes, and is saved', async () => {
    const { page, said } = await openRun(demo);
    await page.click('#learn-play');
    await untilStatus(page, /^After \d+ steps all 500 rows/);
    const { weights } = await shown(page);
    await catchFiles(page);
    await page.click('#learn-save');
    await untilStatus(page, /^config\.json, model\.safetensors and tokenizer\.json are saved/);
    const sizes = await page.evaluate(() =>
      globalThis.caught.map(({ name, blob }) => [name, blob.size]),
    );
    assert.deepEqual(
      sizes.map(([name]) => name),
      ['config.json', 'model.safetensors', 'tokenizer.json'],
    );
    assert.ok(sizes.every(([, size]) => size > 200));
    const input = await page.$eval('.learn-example dd', ({ textContent }) => textContent);
    await page.click('#learn-use');
    await page.waitForFunction(() =>
      /step \d+/.test(document.querySelector('.model-card')?.textContent),
    );
    await drawn(page);
    // The trained model opens with the example of the run, and with its output and weights.
    const { rows, columns, cells } = await readTable(page);
    assert.equal(columns.join(''), input);
    assert.equal(rows.join(''), [...input].reverse().join(''));
    cells
      .flat()
      .forEach((cell, at) => assert.ok(Math.abs(Number(cell) - weights[at]) < 0.01, cell));
    await paste(page, 'second', '01234567');
    assert.equal((await readTable(page)).rows.join(''), '76543210');
    await choose(page, 'mode', 'learn');
    assert.match(await page.$eval('.learn-count', ({ textContent }) => textContent), /500 of 500/);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('learns the reader’s own lines, which are part of the link', async () => {
    const { page, said } = await openRun(demo, 'pairs');
    const field = () => page.$eval('#learn-pairs', ({ value }) => value);
    assert.match(await field(), /^tea = TEA\n/);
    for (const [text, message] of [
      ['tea', /^Line 1 is not of the form “tea = TEA”\.$/],
      ['a = b\n= c', /^Line 2 is not/],
    ]) {
      await write(page, 'learn-pairs', text);
      assert.match(await status(page), message);
    }
    const lines = 'ab = ba\nc = 👍\n<i> = <b>';
    await write(page, 'learn-pairs', lines);
    await atStep(page, 0);
    assert.equal(await status(page), '');
    await page.click('#learn-play');
    await untilStatus(page, /^After \d+ steps all 3 lines are right/);
    assert.equal(
      await page.$eval('.learn-example div:last-child dd', (one) => one.textContent),
      'ba<s>',
    );
    const link = await page.$eval('.learn-room a', ({ href }) => href);
    await page.click('#learn-use');
    await page.waitForFunction(() =>
      /step \d+/.test(document.querySelector('.model-card')?.textContent),
    );
    await drawn(page);
    const { rows, columns } = await readTable(page);
    assert.deepEqual([rows.join(''), columns.join('')], ['ba', 'ab']);
    await page.goto('about:blank');
    await page.goto(link);
    await atStep(page, 0);
    assert.equal(await field(), lines);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('plays what was changed a moment ago, and goes on playing after a change', async () => {
    const { page, said } = await openRun(demo, 'pairs');
    // Play is pushed before the worker has answered with step 0 of the new lines.
    await page.evaluate(() => {
      const lines = document.querySelector('#learn-pairs');
      lines.value = 'ab = ba\nc = d';
      lines.dispatchEvent(new Event('change', { bubbles: true }));
      document.querySelector('#learn-play').click();
    });
    await untilStatus(page, /^After \d+ steps all 2 lines are right/);
    assert.equal(await playName(page), 'Play');
    await page.click('#learn-play');
    await write(page, 'learn-pairs', 'ab = ba\nc = d\ne = f');
    await untilStatus(page, /^After \d+ steps all 3 lines are right/);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('leaves out late pictures of the run before, and asks for more', async () => {
    const page = await demo.browser.newPage();
    const said = listen(page);
    // The last picture of a run comes once more after the settings have changed.
    await page.evaluateOnNewDocument(() => {
      const { addEventListener, postMessage } = Worker.prototype;
      globalThis.drawnPictures = 0;
      Worker.prototype.addEventListener = function listenTo(type, listener) {
        addEventListener.call(this, type, (event) => {
          if (event.data?.type === 'picture') globalThis.sendAgain = () => listener(event);
          listener(event);
        });
      };
      Worker.prototype.postMessage = function post(message) {
        if (message.type === 'drawn') ++globalThis.drawnPictures;
        postMessage.call(this, message);
      };
    });
    await page.goto(`${demo.url}#mode=learn&learn=repeat+width+16`);
    await atStep(page, 0);
    await page.evaluate(() => {
      const layers = document.querySelector('#learn-layers');
      layers.value = 1;
      layers.dispatchEvent(new Event('change', { bubbles: true }));
      globalThis.drawnPictures = 0;
      globalThis.sendAgain();
    });
    await page.waitForFunction(() => globalThis.drawnPictures >= 2);
    await atStep(page, 0);
    const title = await page.$eval('.learn-map h3', ({ textContent }) => textContent);
    assert.equal(title, 'Layer 1, head 1');
    assert.deepEqual(said, []);
    await page.close();
  });

  it('shows the head that is chosen, by pointer and keys', async () => {
    const { page } = await openRun(demo, 'reverse width 16 heads 2');
    const title = () => page.$eval('.learn-map h3', ({ textContent }) => textContent);
    assert.equal(await title(), 'Cross-attention, layer 1, head 1');
    await page.focus('.learn-room [role="gridcell"][aria-selected="true"]');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    assert.equal(await title(), 'Cross-attention, layer 1, head 2');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    assert.equal(await title(), 'Encoder, layer 1, head 2');
    // Another pair of words, in the same head.
    const selected = () => page.$eval('.learn-map attention-map', (map) => map.selected);
    await page.keyboard.down('Shift');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.up('Shift');
    assert.equal(await title(), 'Encoder, layer 1, head 2');
    const { row, column } = await selected();
    await page.keyboard.down('Shift');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.up('Shift');
    assert.deepEqual(await selected(), { row: row + 1, column });
    await page.focus('#learn-step');
    await page.keyboard.press('Enter');
    await atStep(page, 1);
    assert.equal(await title(), 'Encoder, layer 1, head 2');
    await page.focus('#learn-time');
    await page.keyboard.press('ArrowLeft');
    await atStep(page, 0);
    await page.close();
  });

  it('has room on a phone, and no axe-core violations', async () => {
    const { page } = await openRun(demo, 'sort layers 4 heads 8');
    assert.deepEqual(await problems(page), []);
    assert.deepEqual(await darkProblems(page), []);
    for (const width of [320, 360, 768]) {
      await page.setViewport({ width, height: 740 });
      assert.equal(await overflow(page), 0, `${width}`);
    }
    await page.close();
  });

  it('draws seldom for those who prefer reduced motion, and trains all the same', async () => {
    const { page } = await openRun(demo, 'reverse width 16 rate 1e-9'); // which never learns
    await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
    await holdTimers(page, 1000);
    await page.evaluate(() => {
      globalThis.pictures = 0;
      new MutationObserver(() => ++globalThis.pictures).observe(
        document.querySelector('.learn-course polyline'),
        { attributeFilter: ['points'] },
      );
    });
    await page.click('#learn-play');
    // Each picture waits a second after the one before.
    for (let pictures = 1; pictures <= 3; pictures++) {
      await untilHeld(page);
      assert.equal(await page.evaluate('pictures'), pictures);
      await runHeld(page);
    }
    await page.close();
  });
});
