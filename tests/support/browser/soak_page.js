// Soak test of the page: random typing for a given time, with memory samples in between.

import { join } from 'node:path';
import { listen, serve } from '../js/browser.js';
import { root } from '../js/package.js';
import { drawn, policy, unfold } from './page_driver.js';
import { memoryOf } from './page_memory.js';
import { atRest, createRestlessReader } from './restless_typing.js';

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

const folders = ['.build/page', 'tests/support/browser'].map((folder) => join(root, folder));

/** Serves the page with its worker started through watched_worker.js. */
async function openWatched(browser) {
  const server = await serve(folders, { headers: { 'Content-Security-Policy': policy } });
  const page = await browser.newPage();
  const said = listen(page);
  await page.evaluateOnNewDocument(() => {
    const { Worker } = globalThis;
    globalThis.Worker = class extends Worker {
      constructor(url, options) {
        super(`/watched_worker.js#${url}`, options);
      }
    };
  });
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(server.url + atRest);
  await drawn(page);
  await unfold(page);
  const close = async () => {
    await page.close();
    await server.close();
  };
  return { page, said, close };
}

/** @typedef {{ seconds: number, letters: number, held: Record<string, number> }} Sample */

/**
 * `looks`: how often it is looked into; `warm`: how much is done before. Resolves to { done, samples, grown, said }: `grown` is by how much the median of
 * the second half of the samples is above that of the first, `said` what the page has said to its console.
 */
export async function soakPage(
  name,
  browser,
  /** @type {{ seconds: number, looks?: number, warm?: number, seed?: string, report?: (sample: Sample) => void }} */
  { seconds, looks = 20, warm = 60, seed = 'soak', report = () => {} },
) {
  const { page, said, close } = await openWatched(browser);
  const reader = createRestlessReader(page, seed);
  const samples = [];
  let began = 0;
  const passed = () => (performance.now() - began) / 1000;
  // All parts of the page are loaded before the first sample.
  await reader.fillMemories();
  for (let times = 0; times < warm; times++) await reader.act();
  began = performance.now();
  for (let look = 0; look <= looks; look++) {
    while (passed() < (look * seconds) / looks) await reader.act();
    await reader.rest();
    const held = await memoryOf(name, page, browser);
    samples.push(held);
    report({ seconds: passed(), letters: reader.done.letters, held });
  }
  await close();
  const half = Math.ceil(samples.length / 2);
  const middle = (list, what) => median(list.map((held) => held[what]));
  const grown = Object.fromEntries(
    Object.keys(samples[0]).map((what) => [
      what,
      middle(samples.slice(half), what) - middle(samples.slice(0, half), what),
    ]),
  );
  return { done: reader.done, samples, grown, said };
}
