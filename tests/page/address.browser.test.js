// Addresses of the first version open what they opened then, also in embedded pages.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listen } from '../support/js/browser.js';
import { embeddedAddresses, pageAddresses } from '../support/js/page_addresses.js';
import { drawn, startPage } from '../support/browser/page_driver.js';

/** Name of what is visible in the place of the picture: a view, a mode or the tour. */
const visibleOn = (page) =>
  page.evaluate(() => {
    const isSeen = (one) => one?.checkVisibility() === true;
    if (isSeen(document.querySelector('.tour'))) return 'tour';
    if (isSeen(document.querySelector('.learn-room'))) return 'learn';
    return Array.from(document.querySelectorAll('[data-view]'))
      .filter((one) => isSeen(one) && one.childElementCount > 0)
      .map((one) => one.dataset.view)
      .join();
  });

const fieldsOn = (page) =>
  page.evaluate(() =>
    ['first', 'second']
      .map((id) => document.getElementById(id))
      .filter((one) => one.checkVisibility())
      .map((one) => one.value),
  );

describe('an address of the first version', { timeout: 300_000 }, () => {
  const demo = startPage('chromium');

  async function openAll(file, addresses, check) {
    const page = await demo.browser.newPage();
    const said = listen(page);
    await page.evaluateOnNewDocument(() => delete Navigator.prototype.serviceWorker);
    for (const one of addresses) {
      await page.goto('about:blank');
      await page.goto(demo.url + file + one.address);
      await drawn(page);
      assert.equal(await visibleOn(page), one.visible, `${file}${one.address}`);
      await check?.(page, one);
    }
    assert.deepEqual(said, []);
    await page.close();
  }

  it('opens its view, mode or step, with its texts', () =>
    openAll('', pageAddresses, async (page, { address, fields }) => {
      assert.deepEqual(await fieldsOn(page), fields, address);
    }));

  it('opens its view in an embedded page', () => openAll('embed.html', embeddedAddresses));
});
