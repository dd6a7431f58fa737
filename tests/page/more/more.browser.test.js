// The drawer “More”: source, settings, export, keys, about; beside the page or below it, open as its reader left it; and the
// line at the map that names the settings that differ from their default.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import {
  choose,
  click,
  drawn,
  open,
  overflow,
  pick,
  press,
  read,
  readSentence,
  readTable,
  slide,
  spelling,
  startPage,
  typeInto,
} from '../../support/browser/page_driver.js';
import { assertShows, assertTable, spell } from '../../support/js/page_numbers.js';

const text = 'Zuko made his uncle tea, and his uncle liked the well-made tea';
const spelled = `#${new URLSearchParams({ source: 'ngrams', mode: 'self', text, merge: 'no', hideSpecial: 'no' })}`;
const { attention, scores } = await loadAttention();

const weightsOf = ({ q, k, v, scale }, options = {}) =>
  attention(q, k, v, { scale, weights: true, ...options }).weights.data;

describe('the drawer “More”', { timeout: 600_000 }, () => {
  const demo = startPage('chromium');

  const isSeen = (page, selector) => page.$eval(selector, (one) => one.checkVisibility());
  const unfold = (page, name) => click(page, `[data-fold="${name}"] > summary`);

  it('opens as its reader left it', async () => {
    const { page } = await open(demo.browser, demo.url, '', { folded: true });
    assert.equal(await isSeen(page, '#source'), false);
    await page.focus('#more');
    await press(page, 'Enter');
    assert.equal(await isSeen(page, '#source'), true);
    await unfold(page, 'settings');
    // Settings are loaded when they are opened.
    await page.waitForSelector('#causal', { visible: true });
    await page.reload();
    await drawn(page);
    await page.waitForSelector('#causal', { visible: true });
    await unfold(page, 'settings');
    await unfold(page, 'keys');
    await page.reload();
    await drawn(page);
    assert.deepEqual(
      [await isSeen(page, '#settings-panel'), await isSeen(page, '.keys-list')],
      [false, true],
    );
    await page.focus('#source');
    await press(page, 'Escape');
    assert.equal(await isSeen(page, '#source'), false);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'more');
    await page.reload();
    await drawn(page);
    assert.equal(await isSeen(page, '#source'), false);
    await page.evaluate(() => localStorage.clear());
    await page.close();
  });

  it('leads to soft lookup, and back to the reader’s text', async () => {
    const { page } = await open(demo.browser, demo.url, '#text=my+own+text');
    await page.$eval('.more-panel .idea a', (link) => link.click());
    await page.waitForSelector('#lookup-query', { visible: true });
    await page.click('.tour .end');
    assert.equal(await isSeen(page, '.matrix-view'), true);
    assert.equal((await readSentence(page)).text, 'my own text');
    await page.close();
  });

  it('changes the source, and has the examples that the first sight leaves out', async () => {
    const { page, said } = await open(demo.browser, demo.url, '');
    await click(page, '.examples.others button:last-child');
    assert.match((await readSentence(page)).text, /petit chien noir/);
    await pick(page, 'source', 'ngrams');
    assert.doesNotMatch(await page.$eval('.examples.others', (one) => one.textContent), /French/);
    assert.ok(await page.$eval('#source-says', (one) => one.textContent.length > 20));
    assert.deepEqual(said, []);
    await page.close();
  });

  it('is about the mode', async () => {
    const { page } = await open(demo.browser, demo.url, '#mode=learn');
    await unfold(page, 'about');
    const about = () => page.$eval('.about', (one) => one.innerText);
    assert.match(await about(), /The loss is/);
    assert.doesNotMatch(await about(), /Tatoeba/);
    await choose(page, 'mode', 'self');
    assert.match(await about(), /Tatoeba/);
    await page.evaluate(() => localStorage.clear());
    await page.close();
  });

  it('is below the picture where there is no room beside it', async () => {
    const { page } = await open(demo.browser, demo.url, '', { folded: true });
    for (const [width, height] of [
      [390, 844],
      [320, 640],
      [768, 1024],
    ]) {
      const where = `at ${width} × ${height}`;
      await page.setViewport({ width, height });
      await page.evaluate(() => scrollTo(0, 0));
      await click(page, '#more');
      await unfold(page, 'settings');
      const [stage, panel] = await page.evaluate(() =>
        ['.stage', '.more-panel'].map((selector) => {
          const box = document.querySelector(selector).getBoundingClientRect();
          return { top: box.top, bottom: box.bottom };
        }),
      );
      assert.ok(stage.top >= 0 && stage.bottom <= panel.top + 1, `${where}: ${stage.bottom}`);
      assert.ok(panel.bottom <= height + 1 && panel.top >= 0.4 * height, where);
      await slide(page, 'temperature', 2);
      await unfold(page, 'settings');
      await page.focus('.more-panel .close');
      await press(page, height === 640 ? 'Escape' : 'Enter');
      const [isClosed, focused] = await page.evaluate(() => [
        document.querySelector('.more-panel').hidden,
        document.activeElement.id,
      ]);
      assert.deepEqual([isClosed, focused], [true, 'more'], where);
      assert.equal(await overflow(page), 0, where);
    }
    // On the next visit the sheet does not cover the page.
    await click(page, '#more');
    await page.reload();
    await drawn(page);
    assert.equal(await isSeen(page, '#source'), false);
    await page.evaluate(() => localStorage.clear());
    await page.close();
  });

  it('follows every setting; their numbers are proved in worker/settings.test.js', async () => {
    const { page } = await open(demo.browser, demo.url, spelled);
    const truth = spell(text);
    // The address follows after a pause.
    const follows = (expected) =>
      page.waitForFunction(
        (wanted) => {
          const fields = new URLSearchParams(location.hash.slice(1));
          return Object.entries(wanted).every(([name, value]) => fields.get(name) === value);
        },
        { timeout: 120_000 },
        expected,
      );
    await click(page, '#causal');
    await typeInto(page, 'softcap', '2');
    await follows({ causal: 'yes', softcap: '2' });
    const options = { scale: truth.scale, causal: true, softcap: 2 };
    const masked = scores(truth.q, truth.k, options).data;
    assertTable(await readTable(page, 'masked'), truth, masked);
    assertTable(await readTable(page, 'weights'), truth, weightsOf(truth, options));
    await click(page, '#causal');
    await typeInto(page, 'softcap', '0');
    await follows({ causal: 'no', softcap: null });

    await choose(page, 'scale', 'own');
    for (const scale of ['1.5', '0', '-2']) {
      await typeInto(page, 'ownScale', scale);
      await follows({ scale: 'own', ownScale: scale });
    }
    // An empty field keeps the current scale, and shows it again on blur.
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.focus('#first');
    assert.equal(await page.$eval('#ownScale', (field) => field.value), '-2');
    for (const scale of ['scaled', 'one', 'source']) {
      await choose(page, 'scale', scale);
      await follows({ scale: scale === 'source' ? null : scale });
    }
    await slide(page, 'temperature', -2);
    await follows({ temperature: '0.25' });
    await slide(page, 'temperature', 0);
    await typeInto(page, 'windowLeft', '2');
    await typeInto(page, 'windowRight', '1');
    await follows({ temperature: null, windowLeft: '2', windowRight: '1' });
    for (const id of ['windowLeft', 'windowRight']) {
      await page.focus(`#${id}`);
      await press(page, 'Backspace');
    }
    await follows({ windowLeft: null, windowRight: null });
    assertTable(await readTable(page), truth, weightsOf(truth));
    await page.close();
  });

  it('hides punctuation, merges pieces and sorts columns', async () => {
    const { page } = await open(demo.browser, demo.url, spelled);
    const truth = spell(text);
    const weights = weightsOf(truth);
    const commas = truth.columns.flatMap((word, column) => (word === ',' ? [column] : []));
    await click(page, '#hideSpecial');
    assert.deepEqual((await readTable(page)).columns.slice(-2), ['tea', 'marks']);
    const { query, sum, marks } = await read(page);
    assert.equal(sum, '1.00000');
    const row = truth.rows.indexOf(query) * truth.columns.length;
    const share = commas.reduce((total, column) => total + weights[row + column], 0);
    assertShows(marks, share, 'marks');
    await click(page, '#hideSpecial');
    assert.equal((await read(page)).marks, '');
    await click(page, '#merge');
    assert.ok((await readTable(page)).rows.includes('well-made'));
    await click(page, '#merge');
    await click(page, '#first-words-4');
    for (const sort of ['read', 'total', 'text']) {
      await choose(page, 'sort', sort);
      const { columns } = await readTable(page);
      assert.equal(columns.join() === truth.columns.join(), sort === 'text', sort);
    }
    await page.close();
  });

  it('says why a setting is disabled, or hides it', async () => {
    const { page } = await open(demo.browser, demo.url, '#mode=cross&row=2&box=score');
    const seen = async (view) => {
      await choose(page, 'view', view);
      return page.evaluate(() => ({
        stages: document.querySelectorAll('[name="stage"]').length,
        off: ['threshold', 'perRow'].filter((id) => document.getElementById(id).disabled),
        colors: document.querySelector('[name="colors"]').disabled,
        why: ['threshold', 'perRow', 'colors'].map(
          (id) => document.querySelector(`#${id}-more .off`).textContent,
        ),
      }));
    };
    const matrixHas = await seen('matrix');
    assert.deepEqual([matrixHas.stages, matrixHas.off, matrixHas.colors], [1, [], false]);
    const lines = await seen('lines');
    assert.deepEqual([lines.stages, lines.off, lines.colors], [0, ['perRow'], true]);
    assert.match(lines.why[2], /colors of their heads/);
    const heads = await seen('heads');
    assert.deepEqual([heads.stages, heads.off, heads.colors], [0, ['threshold'], false]);
    const table = await seen('table');
    assert.deepEqual([table.stages, table.off, table.colors], [1, ['threshold', 'perRow'], true]);
    await page.close();
  });

  it('has no order of two texts to hide words by, and says so', async () => {
    const { page } = await open(demo.browser, demo.url, `${spelled}&mode=cross`);
    assert.equal(await page.$eval('#causal', (input) => input.disabled), true);
    await click(page, '[aria-controls="causal-more"]');
    assert.match(await page.$eval('#causal-more', (one) => one.innerText), /one text/i);
    await page.close();
  });

  it('has no name twice', async () => {
    const { page } = await open(demo.browser, demo.url, '#source=ngrams&scale=scaled');
    assert.doesNotMatch(await page.$eval('.more-panel', (one) => one.textContent), /KindKind|d_k/);
    await page.close();
  });

  it('says at the map which settings differ from their default', async () => {
    const { page } = await open(demo.browser, demo.url, '');
    const says = () => page.$eval('.in-force', (one) => one.textContent);
    assert.equal(await says(), '');
    await choose(page, 'scale', 'one');
    await choose(page, 'sort', 'total');
    assert.equal(await says(), 'scale 1 · columns sorted · in the picture only');
    await page.close();
  });

  it('has fused kernels as a switch, which the address keeps', async () => {
    const { page, said } = await open(demo.browser, demo.url, `${spelling}&view=table`);
    const numbers = async () => (await readTable(page)).cells;
    const before = await numbers();
    const says = () => page.$eval('.in-force', (one) => one.textContent);
    await click(page, '#fused');
    assert.equal(await says(), 'fused');
    await page.waitForFunction(() => location.hash.includes('fused=yes'));
    assert.deepEqual(await numbers(), before);
    await pick(page, 'source', 'model');
    for (const mode of ['self', 'cross']) {
      await choose(page, 'mode', mode);
      assert.match(await says(), /^fused/, mode);
    }
    assert.deepEqual(said, []);
    await page.close();
  });

  it('says that settings change the picture, not the model', async () => {
    const { page } = await open(demo.browser, demo.url, '#mode=self');
    // Waits, because the note is drawn a frame after the picture.
    const isSaid = (wanted) =>
      page.waitForFunction(
        (is) =>
          Object.entries({
            '.note': 'change only this picture',
            '.in-force': 'in the picture only',
          }).every(([one, text]) => document.querySelector(one).textContent.includes(text) === is),
        { timeout: 120_000 },
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
    await page.close();
  });
});
