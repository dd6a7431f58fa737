// Pictures a second while the page's mode Learn trains, and seconds until all test rows are right:
//   node tests/bench/learn_pictures.js [--seeds 10] [--task reverse]
// For one core, start it with `taskset -c 0`: browser, page and worker then share it.
import { parseArgs } from 'node:util';
import { open, servePage } from '../support/browser/page_driver.js';
import { launch } from '../support/js/browser.js';

const {
  values: { seeds, task },
} = parseArgs({
  options: {
    seeds: { type: 'string', default: '10' },
    task: { type: 'string', default: 'reverse' },
  },
});

/** Trains until the page stops: times of pictures in ms since Play, and the line of numbers at the end. */
const train = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const count = document.querySelector('.learn-count');
        const play = document.querySelector('#learn-play');
        const times = [];
        let start = 0;
        const observer = new MutationObserver(() =>
          // The frame after next: the one with these numbers has been painted.
          requestAnimationFrame(() => requestAnimationFrame(drawn)),
        );
        function drawn() {
          times.push(performance.now() - start);
          if (play.textContent !== 'Play') return;
          observer.disconnect();
          resolve({ times, count: count.textContent });
        }
        observer.observe(count, { childList: true, characterData: true, subtree: true });
        start = performance.now();
        play.click();
      }),
  );

const server = await servePage();
const browser = await launch('chromium');
for (let seed = 1; seed <= Number(seeds); seed++) {
  const hash = `#mode=learn&learn=${encodeURIComponent(`${task} seed ${seed}`)}`;
  const { page } = await open(browser, server.url, hash);
  await page.waitForFunction(() => document.querySelector('.learn-count')?.textContent !== '');
  const { times, count } = await train(page);
  const gaps = times
    .slice(1)
    .map((time, at) => time - times[at])
    .sort((a, b) => a - b);
  const seconds = times.at(-1) / 1000;
  console.log(
    `seed ${seed}: ${(times.length / seconds).toFixed(1)} pictures a second, ` +
      `median gap ${gaps[gaps.length >> 1].toFixed(0)} ms, ${seconds.toFixed(1)} s; ${count}`,
  );
  await page.close();
}
await browser.close();
await server.close();
