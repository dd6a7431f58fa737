// Rays between the texts on the page: they meet their words on screen, on paper and in a picture file, follow the pointer and
// typing, and give way to shading, numbers and the view Lines where a text takes more than one line.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  catchFiles,
  drawn,
  exported,
  open,
  paste,
  press,
  read,
  readSentence,
  startExample,
  startPage,
} from '../../support/browser/page_driver.js';

const long = 'The old man who lived in the small house by the river had two dogs and a cat. ';

/** Words in whose middle each ray begins and ends, and whether it is the chosen word's. */
const readRays = (page) =>
  page.evaluate(() => {
    const wordAt = (id, x) =>
      Array.from(document.querySelectorAll(`#${id} [role="option"]`)).find((word) => {
        const box = word.getBoundingClientRect();
        // A word that looks at itself has a loop.
        return Math.abs(box.left + box.width / 2 - x) < 4.5;
      })?.textContent;
    const isTwo = document.querySelector('.sentences').matches('.two');
    return Array.from(
      document.querySelectorAll('path.ray'),
      (/** @type {SVGPathElement} */ ray) => {
        const place = ray.getScreenCTM();
        const [from, to] = [0, ray.getTotalLength()].map((at) =>
          ray.getPointAtLength(at).matrixTransform(place),
        );
        return {
          from: wordAt('first-words', from.x),
          to: ray.matches('.marks')
            ? 'marks'
            : wordAt(isTwo ? 'second-words' : 'first-words', to.x),
          isOwn: ray.matches('.own'),
          width: Number(ray.getAttribute('stroke-width')),
        };
      },
    );
  });
const labels = (page) => page.$$eval('text.ray', (all) => all.map((one) => one.textContent));
const isOffered = (page) =>
  page.$eval('[name="view"][value="lines"]', (one) => one.checkVisibility());

describe('rays between the texts', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');

  it('lead from each word to those it looks at, the strongest with its percent', async () => {
    const { page, said } = await open(demo.browser, demo.url, '', { folded: true });
    const rays = await readRays(page);
    const strong = rays.filter(({ width }) => width > 8);
    const pairs = strong.map(({ from, to }) => `${from} ${to}`).sort();
    assert.deepEqual(pairs, ['La The', 'devant front', 'maison house', 'rouge red', 'voiture car']);
    assert.deepEqual(
      rays.filter(({ isOwn }) => isOwn).map(({ from, to }) => [from, to]),
      [['rouge', 'red']],
    );
    assert.deepEqual(await labels(page), [(await read(page)).share]);
    // They take the place of the numbers below the words, of the explanation, and of Lines.
    const seen = await page.evaluate(() => ({
      number: getComputedStyle(document.querySelector('#second-words-1'), '::after').content,
      explains: document.querySelector('.explains').checkVisibility(),
    }));
    assert.deepEqual(seen, { number: 'none', explains: false });
    assert.equal(await isOffered(page), false);
    // The next word's, in the same task as its red.
    await press(page, 'ArrowRight');
    const own = (await readRays(page)).filter(({ isOwn }) => isOwn);
    assert.ok(own.length > 3 && own.every(({ from }) => from === 'est'), JSON.stringify(own));
    assert.deepEqual(said, []);
    await page.close();
  });

  it('follow the pointer over words and rays, and block the pressed one', async () => {
    const { page } = await open(demo.browser, demo.url, '', { folded: true });
    await page.hover('#first-words-0');
    await drawn(page);
    const own = (await readRays(page)).filter(({ isOwn }) => isOwn);
    assert.deepEqual([...new Set(own.map(({ from }) => from))], ['La']);
    await page.mouse.move(5, 5);
    const between = (one, other) =>
      page.evaluate(
        (...ids) => {
          const [a, b] = ids.map((id) => document.getElementById(id).getBoundingClientRect());
          return [(a.left + a.right + b.left + b.right) / 4, (a.top + b.bottom) / 2];
        },
        one,
        other,
      );
    const [x, y] = await between('first-words-6', 'second-words-8');
    await page.mouse.move(x, y + 4);
    await drawn(page);
    const pointed = await read(page);
    assert.deepEqual([pointed.query, pointed.key], ['maison', 'house']);
    // From a ray to a word.
    await page.hover('#first-words-1');
    await drawn(page);
    assert.equal((await read(page)).query, 'voiture');
    await page.mouse.click(x, y + 4);
    await drawn(page);
    assert.match(await page.evaluate(() => location.hash), /block=cross%3A6-8(&|$)/);
    await page.close();
  });

  it('are arcs above one text, and meet words of scripts from right to left', async () => {
    const { page } = await open(demo.browser, demo.url, '#mode=self&row=1', { folded: true });
    const arcs = await readRays(page);
    assert.ok(arcs.length > 10 && arcs.every(({ from, to }) => from && to), JSON.stringify(arcs));
    const [first, second] = ['خيط حرير على حيط خليل', 'حرير على حيط'].map(encodeURIComponent);
    await page.goto(`${demo.url}#source=ngrams&mode=cross&text=${first}&context=${second}`);
    await page.reload();
    await drawn(page);
    const rays = await readRays(page);
    assert.ok(rays.length > 5 && rays.every(({ from, to }) => from && to), JSON.stringify(rays));
    // Spelling, the reader's models and arrays keep Lines.
    assert.equal(await isOffered(page), true);
    await page.close();
  });

  it('give way to shading and Lines where a text takes more lines, and come back', async () => {
    const { page } = await open(demo.browser, demo.url, '', { folded: true });
    await paste(page, 'second', long + long);
    assert.deepEqual(await readRays(page), []);
    assert.equal(await isOffered(page), true);
    const { fills } = await readSentence(page, 'second-words');
    assert.ok(new Set(fills).size > 3);
    await startExample(page, 'Red car');
    assert.ok((await readRays(page)).length > 10);
    await page.setViewport({ width: 240, height: 844 });
    await drawn(page);
    assert.deepEqual(await readRays(page), []);
    await page.goto(`${demo.url}#mode=cross&view=lines`);
    await page.reload();
    await page.setViewport({ width: 1280, height: 900 });
    await drawn(page);
    // An address that names Lines shows it.
    assert.equal(await page.$eval('[data-view="lines"]', (one) => one.checkVisibility()), true);
    assert.equal(await isOffered(page), true);
    await page.close();
  });

  it('follow the words while a text is typed, and the font size', async () => {
    const { page } = await open(demo.browser, demo.url, '#source=ngrams&mode=self&text=tea+cups', {
      folded: true,
    });
    await page.focus('#first');
    await page.evaluate(() => document.querySelector('#first').setSelectionRange(0, 0));
    for (const letter of 'so many ') {
      await page.keyboard.type(letter);
      const rays = await readRays(page);
      assert.ok(rays.length > 0 && rays.every(({ from, to }) => from && to), letter);
    }
    await paste(page, 'first', long.trim());
    const rays = await readRays(page);
    assert.notEqual(await page.$eval('.sentences', (one) => one.dataset.size), 'huge');
    assert.ok(rays.length > 20 && rays.every(({ from, to }) => from && to));
    await page.close();
  });

  it('meet their words on paper', async () => {
    const { page } = await open(demo.browser, demo.url, '', { folded: true });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMediaType('print');
    await page.setViewport({ width: 718, height: 1000 });
    const rays = await readRays(page);
    assert.ok(rays.length > 10 && rays.every(({ from, to }) => from && to), JSON.stringify(rays));
    const { wide, text } = await page.$eval('.sentences', (one) => ({
      wide: one.getBoundingClientRect().width,
      text: parseFloat(getComputedStyle(one.querySelector('.sentence')).fontSize),
    }));
    assert.ok(wide < 700 && text > 12, `${wide}, ${text}`);
    await page.close();
  });

  it('stand above the map in a picture file', async () => {
    const { page } = await open(demo.browser, demo.url, '');
    await catchFiles(page);
    const { text } = await exported(page, 'svg');
    const file = await page.evaluate((svg) => {
      const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
      const textsOf = (of) => Array.from(parsed.querySelectorAll(of), (one) => one.textContent);
      return {
        words: textsOf('.texts > text'),
        rays: parsed.querySelectorAll('.texts > path').length,
        top: Number(parsed.querySelector('svg > svg').getAttribute('y')),
      };
    }, text);
    for (const word of ['red', 'rouge', '99.7\u00a0%']) assert.ok(file.words.includes(word), word);
    assert.equal(file.rays, (await readRays(page)).length);
    assert.ok(file.top > 100);
    await page.close();
  });
});
