// Latency of a blocked link in the page, for a sentence of 12 words: from the click to the picture with the new weights,
// and to the translation that is searched anew:
//   taskset -c 0 node tests/bench/page_blocks.js
// The browser then has one core. Processor time (Linux) is that of all its processes; with one core and nothing else to
// run, the clock shows the same: 87 and 196 ms in the median.
import { open, servePage } from '../support/browser/page_driver.js';
import { launch } from '../support/js/browser.js';
import { quantiles } from './keystrokes.js';
import { processorTime } from './processor_time.js';

const english = 'My uncle made tea for his friends because they were very cold.';
const links = 24;
const warmUps = 3; // the first loads code

/** Defines `steps` in the page: each resolves to the time by the clock when its change is seen. */
function defineSteps() {
  const main = document.querySelector('main');
  const find = (selector) => document.querySelector(selector);
  const map = find('.matrix-view attention-map');
  let look = () => {}; // called after each drawing or change of the page
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function write(...what) {
    fillText.apply(this, what);
    look();
  };
  const all = { subtree: true, childList: true, characterData: true, attributes: true };
  new MutationObserver(() => look()).observe(main, all);
  const until = (isTrue) =>
    new Promise((done) => {
      look = () => {
        if (!isTrue()) return;
        look = () => {};
        done(performance.now());
      };
      look();
    });
  const isIdle = () => main.dataset.waiting === 'false';
  const rest = () =>
    new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  let cell = 0;
  globalThis.steps = {
    /** Selects a row and the column that it attends to most, later the columns next to it. */
    async select(n) {
      const [{ length: rows }, { length: columns }] = [map.rowLabels, map.columnLabels];
      const row = n % rows;
      const weights = map.weights.data.slice(row * columns, (row + 1) * columns);
      const largest = weights.indexOf(Math.max(...weights));
      const column = (largest + Math.floor(n / rows)) % columns;
      cell = row * columns + column;
      map.dispatchEvent(new CustomEvent('select', { detail: { row, column } }));
      await until(isIdle);
      await rest();
    },
    async block() {
      const since = performance.now();
      find('.block-it button').click();
      return [since, await until(() => map.unseen?.[cell] === 2)];
    },
    written: () => until(() => isIdle() && find('.what-if .now').textContent !== ''),
    async undo() {
      find('.what-if li button').click();
      await until(() => isIdle() && find('.what-if').hidden);
      await rest();
    },
  };
}

const server = await servePage();
const browser = await launch('chromium');
const hash = `#mode=cross&text=${encodeURIComponent(english)}&hideSpecial=no&merge=no`;
const { page } = await open(browser, server.url, hash, { folded: true });
await page.waitForSelector('.block-it button:not([disabled])', { timeout: 60_000 });
await page.evaluate(defineSteps);
const step = (name, n) => page.evaluate((one, given) => globalThis.steps[one](given), name, n);
const processor = () => processorTime(browser.process().pid);
const times = [];
for (let n = 0; n < links; ++n) {
  await step('select', n);
  const before = processor();
  const [since, drawn] = await step('block');
  const drawnBy = processor();
  const written = await step('written');
  times.push({
    'picture, processor': drawnBy - before,
    'picture, clock': drawn - since,
    'translation, processor': processor() - before,
    'translation, clock': written - since,
  });
  await step('undo');
}
for (const what of Object.keys(times[0])) {
  const all = times.slice(warmUps).map((one) => one[what]);
  const { median, most } = quantiles(all);
  const [first, least] = [times[0][what], Math.min(...all)].map((time) => time.toFixed(0));
  console.log(
    `${what}: ${least} ms at best, ${median.toFixed(0)} in the median, ${most.toFixed(0)} in nine tenths; the first ${first}`,
  );
}
await browser.close();
await server.close();
