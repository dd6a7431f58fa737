// The time of attention as the tour measures it, with a clock that stands still: it ends, and has a number.

import assert from 'node:assert/strict';
import { it, mock } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { measureCosts } from '../../../web/demo/worker/compute/costs.js';

const api = await loadAttention();

it('measures a call', () => {
  const { softmax, linear } = measureCosts(api, { length: 64, dim: 64 });
  for (const time of [softmax, linear]) assert.ok(time > 1e-4 && time < 1000, `${time} ms`);
});

it('ends where the clock stands still', () => {
  const clock = mock.method(performance, 'now', () => 7);
  try {
    const { softmax, linear } = measureCosts(api, { length: 256, dim: 64 });
    for (const time of [softmax, linear]) assert.ok(time > 0 && time < 1, `${time} ms`);
  } finally {
    clock.mock.restore();
  }
});
