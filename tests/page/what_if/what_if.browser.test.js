// What if: a link, a word or a head is blocked; weights and words are those of the library with the same edits.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadTranslator } from 'attention-wasm/translator';
import { darkProblems, problems } from '../../support/browser/axe.js';
import { assertPercent, assertTable, headOf } from '../../support/js/page_numbers.js';
import {
  catchFiles,
  choose,
  click,
  drawn,
  exported,
  open,
  overflow,
  paste,
  press,
  read,
  readTable,
  startPage,
} from '../../support/browser/page_driver.js';

const translator = await loadTranslator();
const english = 'The red car is in front of the house.';
const plain = translator.translate(english);
const layers = (stack) =>
  new Set(
    Array.from(translator.tensors.keys(), (name) => name.split('.').slice(0, 3).join('.')).filter(
      (name) => name.startsWith(`${stack}.layers`),
    ),
  ).size;
const every = (stack) => Array.from({ length: layers(stack) }, (_, layer) => layer);

const tokensOf = ({ tokens }, text) => tokens.flatMap((one, at) => (one.text === text ? [at] : []));
const [rouge] = tokensOf(plain.target, 'rouge');
const [red] = tokensOf(plain.source, 'red');
const last = layers('decoder') - 1;
const at = { stack: 'cross', query: rouge, key: red, at: 'scores', to: 'blocked' };
const link = (layer) => ({ ...at, layer });
const start = `#mode=cross&row=${rouge}&column=${red}&merge=no&hideSpecial=no`;

/** Waits for the sentence on the effect, and returns the line. */
async function effect(page, says) {
  await page.waitForFunction(
    (wanted) => document.querySelector('.what-if .now')?.textContent.includes(wanted),
    { timeout: 120_000 },
    says,
  );
  return page.evaluate(() => ({
    now: document.querySelector('.what-if .now').textContent,
    changed: Array.from(document.querySelectorAll('.what-if :is(ins, del)'), (one) => [
      one.localName,
      one.textContent,
    ]),
    blocked: Array.from(document.querySelectorAll('.what-if li bdi'), (one) => one.textContent),
  }));
}

const focusMap = (page) =>
  page.evaluate(() => document.querySelector('.stage attention-map').focus());
const button = (page) => page.$eval('.block-it button', (one) => one.textContent);
const isShown = (page) => page.$eval('.what-if', (one) => !one.hidden);
/** Chooses where it is blocked. */
async function chooseReach(page, name) {
  await page.evaluate((wanted) => {
    const all = Array.from(document.querySelectorAll('.what-if .reaches label'));
    all.find((one) => one.textContent === wanted).click();
  }, name);
  await drawn(page);
}

const hash = (page) =>
  page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get('block'));

/** Opens the page with the button in the read-out. */
async function openReady(demo, address = start) {
  const opened = await open(demo.browser, demo.url, address, { folded: true });
  await opened.page.waitForSelector('.block-it button:not([disabled])', { timeout: 60_000 });
  return opened;
}

describe('what if', { timeout: 400_000 }, () => {
  const demo = startPage('chromium');

  it('blocks a link in the head of the view, and allows it again', async () => {
    const { page, said } = await openReady(demo);
    assert.equal(await button(page), 'Block it');
    await click(page, '.block-it button');
    await effect(page, 'write');
    await chooseReach(page, 'Head 1');
    const want = translator.translate(english, { edits: [{ ...link(last), head: 0 }] });
    assert.equal(await hash(page), `cross.${last}.0:${rouge}-${red}`);
    const { blocked } = await effect(page, 'still writes');
    assert.deepEqual(blocked, ['“rouge” blocked from “red”']);
    assert.equal(await page.$eval('#first', (one) => one.placeholder), want.text);
    const table = await readTable(page);
    assertTable(table, table, headOf(want.attention.cross[last], 0));
    assert.equal(table.cells[rouge][red], '0.00000');
    const says = await page.$eval('.looking', (one) => one.textContent);
    assert.equal(says, 'To write “rouge”, the model may not look at “red”: you blocked it.');
    assert.equal(await button(page), 'Allow it');
    await click(page, '.block-it button');
    assert.equal(await isShown(page), false);
    assert.notEqual((await readTable(page)).cells[rouge][red], '0.00000');
    assert.deepEqual(said, []);
    await page.close();
  });

  it('blocks in all layers and heads at first; what changes is marked, and moves no cell', async () => {
    const { page, said } = await openReady(demo);
    const frame = () => page.$eval('.stage', (one) => JSON.stringify(one.getBoundingClientRect()));
    const was = await frame();
    await click(page, '.block-it button');
    assert.equal(await frame(), was);
    const edits = [link(every('decoder'))];
    const want = translator.translate(english, { edits });
    assert.notEqual(want.text, plain.text);
    const { changed, now } = await effect(page, 'Now it writes');
    assert.ok(now.includes('devant la maison'));
    assert.deepEqual(changed, [['del', 'rouge']]);
    await page.waitForSelector('.next-words .changed');
    const words = await page.$$eval('.next-words li > *', (all) =>
      all.map((one) => ({
        text: one.querySelector('bdi').textContent,
        now: one.querySelector('span').textContent,
        bar: Number(one.style.getPropertyValue('--was')),
      })),
    );
    const { word } = want.target.tokens[rouge];
    const question = { target: want.text, word, count: 8 };
    const [before, after] = [{}, { edits }].map((more) =>
      translator.nextWords(english, { ...question, ...more }),
    );
    assert.equal(words[0].text, after[0].text);
    assertPercent(words[0].now, after[0].probability, 'the likeliest word');
    const former = words.find(({ text }) => text === before[0].text);
    const bars = await page.$$eval('.what-if .bar', (all) => all.map((one) => one.textContent));
    assert.equal(bars[1], `${words[0].text} ${words[0].now}`);
    assert.ok(bars[0].startsWith(former.text), bars[0]);
    assertPercent(bars[0].slice(former.text.length), before[0].probability, 'likeliest before');
    assert.ok(Math.abs(former.bar - before[0].probability) < 1e-6);
    // The same keys do nothing where text is typed.
    await page.focus('#second');
    await page.keyboard.type('u');
    assert.equal(await isShown(page), false);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('shows in the text what is gone and what is new, with Undo; the map keeps rows and columns', async () => {
    const { page, said } = await openReady(demo, '#mode=cross&row=2&column=1');
    for (const [width, height] of [
      [1280, 720],
      [390, 844],
    ]) {
      await page.setViewport({ width, height });
      await drawn(page);
      const places = () =>
        page.evaluate(() => {
          const boxOf = (one) => {
            const { x, y, width: across, height: down } = one.getBoundingClientRect();
            return [x, y, across, down].map((number) => Math.round(number * 4) / 4);
          };
          const map = document.querySelector('.stage attention-map');
          const { left, top, width: across, height: down } = map.getBoundingClientRect();
          const cells = [];
          for (const part of [0.2, 0.35, 0.5, 0.65, 0.8]) {
            for (const [x, y] of [
              [left + part * across, top + 0.55 * down],
              [left + 0.5 * across, top + part * down],
            ]) {
              cells.push(map.cellAt(new PointerEvent('pointermove', { clientX: x, clientY: y })));
            }
          }
          const parts =
            '.stage, .looking, .block-it button, #how, .toolbar, #second-words, #first-words';
          const words = Array.from(document.querySelectorAll('#first-words [role="option"]'));
          return {
            ...{ cells, parts: Array.from(document.querySelectorAll(parts), boxOf) },
            columns: map.columnLabels,
            words: words.map((one) => [one.textContent, boxOf(one)]),
          };
        });
      await page.mouse.move(1, 1);
      await drawn(page);
      const before = await places();
      const length = await page.evaluate(() => document.documentElement.scrollHeight);
      await focusMap(page);
      await press(page, 'x');
      await effect(page, 'Now it writes');
      const after = await places();
      // The same cell lies under the same point: as many rows, at the same places.
      assert.deepEqual([after.cells, after.parts], [before.cells, before.parts], `${width}`);
      assert.deepEqual(after.columns, before.columns);
      for (const [word, box] of after.words) {
        const was = before.words.filter(([other]) => other === word);
        assert.ok(
          was.some(([, one]) => String(one) === String(box)),
          `${width}: ${word} moved`,
        );
      }
      if (width > 1000) {
        const longer = await page.evaluate(() => document.documentElement.scrollHeight);
        assert.equal(longer, length, 'the strip takes the place of the hints');
      }
      const line = await page.evaluate(() => {
        const all = document.querySelectorAll('#first-words :is(.gone, [role="option"])');
        return Array.from(all, (one) => {
          if (one.matches('.gone')) return `~${one.dataset.text}~`;
          return one.matches('.new') ? `*${one.textContent}*` : one.textContent;
        }).join(' ');
      });
      assert.equal(line, 'La voiture ~rouge~ *est* devant la maison');
      const rows = await page.$eval('.stage attention-map', ({ rowLabels }) => rowLabels);
      assert.equal(rows.length, 7);
      assert.equal(rows[2].replaceAll('\u0336', ''), 'rouge');
      const { selected } = await page.$eval('.stage attention-map', (map) => ({
        selected: map.selected,
      }));
      assert.deepEqual(selected, { row: 3, column: 1 });
      const isCovered = await page.evaluate(() => {
        const undo = document.querySelector('.undo-beside button').getBoundingClientRect();
        return Array.from(document.querySelectorAll('#first-words [role="option"]')).some((one) =>
          Array.from(one.getClientRects()).some(
            ({ left, right, top, bottom }) =>
              left < undo.right && right > undo.left && top < undo.bottom && bottom > undo.top,
          ),
        );
      });
      assert.equal(isCovered, false, `${width}: Undo covers a word`);
      await click(page, '.undo-beside button');
      assert.equal(await isShown(page), false);
      assert.equal(await hash(page), null);
      assert.equal(await page.$('.undo-beside button'), null);
      assert.equal(await page.$('#first-words .gone'), null);
      assert.deepEqual((await places()).words, before.words);
    }
    assert.deepEqual(said, []);
    await page.close();
  });

  it('is undone one by one, all at once by a key, and by Back', async () => {
    const { page } = await openReady(demo);
    await focusMap(page);
    await press(page, 'x');
    await effect(page, 'Now it writes');
    await press(page, 'ArrowRight');
    await press(page, 'x');
    await page.waitForFunction(() => document.querySelectorAll('.what-if li').length === 2);
    await drawn(page);
    await page.evaluate(() => document.querySelector('.what-if li button').click());
    await drawn(page);
    assert.equal(await page.$$eval('.what-if li', ({ length }) => length), 1);
    await page.goBack();
    await drawn(page);
    assert.equal(await page.$$eval('.what-if li', ({ length }) => length), 2);
    await focusMap(page);
    await press(page, 'u');
    assert.equal(await isShown(page), false);
    assert.equal(await hash(page), null);
    await page.close();
  });

  it('hides a word from all others, but not from itself', async () => {
    const { page, said } = await openReady(
      demo,
      `#mode=self&row=2&column=${red}&merge=no&hideSpecial=no`,
    );
    await focusMap(page);
    await press(page, 'h');
    const { blocked, changed } = await effect(page, 'Now it writes');
    assert.deepEqual(blocked, ['“red” hidden from all other words']);
    assert.deepEqual(changed, [['del', 'rouge']]);
    // The weights are proved in sources/trained_model.test.js.
    const { cells } = await readTable(page);
    assert.deepEqual(
      cells.flatMap((numbers, row) => (numbers[red] === '0.00000' ? [] : [row])),
      [red],
    );
    assert.deepEqual(said, []);
    await page.close();
  });

  it('switches a head off on its tile', async () => {
    const { page, said } = await openReady(demo, `${start}&view=heads`);
    await page.focus('.heads-view [tabindex="0"]');
    await press(page, 'x');
    const { blocked } = await effect(page, 'write');
    assert.deepEqual(blocked, ['Head switched off']);
    const edits = [{ at: 'scores', stack: 'cross', layer: last, head: 0, to: 'blocked' }];
    const want = translator.translate(english, { edits });
    assert.equal(await page.$eval('#first', (one) => one.placeholder), want.text);
    const label = await page.$eval('.heads-view .off', (one) => one.getAttribute('aria-label'));
    assert.match(label, /head 1, switched off/);
    await page.hover('.heads-view .off');
    await click(page, '.heads-view .off .off-switch');
    assert.equal(await page.$('.heads-view .off'), null);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('has a menu by right click and keys', async () => {
    const { page } = await openReady(demo);
    await focusMap(page);
    await (await page.$('.stage attention-map')).click({ button: 'right' });
    const items = () =>
      page.$$eval('.what-if-menu [role="menuitem"] .says', (all) =>
        all.map((one) => one.textContent),
      );
    assert.deepEqual((await items()).slice(-2), [
      'Which head matters here?',
      'Which word matters here?',
    ]);
    await press(page, 'ArrowDown');
    const focused = () => page.evaluate(() => document.activeElement.textContent);
    assert.match(await focused(), /in this layer only/);
    assert.deepEqual(await problems(page), []);
    await press(page, 'Escape');
    assert.equal(await page.evaluate(() => document.activeElement.localName), 'attention-map');
    // On the word “car” of the text that is looked at.
    await click(page, '#second-words-2');
    await (await page.$('#second-words-2')).click({ button: 'right' });
    assert.deepEqual((await items())[0], 'Hide “car” from all other words');
    await press(page, 'Enter');
    assert.deepEqual((await effect(page, 'write')).blocked, ['“car” hidden from all other words']);
    await page.close();
  });

  it('is part of links, exports and the embedded page, and ends with the text', async () => {
    const { page } = await openReady(demo, `${start}&block=cross:${rouge}-${red}`);
    await effect(page, 'Now it writes');
    await catchFiles(page);
    const { text: address } = await exported(page, 'link');
    assert.equal(
      new URLSearchParams(new URL(address).hash.slice(1)).get('block'),
      `cross:${rouge}-${red}`,
    );
    const { text: html } = await exported(page, 'page');
    assert.match(html, /“rouge”, now “est”, blocked from “red”/);
    const json = JSON.parse((await exported(page, 'json')).text);
    assert.equal(json.weights.data[rouge * plain.source.tokens.length + red], 0);
    const changes = await exported(page, 'blocked.csv');
    assert.equal(changes.name, 'attention_blocked.csv');
    assert.match(changes.text, /,written,before,La voiture rouge .*,written,now,La voiture est /s);
    await paste(page, 'second', 'I have a dog.');
    assert.equal(await isShown(page), false);
    assert.equal(
      await page.$eval('#first', (one) => one.placeholder),
      translator.translate('I have a dog.').text,
    );
    await page.goto(`${demo.url}embed.html${new URL(address).hash}`);
    await drawn(page);
    assert.match(await page.$eval('.how', (one) => one.textContent), /blocked from “red”/);
    assert.equal(
      await page.$eval('.readout .says', (one) => one.textContent),
      'To write “est”, the model may not look at “red”: you blocked it.',
    );
    await page.close();
  });

  it('is compared with what was, also in the embedded page', async () => {
    const block = `&view=compare&beside=was&block=cross:${rouge}-${red}`;
    const { page, said } = await openReady(demo, start + block);
    await effect(page, 'Now it writes');
    const text = translator.translate(english, { edits: [link(every('decoder'))] }).text;
    const want = translator.translate(english, { target: text }).attention.cross[last];
    for (const address of ['', `embed.html${start}${block}`]) {
      if (address) await page.goto(demo.url + address);
      await drawn(page);
      const titles = await page.$$eval('.compare-view figcaption', (all) =>
        all.map((one) => one.textContent),
      );
      assert.deepEqual(titles, ['As blocked', 'As it was', 'Second minus first']);
      const shown = await page.$eval(
        '.compare-view .other attention-map',
        ({ weights: { data } }) => Array.from(data),
      );
      headOf(want, 0).forEach((weight, at) => assert.ok(Math.abs(shown[at] - weight) < 2e-6));
    }
    assert.deepEqual(said, []);
    await page.close();
  });

  it('has no fault by axe, in both themes, and is no wider than a phone', async () => {
    const { page } = await openReady(
      demo,
      `${start}&block=cross:${rouge}-${red},cross.0.1,encoder:0`,
    );
    await effect(page, 'Now it writes');
    assert.deepEqual(await problems(page), []);
    for (const width of [320, 390]) {
      await page.setViewport({ width, height: 740 });
      await drawn(page);
      assert.equal(await overflow(page), 0, `${width}`);
    }
    assert.equal((await read(page)).key, 'red');
    assert.deepEqual(await darkProblems(page), []);
    await page.close();
  });

  it('is absent where there is no model', async () => {
    const { page } = await open(demo.browser, demo.url);
    assert.equal(await page.$('.block-it:not([hidden]) button'), null);
    await choose(page, 'view', 'heads');
    assert.equal(await page.$('.off-switch:not([hidden])'), null);
    await page.close();
  });
});
