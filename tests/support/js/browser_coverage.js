// V8's counts of web/built and web/lib in Chromium, written to the folder of NODE_V8_COVERAGE beside those of Node.js.
// Counts of a page are taken before it navigates or is closed.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { root } from './package.js';

let written = 0;

/** Counts of the scripts served from the repository, with file URLs. */
function ofFiles(scripts) {
  return scripts.flatMap(({ url, ...rest }) => {
    const path = URL.canParse(url) ? join(root, new URL(url).pathname) : '';
    const isOurs = /\/web\/(built|lib)\/.*\.js$/.test(path) && existsSync(path);
    return isOurs ? [{ ...rest, url: pathToFileURL(path).href }] : [];
  });
}

function write(folder, scripts) {
  const result = ofFiles(scripts);
  if (result.length === 0) return;
  const name = `coverage-browser-${process.pid}-${written++}.json`;
  writeFileSync(join(folder, name), JSON.stringify({ result }));
}

/** Starts counting; returns a function that writes the counts since its last call. */
async function count(session, folder) {
  await session.send('Profiler.enable');
  await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return async () => write(folder, (await session.send('Profiler.takePreciseCoverage')).result);
}

async function countPage(page, folder) {
  const counters = [await count(await page.createCDPSession(), folder)];
  page.on('workercreated', ({ client }) =>
    count(client, folder).then(
      (take) => counters.push(take),
      () => {}, // The worker has ended already.
    ),
  );
  // Fails for a worker that has ended.
  const take = () => Promise.allSettled(counters.map((one) => one()));
  for (const name of ['goto', 'reload', 'close']) {
    const act = page[name].bind(page);
    page[name] = async (...given) => {
      await take();
      return act(...given);
    };
  }
  return take;
}

/** Makes a browser write the counts of its pages to a folder. */
export function countBrowser(browser, folder) {
  const pages = [];
  const newPage = browser.newPage.bind(browser);
  browser.newPage = async (...given) => {
    const page = await newPage(...given);
    pages.push(await countPage(page, folder));
    return page;
  };
  const close = browser.close.bind(browser);
  browser.close = async () => {
    await Promise.all(pages.map((take) => take()));
    return close();
  };
  return browser;
}
