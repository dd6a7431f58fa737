// Records what a person gets from the page at random addresses, and compares two recordings: the proof that a change of
// the page's code changed nothing that is seen.
//   node tests/release/page_record.js write FILE [--build FOLDER] [--count N] [--seed S] [--only INDEX]…
//   node tests/release/page_record.js compare BEFORE AFTER
// write: opens N addresses (default 300) drawn over all fields of the state, some with an own model or own arrays; does
// three random actions at each; and writes to FILE the accessibility tree, sentence and address after each, then the
// exported CSV and JSON, the stops of the Tab key, and where Back leads. --build: a built page, by default .build/page,
// also one of another checkout; --only: this address alone. compare: prints the differences in the addresses that both
// have; exit code 1 if there are any. Left out: what plays, saves or fills the screen, the tour's step that measures
// time, embedded pages.

import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { actAtRandom, openGiven } from '../support/browser/random_actions.js';
import { drawn, open, policy } from '../support/browser/page_driver.js';
import {
  countEntries,
  recordBack,
  recordExports,
  recordPage,
  recordStops,
} from '../support/browser/recorded_page.js';
import { settled, watchWork } from '../support/browser/settled_page.js';
import { launch, serve } from '../support/js/browser.js';
import { compareRecords } from '../support/js/compare_records.js';
import { root } from '../support/js/package.js';
import { randomAddress } from '../support/js/random_addresses.js';
import { seeded } from '../support/js/random_tensors.js';

const browsers = 2; // each has one page in front, which paints
const actions = 3;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    build: { type: 'string', default: join(root, '.build/page') },
    count: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true, default: [] },
  },
});
function compare(names) {
  const [before, after] = names.map((name) => JSON.parse(readFileSync(name, 'utf8')));
  const { common, count, lines } = compareRecords(before, after);
  for (const line of lines) console.log(line);
  console.log(`${count} of ${common} addresses differ.`);
  process.exitCode = count > 0 ? 1 : 0;
}

async function write(file, { build, count, seed, only }) {
  const server = await serve([resolve(build)], {
    headers: { 'Content-Security-Policy': policy },
    maxAge: 3600,
  });
  const all = Array.from({ length: Number(count) }, (_, index) => index);
  const indices = only.length > 0 ? only.map(Number) : all;
  const pages = [];
  let next = 0;
  async function work() {
    const browser = await launch('chromium');
    try {
      while (next < indices.length) {
        const at = next++;
        pages[at] = await recordAddress(browser, server.url, seed, indices[at]);
        if (next % 10 === 0) console.log(`${next} of ${indices.length}`);
      }
    } finally {
      await browser.close();
    }
  }
  try {
    await Promise.all(Array.from({ length: browsers }, work));
  } finally {
    await server.close();
  }
  writeFileSync(file, JSON.stringify({ seed, pages }, null, 1));
  const failed = pages.filter((one) => one.failed !== undefined);
  for (const one of failed) console.log(`${one.address}\n  ${one.failed}`);
  console.log(`${pages.length} addresses are in ${file}; ${failed.length} could not be recorded.`);
}

/** A page of a browser that is prepared before its scripts run. */
const preparing = (browser) => ({
  async newPage() {
    const page = await browser.newPage();
    await watchWork(page);
    // The storage of another address.
    await page.evaluateOnNewDocument(() => localStorage.clear());
    await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
    return page;
  },
});

async function recordAddress(browser, url, seed, index) {
  const { hash, opens } = randomAddress(seed, index);
  const record = { index, address: hash, opens: opens?.model ?? opens?.file };
  // Another document for each: the same one would keep its state.
  const { page, said } = await open(preparing(browser), `${url}?${index}`, hash, { folded: true });
  try {
    const session = await page.createCDPSession();
    await settled(page);
    const entries = await countEntries(page);
    const steps = [{ did: 'open', ...(await recordPage(page, session)) }];
    if (opens)
      steps.push({ did: await openGiven(page, opens), ...(await recordPage(page, session)) });
    for (let action = 0; action < actions; ++action) {
      const random = seeded(`${seed} ${index} action ${action}`);
      const did = await actAtRandom(page, random);
      steps.push({ did, ...(await recordPage(page, session)) });
    }
    await drawn(page);
    const exports = await recordExports(page);
    const stops = await recordStops(page, session);
    const back = await recordBack(page, entries);
    return { ...record, steps, exports, stops, back, says: said };
  } catch (error) {
    return { ...record, failed: String(error) };
  } finally {
    await page.close();
  }
}

const [what, ...files] = positionals;
if (what === 'write' && files.length === 1) await write(files[0], values);
else if (what === 'compare' && files.length === 2) compare(files);
else {
  console.error('write FILE [--build FOLDER] [--count N] [--seed S], or compare BEFORE AFTER');
  process.exitCode = 2;
}
