// Latency from a typed letter to the updated picture, for 8, 32 and 256 words and 4 heads in every view:
//   node tests/bench/page_keystrokes.js [--browser firefox] [--page FOLDER]… [--rounds N]
// `--page`: a built page, by default .build/page; several are measured in turn, N times each.
// The page is as it opens: the flow and More are closed.
// On a quiet machine half of the letters are drawn within 10 ms for 32 words, and nine tenths within 16.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { open, policy } from '../support/browser/page_driver.js';
import { launch, serve } from '../support/js/browser.js';
import { root } from '../support/js/package.js';
import { quantiles, textOf, typeLetters } from './keystrokes.js';

const { values } = parseArgs({
  options: {
    browser: { type: 'string', multiple: true, default: ['chromium'] },
    page: { type: 'string', multiple: true, default: [join(root, '.build/page')] },
    rounds: { type: 'string', default: '1' },
    words: { type: 'string', multiple: true, default: ['8', '32', '256'] },
    view: { type: 'string', multiple: true, default: ['matrix', 'lines', 'heads', 'table'] },
  },
});
const headers = { 'Content-Security-Policy': policy };
const servers = [];
for (const folder of values.page) servers.push(await serve([folder], { headers }));
for (const name of values.browser) {
  const browser = await launch(name);
  for (const words of values.words) {
    for (const view of values.view) await measure(browser, name, Number(words), view);
  }
  await browser.close();
}
for (const server of servers) await server.close();

/** Times of all letters of all rounds, by page. */
async function measure(browser, name, words, view) {
  const times = servers.map(() => ({ seen: [], painted: [], whole: [] }));
  for (let round = 0; round < Number(values.rounds); ++round) {
    for (const [at, { url }] of servers.entries()) {
      const found = await typeInto(browser, url, textOf(words), view);
      for (const [kind, list] of Object.entries(times[at])) list.push(...found[kind]);
    }
  }
  times.forEach(({ seen, painted, whole }, at) => {
    const { median, most } = quantiles(seen);
    const [screen, all] = [painted, whole].map((list) => quantiles(list).median.toFixed(0));
    console.log(
      `${name}, ${view}, ${words} words, ${values.page[at]}: drawn ${median.toFixed(1)} ms in the median, ` +
        `${most.toFixed(1)} in nine tenths; painted by the next frame ${screen}, all else done ${all}`,
    );
  });
}

async function typeInto(browser, url, text, view) {
  const hash = `#source=ngrams&heads=4&view=${view}&first=${encodeURIComponent(text)}`;
  const { page } = await open(browser, url, hash, { folded: true });
  try {
    return await typeLetters(page, text);
  } finally {
    await page.close();
  }
}
