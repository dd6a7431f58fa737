// A short soak test; `node tests/release/soak.js --calls 1000000` is the long one.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { soak } from '../support/js/soak.js';

describe('thousands of calls of all kinds', () => {
  it('leave the memory as it was, and give the bits of the first time', async (t) => {
    const { calls, refused, compared, memory, grown } = await soak(3000, { every: 37 });
    t.diagnostic(`note: ${calls} calls, ${compared} numbers, ${memory} bytes, heap ${grown}`);
    assert.ok(refused > 20);
    assert.ok(compared > 1e5);
    assert.ok(grown < 2 ** 21, `the heap grew by ${grown} bytes`);
  });
});
