// Which head, which word matters: the map fills, can be canceled, and its cells open in the view; numbers are those of the
// library with the same edits.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ablate, loadModel } from 'attention-wasm/models';
import { loadTranslator } from 'attention-wasm/translator';
import { darkProblems, problems } from '../support/browser/axe.js';
import { decoderFiles } from '../support/js/whole_models.js';
import {
  choose,
  click,
  drawn,
  open,
  paste,
  pick,
  press,
  read,
  startPage,
} from '../support/browser/page_driver.js';

const translator = await loadTranslator();
const english = 'The red car is in front of the house.';
const plain = translator.translate(english);
const rouge = plain.target.tokens.findIndex(({ text }) => text === 'rouge');
const start = `#mode=cross&row=${rouge}&column=1`;
const long =
  'The old man who lives in the small house near the river reads the same book every day, '
    .repeat(3)
    .trim();

/** Waits until the panel has this state: measuring, done or again. */
async function reached(page, state) {
  await page.waitForFunction(
    (wanted) => document.querySelector('.sweep')?.dataset.state === wanted,
    { timeout: 60_000 },
    state,
  );
  await drawn(page);
}

/** What the panel shows. */
const panel = (page) =>
  page.evaluate(() => {
    const textOf = (selector) => document.querySelector(`.sweep ${selector}`)?.textContent;
    const map = document.querySelector('.sweep attention-map');
    return {
      state: document.querySelector('.sweep').dataset.state,
      count: textOf('.far span'),
      cell: textOf('.cell'),
      largest: Array.from(document.querySelectorAll('.sweep ol button'), (one) => one.textContent),
      hints: Array.from(document.querySelectorAll('.sweep .hint'), (one) => one.textContent),
      rows: map.rowLabels,
      columns: map.columnLabels,
      effects: map.weights && Array.from(map.weights.data),
      unseen: map.unseen && Array.from(map.unseen),
      says: map.shadowRoot.querySelector('[role="gridcell"]')?.textContent,
    };
  });

const hashField = (page, name) =>
  page.evaluate((field) => new URLSearchParams(location.hash.slice(1)).get(field), name);

const shownHead = (page) =>
  page.evaluate(() => ['part', 'head'].map((id) => document.getElementById(id).value));

/** Clicks a cell of the map with the mouse. */
async function clickCell(page, row, column) {
  const at = await page.evaluate(
    (wantedRow, wantedColumn) => {
      const map = document.querySelector('.sweep attention-map');
      map.scrollIntoView({ block: 'center' });
      const { left, top, width, height } = map.getBoundingClientRect();
      for (let y = top; y < top + height; y += 3) {
        for (let x = left; x < left + width; x += 3) {
          const cell = map.cellAt({ clientX: x, clientY: y });
          if (cell?.row === wantedRow && cell.column === wantedColumn)
            return { x: x + 3, y: y + 3 };
        }
      }
      return null;
    },
    row,
    column,
  );
  await page.mouse.click(at.x, at.y);
  await drawn(page);
}

const sumOf = ({ logProbabilities, target }, word) =>
  target.tokens.reduce((sum, one, at) => (one.word === word ? sum + logProbabilities[at] : sum), 0);

const opened = (demo, address = start) => open(demo.browser, demo.url, address, { folded: true });

describe('which head, which word matters', { timeout: 400_000 }, () => {
  const demo = startPage('chromium');

  it('loads its code when it is opened by the button, and measures each head', async () => {
    const { page, said } = await opened(demo);
    await page.waitForSelector('.which:not([hidden])', { timeout: 60_000 });
    const files = () =>
      page.evaluate(
        () =>
          performance.getEntriesByType('resource').filter(({ name }) => /\/sweep-/.test(name))
            .length,
      );
    assert.equal(await files(), 0);
    await click(page, '.which');
    await reached(page, 'done');
    assert.ok((await files()) > 0);
    const { rows, effects, unseen, largest, hints, columns } = await panel(page);
    const layerOf = (row) => {
      const [stack, layer] = row.split(' ');
      return [stack, Number(layer) - 1];
    };
    const { word } = plain.target.tokens[rouge];
    const options = { target: plain.text, attention: false };
    rows.forEach((row, at) => {
      const [stack, layer] = layerOf(row);
      columns.forEach((_, head) => {
        const edits = ablate(layer, head, { stack });
        const edited = translator.translate(english, { ...options, edits });
        const want = sumOf(edited, word) - sumOf(plain, word);
        const got = effects[at * columns.length + head];
        assert.ok(Math.abs(got - want) < 1e-4, `${row}, head ${head + 1}: ${got} and ${want}`);
      });
    });
    assert.ok(unseen.every((one) => one === 0));
    const strongest = effects.indexOf(
      effects.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a)),
    );
    const head = (strongest % columns.length) + 1;
    assert.ok(
      largest[0].startsWith(`${rows[Math.floor(strongest / columns.length)]}, head ${head} −`),
    );
    const before = Math.exp(sumOf(plain, word)).toFixed(3);
    assert.match(hints[0], RegExp(`ln p without the head − ln p with it.*“rouge”, now ${before}`));
    assert.match(hints[1], /other heads may take over/);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('opens a head by click and by keys, and follows the word that is selected', async () => {
    const { page, said } = await opened(demo, `${start}&sweep=heads`);
    await reached(page, 'done');
    const { rows, effects } = await panel(page);
    const [encoder, decoder] = ['encoder 2', 'decoder 1'].map((name) => rows.indexOf(name));
    await clickCell(page, encoder, 2);
    assert.deepEqual(await shownHead(page), ['encoder.1', '2']);
    // The numbers stay those of “rouge”, and a head that looks back opens at it.
    assert.deepEqual((await panel(page)).effects, effects);
    await clickCell(page, decoder, 1);
    assert.deepEqual(await shownHead(page), ['decoder.0', '1']);
    assert.equal((await read(page)).query, 'rouge');
    await page.focus('.sweep attention-map');
    await press(page, 'ArrowRight');
    const { says, cell } = await panel(page);
    assert.match(says, /^decoder 1, head 3 off: “rouge” 0\.\d{3} → 0\.\d{3}, Δ ln p −?0\.\d\d$/);
    assert.equal(cell, `${says}.`);
    assert.deepEqual(await shownHead(page), ['decoder.0', '1']);
    await press(page, 'Enter');
    assert.deepEqual(await shownHead(page), ['decoder.0', '2']);
    // Another word needs no other runs.
    await page.evaluate(() => document.querySelector('#first-words-0').click());
    await drawn(page);
    const la = await panel(page);
    assert.notDeepEqual(la.effects, effects);
    assert.equal(la.state, 'done');
    assert.match(la.hints[0], /“La”/);
    await choose(page, 'sweep-of', 'text');
    const whole = await panel(page);
    assert.match(whole.hints[0], /the translation as it stands/);
    const logs = plain.logProbabilities.reduce((sum, one) => sum + one, 0);
    assert.ok(whole.hints[0].includes(`now ${Math.exp(logs).toFixed(3)}`));
    assert.deepEqual(said, []);
    await page.close();
  });

  it('hides each word; a cell selects both words, and Back closes the map', async () => {
    const { page, said } = await opened(demo, `${start}&part=encoder.0`);
    await page.waitForSelector('.which:not([hidden])', { timeout: 60_000 });
    await click(page, '.which');
    await reached(page, 'done');
    await choose(page, 'sweep', 'words');
    await page.waitForFunction(
      () => document.querySelector('.sweep attention-map').columnLabels[1] === 'red',
    );
    await reached(page, 'done');
    const { rows, columns, effects } = await panel(page);
    assert.deepEqual(rows, [
      'La',
      'voiture',
      'rouge',
      'est',
      'devant',
      'la',
      'maison',
      '.',
      '</s>',
      'all',
    ]);
    const [row, column] = [rows.indexOf('maison'), columns.indexOf('house')];
    assert.ok(effects[row * columns.length + column] < -2);
    await clickCell(page, row, column);
    const { query, key } = await read(page);
    assert.deepEqual([query, key], ['maison', 'house']);
    assert.match(await page.$eval('#part', ({ value }) => value), /^cross/);
    assert.equal(await hashField(page, 'sweep'), 'words');
    await page.goBack();
    await drawn(page);
    assert.equal(await hashField(page, 'sweep'), 'heads');
    await page.goBack();
    await drawn(page);
    assert.equal(await page.$eval('.sweep', ({ hidden }) => hidden), true);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('fills while it measures, answers meanwhile, and is canceled', async () => {
    const { page, said } = await opened(demo, 'embed.html');
    await page.evaluateOnNewDocument(() => {
      globalThis.swept = 0; // messages of the sweep
      globalThis.Worker = class extends Worker {
        constructor(...given) {
          super(...given);
          this.addEventListener('message', ({ data }) => {
            if (data.type === 'swept') ++globalThis.swept;
          });
        }
      };
    });
    await page.goto(`${demo.url}#mode=cross&text=${encodeURIComponent(long)}`);
    await drawn(page);
    await page.waitForSelector('.which:not([hidden])', { timeout: 60_000 });
    await page.evaluate(() => {
      // Counts of runs that were shown.
      globalThis.counts = [];
      new MutationObserver(() => {
        const text = document.querySelector('.sweep .far span')?.textContent;
        if (text && globalThis.counts.at(-1) !== text) globalThis.counts.push(text);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await click(page, '.which');
    await page.waitForFunction(() =>
      /^[3-9] of|^\d\d of/.test(document.querySelector('.sweep .far span')?.textContent),
    );
    const during = await panel(page);
    assert.equal(during.state, 'measuring');
    const unmeasured = during.unseen.filter((one) => one === 1).length;
    assert.ok(unmeasured > 0 && unmeasured < during.unseen.length, `${unmeasured}`);
    // The picture answers while it measures.
    await page.focus('.matrix-view attention-map');
    const before = await read(page);
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(
      (query) => document.querySelector('.pair-title bdi').textContent !== query,
      { timeout: 3000 },
      before.query,
    );
    assert.equal((await panel(page)).state, 'measuring');
    await page.evaluate(() => document.querySelector('.sweep .far button').click());
    await reached(page, 'again');
    const canceled = await panel(page);
    const [, done, total] = canceled.count.match(/^Canceled at (\d+) of (\d+)\.$/).map(Number);
    assert.ok(done < total, canceled.count);
    // The worker has stopped too.
    const messages = () => page.evaluate(() => globalThis.swept);
    await new Promise((resolve) => setTimeout(resolve, 150));
    const sent = await messages();
    assert.ok(sent > 2);
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(await messages(), sent);
    assert.deepEqual(await panel(page), canceled);
    assert.ok((await page.evaluate(() => globalThis.counts.length)) > 2);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('stops for another text, which it measures when it is asked to', async () => {
    const { page, said } = await opened(demo, `#mode=cross&text=${encodeURIComponent(long)}`);
    await page.waitForSelector('.which:not([hidden])', { timeout: 60_000 });
    await click(page, '.which');
    await page.waitForFunction(() =>
      /^\d+ of \d/.test(document.querySelector('.sweep .far span')?.textContent),
    );
    await paste(page, 'second', english);
    // At once, not when all is measured.
    const old = await panel(page);
    assert.equal(old.state, 'again');
    assert.ok(old.unseen.includes(1));
    assert.match(old.count, /is another now/);
    // A cell of the old text opens nothing.
    const address = await page.evaluate(() => location.hash);
    await page.focus('.sweep attention-map');
    await press(page, 'Enter');
    assert.equal(await page.evaluate(() => location.hash), address);
    await page.evaluate(() => document.querySelector('.sweep .far button').click());
    await reached(page, 'done');
    const { effects, unseen } = await panel(page);
    assert.equal(effects.length, unseen.length);
    assert.ok(Math.min(...effects) < -0.1);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('measures with what is blocked: another head takes over', async () => {
    const { page } = await opened(demo, `${start}&sweep=heads`);
    await reached(page, 'done');
    const before = await panel(page);
    const best = before.effects.indexOf(Math.min(...before.effects));
    const [row, column] = [Math.floor(best / before.columns.length), best % before.columns.length];
    const [stack, layer] = before.rows[row].split(' ');
    await page.goto(`${demo.url}${start}&sweep=heads&block=${stack}.${layer - 1}.${column}`);
    await page.reload();
    await drawn(page);
    await reached(page, 'done');
    const after = await panel(page);
    assert.equal(after.unseen[best], 2);
    // The others matter more than before.
    const sum = ({ effects }) =>
      effects.reduce((all, one, at) => (at === best ? all : all + one), 0);
    assert.ok(sum(after) < 2 * sum(before), `${sum(after)} and ${sum(before)}`);
    await page.close();
  });

  it('is absent where there is no model', async () => {
    const { page, said } = await opened(demo, `${start}&sweep=heads`);
    await reached(page, 'done');
    await pick(page, 'source', 'ngrams');
    const isHidden = (selector) => page.$eval(selector, ({ hidden }) => hidden);
    for (const selector of ['.sweep', '.which', '.which-head', '.block-link']) {
      assert.equal(await isHidden(selector), true, selector);
    }
    assert.deepEqual(said, []);
    await page.close();
  });

  it('is opened and closed by keys, with the focus', async () => {
    const { page, said } = await opened(demo);
    await page.waitForSelector('.which:not([hidden])', { timeout: 60_000 });
    await page.focus('.matrix-view attention-map');
    await press(page, 'f');
    await reached(page, 'done');
    const focused = () => page.evaluate(() => document.activeElement.textContent);
    assert.equal(await focused(), 'Which matters?');
    assert.deepEqual(await problems(page), []);
    await press(page, 'Escape');
    assert.equal(await page.$eval('.sweep', ({ hidden }) => hidden), true);
    assert.match(await focused(), /^Which head or word/);
    assert.equal(await hashField(page, 'sweep'), null);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('measures the next token of a model of the reader', async () => {
    const { page, said } = await opened(
      demo,
      '#mode=self&text=two+cats+sat&merge=no&hideSpecial=no',
    );
    const files = Object.entries(decoderFiles()).map(([name, content]) => [
      name,
      [...Buffer.from(content)],
    ]);
    await page.evaluate((list) => {
      const data = new DataTransfer();
      for (const [name, bytes] of list) data.items.add(new File([Uint8Array.from(bytes)], name));
      const given = { dataTransfer: data, bubbles: true, cancelable: true };
      document.querySelector('main').dispatchEvent(new DragEvent('drop', given));
    }, files);
    await page.waitForFunction(() => document.querySelector('.model-says')?.textContent);
    await drawn(page);
    await page.evaluate(() => document.querySelector('#first-words-4').click());
    await drawn(page);
    await page.waitForSelector('.which:not([hidden])');
    await click(page, '.which');
    await reached(page, 'done');
    const { rows, columns, effects, hints } = await panel(page);
    const all = decoderFiles();
    const model = await loadModel({
      config: JSON.parse(all['config.json']),
      weights: all['model.safetensors'],
      tokenizer: JSON.parse(all['tokenizer.json']),
    });
    const logsOf = (edits) => {
      const { data, dims } = model.run('two cats sat', { edits }).logits;
      const row = Array.from(data.subarray(4 * dims[1], 5 * dims[1]));
      const largest = Math.max(...row);
      const total = Math.log(row.reduce((sum, one) => sum + Math.exp(one - largest), 0)) + largest;
      return row.map((one) => one - total);
    };
    const plainLogs = logsOf([]);
    const likeliest = plainLogs.indexOf(Math.max(...plainLogs));
    assert.equal(rows.length, model.layers);
    rows.forEach((_, layer) =>
      columns.forEach((__, head) => {
        const want = logsOf(ablate(layer, head))[likeliest] - plainLogs[likeliest];
        const got = effects[layer * columns.length + head];
        assert.ok(Math.abs(got - want) < 1e-5, `${layer}.${head}: ${got} and ${want}`);
      }),
    );
    assert.ok(hints[0].includes(`now ${Math.exp(plainLogs[likeliest]).toFixed(3)}`), hints[0]);
    model.delete();
    assert.deepEqual(said, []);
    await page.close();
  });

  it('has no fault by axe, in both themes, and is no wider than a phone', async () => {
    for (const what of ['heads', 'words']) {
      const { page } = await opened(demo, `${start}&sweep=${what}`);
      await reached(page, 'done');
      assert.deepEqual(await problems(page), []);
      for (const width of [320, 390, 768]) {
        await page.setViewport({ width, height: 740 });
        await drawn(page);
        const over = await page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          return scrollWidth - clientWidth;
        });
        assert.equal(over, 0, `${width}`);
        assert.ok(await page.$('.picture > .sweep'));
      }
      await page.setViewport({ width: 1280, height: 900 });
      await drawn(page);
      assert.ok(await page.$('.inspector > .sweep'));
      assert.deepEqual(await darkProblems(page), []);
      await page.close();
    }
  });
});
