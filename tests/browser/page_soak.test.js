// The page typed at for a while in all views, modes and kinds; `node tests/browser/typing_soak.js` does so for minutes.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { launch } from '../support/js/browser.js';
import { soakPage } from './soak_page.js';

// More than a restless reader's few hundred letters may leave, far less than a picture left behind with each of them.
const most = {
  ...{ heap: 1.5e6, arrays: 1.5e6, nodes: 3000, listeners: 200, documents: 0 },
  ...{ 'worker’s heap': 1.5e6, 'its arrays': 1.5e6, 'its wasm': 2 ** 23 },
};

describe('a page that is typed at', { timeout: 300_000 }, () => {
  it('holds at the end what it held before, and says nothing', async (t) => {
    const browser = await launch('chromium');
    t.after(() => browser.close());
    const { done, grown, said } = await soakPage('chromium', browser, {
      ...{ seconds: 12, looks: 4, warm: 12 },
    });
    t.diagnostic(`note: ${done.letters} letters, grown by ${JSON.stringify(grown)}`);
    assert.deepEqual(Object.keys(grown), Object.keys(most));
    for (const [what, number] of Object.entries(grown)) {
      assert.ok(number <= most[what], `${what}: ${number} more`);
    }
    assert.deepEqual(said, []);
  });
});
