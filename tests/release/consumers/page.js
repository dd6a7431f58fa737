// A web page as consumer: its script sets the promise globalThis.outcome, which is read through Chromium.

import { launch, listen, serve } from '../../support/js/browser.js';

/** A page's script: the known weights, and the pool. */
export const script = `
  import { known } from './known.js';
  import { pooled } from './pooled.js';
  const said = (promise) => promise.catch(({ message }) => message);
  globalThis.outcome = Promise.all([said(known()), said(pooled())]);
`;

export const html = (tags) =>
  `<!doctype html><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,">${tags}`;

/** @returns {Promise<string[]>} the digest, and 'same' of the pool if the page has one */
export async function visit(url) {
  const browser = await launch('chromium');
  try {
    const page = await browser.newPage();
    const said = listen(page);
    await page.goto(url, { timeout: 120_000 });
    // A development server may reload the page after it has discovered its dependencies.
    await page.waitForFunction('globalThis.outcome', { timeout: 120_000 }).catch(() => {
      throw new Error(`the page does nothing: ${said.join('; ')}`);
    });
    const outcome = await page.evaluate(() => globalThis.outcome);
    const errors = said.filter((line) => /^error|console error/.test(line));
    if (errors.length > 0) throw new Error(errors.join('; '));
    return outcome;
  } finally {
    await browser.close();
  }
}

/** A page in a folder of files. */
export async function visitFolder(folder, path = '', options = {}) {
  const server = await serve([folder], options);
  try {
    return await visit(`${server.url}${path}`);
  } finally {
    await server.close();
  }
}
