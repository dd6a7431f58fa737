// Memory of the page under random typing in all views, modes and kinds; `node tests/page/typing_soak.js` runs longer.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { launch } from '../support/js/browser.js';
import { soakPage } from '../support/browser/soak_page.js';

// Larger than what a few hundred key presses may leave, far smaller than one picture retained per key press.
const most = {
  ...{ heap: 1.5e6, arrays: 1.5e6, nodes: 3000, listeners: 200, documents: 0 },
  ...{ 'worker’s heap': 1.5e6, 'its arrays': 1.5e6, 'its wasm': 2 ** 23 },
};

/** Half of the growth if a leak occurred in every step: one-time allocations are no leak. */
function steadily(numbers) {
  const steps = numbers.slice(1).map((number, at) => number - numbers[at]);
  steps.sort((a, b) => a - b);
  return (steps[Math.floor(steps.length / 2)] * steps.length) / 2;
}

describe('memory of the page under random typing', { timeout: 300_000 }, () => {
  it('does not grow, and prints nothing', async (t) => {
    const browser = await launch('chromium');
    t.after(() => browser.close());
    const { done, samples, said } = await soakPage('chromium', browser, {
      ...{ seconds: 12, looks: 6, warm: 12 },
    });
    const grown = Object.fromEntries(
      Object.keys(samples[0]).map((what) => [what, steadily(samples.map((held) => held[what]))]),
    );
    t.diagnostic(`note: ${done.letters} letters, grown by ${JSON.stringify(grown)}`);
    assert.deepEqual(Object.keys(grown), Object.keys(most));
    for (const [what, number] of Object.entries(grown)) {
      assert.ok(number <= most[what], `${what}: ${number} more`);
    }
    assert.deepEqual(said, []);
  });
});
