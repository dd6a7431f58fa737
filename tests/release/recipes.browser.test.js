// The recipe of CONTRIBUTING for a view of the page, carried out: a component, its style and its line are written into a
// copy of the page, which is built and shows the view. Nothing else is changed.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { build } from 'vite';
import { choose, drawn, open, policy } from '../support/browser/page_driver.js';
import { launch, serve } from '../support/js/browser.js';
import { root } from '../support/js/package.js';

const component = `
import { element } from '../element.js';
import '../style/strongest.css';

/** Each row with the column that it looks at most; a click selects both. */
export function create(room, { select }) {
  const list = element('ol', { class: 'strongest' });
  room.append(list);
  return {
    show({ rows, columns, stages: { weights } }, { row: selected }) {
      const lines = rows.map(({ text }, row) => {
        const own = weights.subarray(row * columns.length, (row + 1) * columns.length);
        const column = own.indexOf(Math.max(...own));
        const click = () => select({ row, column });
        const line = element('button', { type: 'button', click }, text + ' → ' + columns[column].text);
        return element('li', row === selected ? { class: 'own' } : {}, line);
      });
      list.replaceChildren(...lines);
    },
  };
}
`;
const style = '.strongest .own { outline: 3px solid rgb(1, 2, 3); }\n';
const line = "  { name: 'strongest', title: 'Strongest', shows: 'head' },\n";

/** A copy of the page with the view, inside the checkout so that packages are found. */
async function buildWithView() {
  mkdirSync(join(root, '.build'), { recursive: true });
  const copy = mkdtempSync(join(root, '.build/recipe-'));
  const at = (...path) => join(copy, 'web/demo', ...path);
  cpSync(join(root, 'web'), join(copy, 'web'), { recursive: true });
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  writeFileSync(at('page/views/strongest_view.js'), component);
  writeFileSync(at('page/style/strongest.css'), style);
  const list = readFileSync(at('view_list.js'), 'utf8');
  writeFileSync(at('view_list.js'), list.replace('\n];', `\n${line}];`));
  await build({ configFile: join(copy, 'web/vite.config.js'), configLoader: 'native' });
  return copy;
}

describe('the recipe for a view', { timeout: 300_000 }, () => {
  let [copy, server, browser] = [];

  before(async () => {
    copy = await buildWithView();
    const headers = { 'Content-Security-Policy': policy };
    server = await serve([join(copy, '.build/page')], { headers });
    browser = await launch('chromium');
  });
  after(async () => {
    await browser?.close();
    await server?.close();
    if (copy) rmSync(copy, { recursive: true });
  });

  const spelled = '#source=ngrams&text=tea+for+team&hideSpecial=no';
  const seen = (page) =>
    page.evaluate(() => {
      const room = document.querySelector('.view:not([hidden])');
      const own = room.querySelector('.own');
      return {
        view: room.dataset.view,
        lines: Array.from(room.querySelectorAll('li'), (one) => one.textContent),
        own: own && [own.textContent, getComputedStyle(own).outlineColor],
      };
    });
  const expected = (own) => ({
    view: 'strongest',
    lines: ['tea → tea', 'for → for', 'team → team'],
    own: [own, 'rgb(1, 2, 3)'],
  });

  it('gives it an entry of the menu, a room, its style, and the selection', async () => {
    const { page, said } = await open(browser, server.url, `${spelled}&row=1`);
    const menu = await page.$$eval('.views span', (all) => all.map((one) => one.textContent));
    assert.deepEqual(menu, ['Matrix', 'Lines', 'Heads', 'Compare', 'Strongest']);
    await choose(page, 'view', 'strongest');
    assert.deepEqual(await seen(page), expected('for → for'));
    await page.evaluate(() => document.querySelector('.strongest li:last-child button').click());
    await drawn(page);
    assert.deepEqual(await seen(page), expected('team → team'));
    assert.match(await page.evaluate(() => location.hash), /view=strongest/);
    assert.deepEqual(said, []);
    await page.close();
  });

  it('gives it an address', async () => {
    const { page, said } = await open(browser, server.url, `${spelled}&row=0&view=strongest`);
    assert.deepEqual(await seen(page), expected('tea → tea'));
    assert.deepEqual(said, []);
    await page.close();
  });
});
