// The comparison: three pictures with one selection, two texts with what is written for each; its numbers are proved in
// compare_choices.test.js, those of its files in exports/data_files.test.js.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { formatBriefly } from 'attention-wasm/heatmap';
import { loadTranslator } from 'attention-wasm/translator';
import { lexicalScale, words, wordVectors } from 'attention-wasm/text';
import { assertShows, headOf } from '../../support/js/page_numbers.js';
import { problems } from '../../support/browser/axe.js';
import {
  addressOf,
  catchFiles,
  choose,
  click,
  drawn,
  exported,
  open,
  overflow,
  paste,
  pick,
  press,
  read,
  startExample,
  startPage,
} from '../../support/browser/page_driver.js';

const { attention, linearAttention } = await loadAttention();
const translator = await loadTranslator();
const text = 'one stone and two stones';
const spelled = `#source=ngrams&numbers=decimals&heads=4&head=1&row=1&column=4&view=compare&text=${text.replaceAll(' ', '+')}`;

/** Weights of one head, for vectors from spelling. */
function weightsOf({ head, kind = 'softmax', scale }) {
  const tensor = wordVectors(words(text), { dim: 64 });
  const own = { heads: 4, weights: true };
  const { weights } =
    kind === 'softmax'
      ? attention(tensor, tensor, tensor, { ...own, scale })
      : linearAttention(tensor, tensor, tensor, { ...own, featureMap: kind });
  return headOf(weights, head);
}

/** The three pictures: titles, numbers in cells, accessible name of the selected cell. */
const readPanels = (page) =>
  page.evaluate(() =>
    Array.from(document.querySelectorAll('.panels figure'), (figure) => {
      const map = figure.querySelector('attention-map');
      const svg = map.toSVG({ selected: false, width: 1400, height: 1000 });
      const texts = new DOMParser().parseFromString(svg, 'text/html').querySelectorAll('svg text');
      return {
        title: figure.querySelector('figcaption').textContent,
        texts: Array.from(texts, (one) => one.textContent),
        spoken: map.shadowRoot.querySelector('[role="gridcell"]').textContent,
        selected: map.selected,
      };
    }),
  );

async function compare(page, beside) {
  await page.waitForFunction(() => document.querySelector('#beside') !== null);
  await page.select('#beside', beside);
  await drawn(page);
  return readPanels(page);
}

function assertPanels(panels, own, other, place) {
  const difference = other.map((weight, at) => weight - own[at]);
  [own, other, difference].forEach((values, index) => {
    const { texts, spoken, title } = panels[index];
    assert.deepEqual(texts.slice(0, values.length), Array.from(values, formatBriefly), title);
    assertShows(/: (.+)$/.exec(spoken)[1], values[place], title);
  });
}

describe('the comparison', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');

  it('draws both matrices and their difference; another text starts as a copy', async () => {
    const { page, said } = await open(demo.browser, demo.url, spelled);
    const own = weightsOf({ head: 1, scale: 4 * lexicalScale }); // of four heads
    const copies = await compare(page, 'text');
    assert.equal(await page.$eval('#other-text', ({ value }) => value), text);
    assertPanels(copies, own, own, 9);
    await paste(page, 'other-text', 'one stone and two bones');
    assert.deepEqual(
      (await readPanels(page)).map(({ title }) => title),
      ['“stones”', '“bones”', 'Second minus first'],
    );
    assertPanels(await compare(page, 'kind:elu'), own, weightsOf({ head: 1, kind: 'elu' }), 9);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('of two texts has both translations and next words', async () => {
    const { page, said } = await open(demo.browser, demo.url, '');
    await catchFiles(page);
    await startExample(page, 'Too tired / too wide');
    const [tired, wide] = ['tired', 'wide'].map((word) =>
      translator.translate(`The animal did not cross the street because it was too ${word}.`),
    );
    assert.equal(await page.$eval('#part', ({ value }) => value), 'encoder.4');
    const { query, key } = await read(page);
    assert.deepEqual([query, key], ['it', 'animal']);
    // The switch shows the attention that is in the picture, and leads to the other.
    const mode = () => page.$eval('[name="mode"]:checked', ({ value }) => value);
    const note = () => page.$eval('.note', ({ textContent }) => textContent);
    assert.equal(await mode(), 'self');
    assert.doesNotMatch(await note(), /writes/);
    await choose(page, 'mode', 'cross');
    assert.equal(await mode(), 'cross');
    assert.equal(await page.$eval('#part', ({ value }) => value), 'cross.1');
    assert.match(await note(), /looks just before it writes that word/);
    await pick(page, 'part', 'decoder.1');
    assert.equal(await mode(), 'self');
    assert.match(await note(), /looks back just before it writes that word/);
    await pick(page, 'part', 'encoder.4');
    // The three pictures have their cells at the same places.
    const cells = await page.$$eval('.panels attention-map', (maps) =>
      maps.map((map) => {
        const { left, top, width, height } = map.getBoundingClientRect();
        const found = [];
        for (let y = 0; y < height; y += 7) {
          for (let x = 0; x < width; x += 7) {
            const cell = map.cellAt({ clientX: left + x, clientY: top + y });
            found.push(cell ? `${cell.row},${cell.column}` : '');
          }
        }
        return found.join(' ');
      }),
    );
    assert.match(cells[0], /11,11/);
    assert.deepEqual([cells[1], cells[2]], [cells[0], cells[0]]);
    const written = () =>
      page.$$eval('.what-if .text > :is(span:not(.unseen), ins)', (all) =>
        all.map((one) => one.textContent).join(' '),
      );
    assert.equal(await written(), wide.text);
    assert.notEqual(tired.text, wide.text);
    // Where the French is written, the word "il" has "elle" in its place.
    await pick(page, 'part', 'cross.1');
    const il = tired.target.tokens.findIndex(({ text: piece }) => piece === 'il');
    await page.click('#first-words-10');
    await drawn(page);
    assert.equal((await read(page)).query, 'il');
    await page.waitForSelector('.what-if .bar');
    const nextOf = ({ source, text: target, target: { tokens } }) =>
      translator.nextWords(source.text, { target, word: tokens[il].word })[0].text;
    const shown = await page.$$eval('.what-if .bar bdi', (all) =>
      all.map(({ textContent }) => textContent),
    );
    assert.deepEqual(shown, [tired, wide].map(nextOf));
    await click(page, '.beside button');
    assert.equal((await read(page)).query, 'it', 'the largest difference again');
    // Link and JSON name the other text; it opens again.
    await page.waitForFunction(() => location.hash.includes('otherText='));
    const { hash } = new URL(await addressOf(page));
    assert.equal(new URLSearchParams(hash.slice(1)).get('otherText'), wide.source.text);
    const { beside } = JSON.parse((await exported(page, 'json')).text);
    assert.deepEqual(beside.differs, { text: wide.source.text });
    await page.setViewport({ width: 360, height: 740 });
    await page.reload();
    await drawn(page);
    assert.equal(await written(), wide.text);
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await problems(page), []);
    await page.evaluate(() => history.back());
    await page.waitForFunction(() => document.querySelector('[data-view="compare"]').hidden);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('of two texts ends with another example, which has one', async () => {
    const { page, said } = await open(demo.browser, demo.url, '');
    for (const [mode, name] of [
      ['cross', 'Red car'],
      ['cross', 'My own French'],
      ['self', 'Zuko’s tea'],
    ]) {
      await choose(page, 'mode', mode);
      for (const one of ['Too tired / too wide', name]) {
        await startExample(page, one);
        const now = await page.evaluate(() => ({
          view: document.querySelector('[name="view"]:checked').value,
          isCompared: document.querySelector('.compare-view')?.checkVisibility() ?? false,
        }));
        const isFamous = one !== name;
        const wanted = { view: isFamous ? 'compare' : 'matrix', isCompared: isFamous };
        assert.deepEqual(now, wanted, `${mode}, ${one}`);
      }
      await page.waitForFunction(() => !location.hash.includes('otherText='));
    }
    assert.deepEqual(said, []);
    await page.close();
  });

  it('has one selection', async () => {
    const { page } = await open(demo.browser, demo.url, spelled);
    await compare(page, 'scale:one');
    await page.evaluate(() => {
      globalThis.hovers = [];
      for (const map of document.querySelectorAll('.panels attention-map')) {
        const { hover } = map;
        map.hover = (cell) => {
          globalThis.hovers.push(JSON.stringify(cell));
          hover.call(map, cell);
        };
      }
    });
    const box = await (await page.$('.panels .other attention-map')).boundingBox();
    // A point above the legend is in a cell.
    let hovers = [];
    let place = [];
    for (let share = 0.6; !/"row":\d.*"column":\d/.test(hovers[0]); share -= 0.03) {
      assert.ok(share > 0.2, `${hovers}`);
      place = [box.x + 0.68 * box.width, box.y + share * box.height];
      await page.mouse.move(...place);
      await drawn(page);
      hovers = await page.evaluate(() => globalThis.hovers.slice(-3));
    }
    assert.equal(new Set(hovers).size, 1);
    assert.match(hovers[0], /"row":\d/);
    const pointed = JSON.parse(hovers[0]);
    const list = words(text);
    const seen = await read(page);
    assert.deepEqual([seen.query, seen.key], [list[pointed.row], list[pointed.column]]);
    await page.mouse.click(...place);
    await drawn(page);
    await page.mouse.move(2, 2);
    for (const { selected } of await readPanels(page)) {
      assert.deepEqual([selected.row, selected.column], [pointed.row, pointed.column]);
    }
    // The same selection in every other view, and back.
    await choose(page, 'view', 'matrix');
    assert.deepEqual((await read(page)).key, list[pointed.column]);
    await page.close();
  });

  it('is left by Back, and opened by a link', async () => {
    const { page, said } = await open(demo.browser, demo.url, '#mode=cross&row=2');
    const isShown = (wanted) =>
      page.waitForFunction(
        (is) => document.querySelector('[data-view="compare"]').hidden !== is,
        { timeout: 120_000 },
        wanted,
      );
    await choose(page, 'view', 'compare');
    await isShown(true);
    await compare(page, 'head:2');
    await page.waitForFunction(() => location.hash.includes('beside=head%3A2'));
    const address = await addressOf(page);
    await page.evaluate(() => history.back());
    await isShown(false);
    assert.equal(await page.$eval('[name="view"]:checked', ({ value }) => value), 'matrix');
    const { page: other } = await open(demo.browser, address, '');
    const panels = await readPanels(other);
    assert.deepEqual(
      panels.map(({ title }) => title),
      ['Head 1', 'Head 3', 'Second minus first'],
    );
    assert.deepEqual(said, []);
    await other.close();
    await page.close();
  });

  it('can be used by keyboard and on a phone', async () => {
    const { page } = await open(demo.browser, demo.url, spelled);
    await compare(page, 'kind:elu');
    await page.focus('.panels .difference attention-map');
    await press(page, 'Home');
    await press(page, 'ArrowRight');
    const [own, , difference] = await readPanels(page);
    assert.deepEqual(own.selected.column, 1);
    assert.deepEqual(own.selected, difference.selected);
    await page.setViewport({ width: 320, height: 740 });
    await drawn(page);
    assert.equal(await overflow(page), 0);
    assert.deepEqual(await problems(page), []);
    await page.close();
  });

  it('is exported as numbers and as displayed', async () => {
    const { page } = await open(demo.browser, demo.url, spelled);
    await compare(page, 'scale:one');
    await catchFiles(page);
    const file = await exported(page, 'csv');
    assert.equal(file.name, 'attention_spelling_head-2_compared.csv');
    assert.match(file.text, /\r\nSecond minus first,stones,/);
    assert.deepEqual(JSON.parse((await exported(page, 'json')).text).beside.differs, {
      scale: 'one',
    });
    const { text: svg } = await exported(page, 'svg');
    for (const title of ['Unscaled, 1', 'Second minus first'])
      assert.ok(svg.includes(title), title);
    const ids = Array.from(svg.matchAll(/ id="([^"]+)"/g), ([, id]) => id);
    assert.equal(new Set(ids).size, ids.length);
    // Leaving the comparison restores the single picture.
    await choose(page, 'view', 'matrix');
    assert.equal((await exported(page, 'csv')).name, 'attention_spelling_head-2.csv');
    await page.close();
  });
});
