// Latency from a typed letter to the updated picture, for 32 words and 4 heads in every view:
//   node tests/bench/page_keystrokes.js [chromium] [firefox]
// On a quiet machine half of the letters are drawn within 10 ms and nine tenths within 16.
import { open, servePage } from '../support/browser/page_driver.js';
import { launch } from '../support/js/browser.js';
import { quantiles, textOf, typeLetters } from './keystrokes.js';

const text = textOf(32);
const names = process.argv.slice(2);
const server = await servePage();
for (const name of names.length > 0 ? names : ['chromium', 'firefox']) {
  const browser = await launch(name);
  for (const view of ['matrix', 'lines', 'heads', 'table']) {
    const hash = `#source=ngrams&heads=4&view=${view}&first=${encodeURIComponent(text)}`;
    const { page } = await open(browser, server.url, hash);
    const { seen, painted, whole } = await typeLetters(page, text);
    const { median, most } = quantiles(seen);
    const [screen, all] = [painted, whole].map((times) => quantiles(times).median.toFixed(0));
    console.log(
      `${name}, ${view}: drawn ${median.toFixed(1)} ms in the median, ${most.toFixed(1)} in nine tenths; ` +
        `painted by the next frame ${screen}, all else done ${all}`,
    );
    await page.close();
  }
  await browser.close();
}
await server.close();
