// The compact page for frames: the whole matrix at 700 × 500, the numbers of its link, and the embedding code.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { headersOf } from '../../../web/policy.js';
import { listen, serve } from '../../support/js/browser.js';
import { root } from '../../support/js/package.js';
import { spell } from '../../support/js/page_numbers.js';
import { problems } from '../../support/browser/axe.js';
import { cellsOfMap } from '../../support/browser/cells_of_map.js';
import {
  catchFiles,
  choose,
  drawn,
  exported,
  open,
  read,
  startPage,
} from '../../support/browser/page_driver.js';

const { attention } = await loadAttention();
const text = 'The pink elephant tried to get into the car but it was too';
const spelled = `source=ngrams&text=${text.replaceAll(' ', '+')}&row=2&column=3`;

/** A page of another site with the frame. */
function servePageWith(body) {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><html lang="en"><title>Blog</title><p>Look:</p>${body}`);
  });
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () =>
      done({
        url: `http://127.0.0.1:${server.address().port}/`,
        close: () => {
          server.closeAllConnections();
          return new Promise((closed) => server.close(closed));
        },
      }),
    );
  });
}

const readLine = (frame) =>
  frame.evaluate(() =>
    document
      .querySelector('.readout')
      .innerText.replace(/\s+/g, ' ')
      .replace(/(?<=“) | (?=”)/g, '')
      .trim(),
  );

describe('the compact page', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');

  async function openCompact(hash, { width = 700, height = 500 } = {}) {
    const page = await demo.browser.newPage();
    const said = listen(page);
    await page.setViewport({ width, height });
    await page.goto(`${demo.url}embed.html${hash}`);
    await drawn(page);
    return { page, said };
  }

  it('shows the whole matrix at 700 × 500, with the numbers that its link says', async () => {
    const { page, said } = await openCompact(`#${spelled}&heads=2&head=1&causal=yes`);
    const truth = spell(text);
    const options = { heads: 2, scale: 2 * truth.scale, causal: true, weights: true };
    const { weights } = attention(truth.q, truth.k, truth.v, options);
    const count = truth.rows.length;
    const found = await cellsOfMap(page);
    assert.deepEqual([found.rows, found.columns], [truth.rows, truth.columns]);
    assert.equal(Object.keys(found.values).length, count * count);
    for (let at = 0; at < count * count; ++at) {
      const value = Number(found.values[`${Math.floor(at / count)},${at % count}`]);
      assert.equal(value, weights.data[count * count + at]);
    }
    const boxes = await page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement;
      const boxOf = (selector) => {
        const { left, top, right, bottom } = document
          .querySelector(selector)
          .getBoundingClientRect();
        return { left, top, right, bottom };
      };
      const names = ['h1', '.stage', 'attention-map', '.readout', '.back a'];
      return { scrollWidth, scrollHeight, boxes: names.map(boxOf) };
    });
    assert.deepEqual([boxes.scrollWidth, boxes.scrollHeight], [700, 500]);
    for (const { left, top, right, bottom } of boxes.boxes) {
      assert.ok(left >= 0 && top >= 0 && right <= 700 && bottom <= 500 && bottom > top);
    }
    assert.match(await page.$eval('h1', (one) => one.textContent), /^“The pink elephant/);
    const how = await page.$eval('.how', (one) => one.textContent);
    assert.match(how, /head 2 of 2 · weights · softmax · scale 8 · looking only backwards/);
    assert.match(
      await readLine(page),
      /^“elephant” may not look at “tried”: a mask hides it\. weight 0\.00000/,
    );
    assert.deepEqual(said, []);
    await page.close();
  });

  it('responds to pointer and keys, and links to the full page', async () => {
    const { page, said } = await openCompact(`#${spelled}`);
    assert.match(await readLine(page), /^“elephant” hardly matches “tried”/);
    await page.focus('attention-map');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await drawn(page);
    assert.match(await readLine(page), /^“tried” hardly matches “to”/);
    const line = await readLine(page);
    const { href, target } = await page.$eval('.back a', ({ href, target }) => ({
      href,
      target,
    }));
    assert.equal(target, '_blank');
    const { page: whole } = await open(demo.browser, href, '');
    const { query, key, weight } = await read(whole);
    assert.deepEqual([query, key], ['tried', 'to']);
    assert.ok(line.includes(weight), `${line}, ${weight}`);
    await whole.close();
    assert.deepEqual(said, []);
    await page.close();
  });

  it('has every view, follows its address, and names what it does not support', async () => {
    const { page, said } = await openCompact(`#${spelled}&view=table`);
    const cells = await page.$$eval('tbody td', (list) => list.length);
    assert.equal(cells, 13 * 13);
    const go = async (hash) => {
      await page.evaluate(
        (next) =>
          new Promise((done) => {
            addEventListener('hashchange', done, { once: true }); // after the page's own listener
            location.hash = next;
          }),
        hash,
      );
      await drawn(page);
      return page.evaluate(() => {
        const message = document.querySelector('.message');
        const view = document.querySelector('.view:not([hidden])');
        return message.hidden ? view.dataset.view : message.textContent;
      });
    };
    assert.equal(await go(`#${spelled}&view=lines`), 'lines');
    assert.equal(await go(`#${spelled}&view=heads&heads=4`), 'heads');
    assert.match(await go('#source=files'), /files, which stay with whoever opened them/);
    assert.match(await go('#mode=lookup'), /on the whole page/);
    assert.match(await go('#source=ngrams&text='), /no text/);
    assert.equal(await go(`#${spelled}`), 'matrix');
    assert.deepEqual(said, []);
    await page.close();
  });

  it('needs no model for the picture that the page opens with', async () => {
    const { page, said } = await openCompact('');
    const { rows } = await cellsOfMap(page);
    assert.ok(rows.includes('rouge'), `${rows}`);
    const fetched = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name: address }) => address),
    );
    assert.ok(!fetched.some((address) => /safetensors|tokenizer/.test(address)), `${fetched}`);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('works in another page with its embedding code', async () => {
    const { page } = await open(demo.browser, demo.url, `#${spelled}&heads=2`);
    await catchFiles(page);
    const { text: snippet, says } = await exported(page, 'embed');
    assert.match(says, /^The snippet is (on the clipboard|here to be copied)\.$/);
    const here = await read(page);
    const blog = await servePageWith(snippet);
    const other = await demo.browser.newPage();
    const said = listen(other);
    await other.setViewport({ width: 1000, height: 800 });
    await other.goto(blog.url);
    const frame = await other.waitForFrame((one) => one.url().startsWith(demo.url));
    await drawn(frame);
    const line = await readLine(frame);
    const shown = await page.$eval('.looking', (one) => one.textContent);
    const sentence = shown.replace(/\s/g, ' ');
    assert.ok(line.startsWith(`${sentence} `), `${line}, not ${sentence}`);
    assert.ok(line.includes(here.weight), line);
    const { title, width, height } = await other.$eval('iframe', (one) => {
      const { width, height } = one.getBoundingClientRect();
      return { title: one.title, width, height };
    });
    assert.deepEqual([title, width, height], [`Attention: “${text}”`, 700, 500]);
    assert.equal((await cellsOfMap(frame)).rows.length, 13);
    assert.deepEqual(said, []);
    await other.close();
    await blog.close();
    // Quotes and angle brackets of a text are escaped.
    await choose(page, 'view', 'lines');
    await page.evaluate(() => {
      const field = document.getElementById('first');
      field.value = '"tea" <b>&amp; cup</b>';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await drawn(page);
    const { text: quoted } = await exported(page, 'embed');
    const parsed = await page.evaluate((html) => {
      const { body } = new DOMParser().parseFromString(html, 'text/html');
      const [frame, ...others] = body.children;
      return { count: others.length, title: frame.title, hash: new URL(frame.src).hash };
    }, quoted);
    assert.equal(parsed.count, 0);
    assert.equal(parsed.title, 'Attention: “"tea" <b>&amp; cup</b>”');
    const hash = new URLSearchParams(parsed.hash.slice(1));
    assert.deepEqual([hash.get('text'), hash.get('view')], ['"tea" <b>&amp; cup</b>', 'lines']);
    await page.close();
  });

  it('computes in a sandboxed frame without an origin', async (t) => {
    const served = await serve([join(root, '.build/page')], { headers: headersOf });
    t.after(() => served.close());
    const address = `${served.url}embed.html#${spelled}`;
    const blog = await servePageWith(
      `<iframe sandbox="allow-scripts" width="700" height="500" src="${address}"></iframe>`,
    );
    t.after(() => blog.close());
    const page = await demo.browser.newPage();
    t.after(() => page.close());
    const said = listen(page);
    await page.goto(blog.url);
    const frame = await page.waitForFrame((one) => one.url().startsWith(served.url));
    await frame.waitForFunction(() => document.querySelector('attention-map'));
    await drawn(frame);
    assert.equal(await frame.evaluate(() => origin), 'null');
    assert.match(await readLine(frame), /^“elephant” hardly matches “tried”/);
    assert.equal((await cellsOfMap(frame)).rows.length, 13);
    assert.equal(await frame.$eval('h1', (one) => getComputedStyle(one).webkitLineClamp), '2');
    assert.deepEqual(said, []);
  });

  it('offers no embedding code for the reader’s files', async () => {
    const { page } = await open(demo.browser, demo.url, '#source=files&text=tea+cup');
    await catchFiles(page);
    const { says, text: copied } = await exported(page, 'embed');
    assert.match(says, /Files stay on this machine/);
    assert.equal(copied, null);
    await page.close();
  });

  it('has no axe-core violations, and fits on a phone', async () => {
    const found = {};
    for (const [what, hash] of Object.entries({
      start: '',
      lines: `#${spelled}&view=lines&heads=2`,
      heads: `#${spelled}&view=heads&heads=4`,
      table: `#${spelled}&view=table`,
      files: '#source=files',
    })) {
      for (const scheme of ['light', 'dark']) {
        const { page } = await openCompact(hash, { width: 320, height: 420 });
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        await drawn(page);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, what);
        found[`${what}, ${scheme}`] = await problems(page);
        await page.close();
      }
    }
    const bad = Object.entries(found).filter(([, list]) => list.length > 0);
    assert.deepEqual(bad, []);
  });
});
