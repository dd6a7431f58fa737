// The pace of training while it is watched, by a clock of the test.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPace, stepsPerSecond } from '../../../web/demo/worker/learn/pace.js';

/** Milliseconds that so many steps take on a machine that needs `cost` for each. */
function timeOf(steps, cost, { speed = 1 } = {}) {
  let time = 1000;
  const pace = createPace(time);
  pace.setSpeed(speed);
  for (let step = 0; step < steps; step++) {
    time += Math.max(0, pace.wait(time)) + cost;
    pace.done(time);
  }
  return time - 1000;
}

const isNear = (time, expected) => Math.abs(time - expected) < 0.01 * expected;

describe('the pace of training', () => {
  it('lets the first run of 340 steps take 8 to 10 s on any fast machine', () => {
    for (const cost of [0.5, 2, 10, 20]) {
      const time = timeOf(340, cost);
      assert.ok(time > 8000 && time < 10_000, `${cost}: ${time}`);
    }
  });

  it('is twice as fast on request', () => {
    assert.ok(isNear(timeOf(340, 2, { speed: 2 }), timeOf(340, 2) / 2));
  });

  it('is that of the machine where it is slower', () => {
    assert.ok(isNear(timeOf(340, 60), 340 * 60));
  });

  it('makes up for a short delay only', () => {
    const pace = createPace(0);
    pace.done(5000); // the first step took 5 s
    let hurried = 0;
    while (pace.wait(5000) <= 0) {
      pace.done(5000);
      hurried++;
    }
    assert.ok(hurried <= stepsPerSecond / 10, `${hurried}`);
  });
});
