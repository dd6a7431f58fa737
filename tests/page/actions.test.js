// Actions of readers in views: the pointer is in the store before the next action.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createActions } from '../../web/demo/page/actions.js';

/** A store that records its changes, and frames that the test draws. */
function startActions() {
  const frames = new Map();
  let last = 0;
  globalThis.requestAnimationFrame = (draw) => (frames.set(++last, draw), last);
  globalThis.cancelAnimationFrame = (frame) => frames.delete(frame);
  const changes = [];
  const act = createActions({ update: ({ name }, what) => changes.push([name, what]) });
  return {
    act,
    changes,
    paint() {
      const due = [...frames.values()];
      frames.clear();
      for (const draw of due) draw();
    },
  };
}

describe('actions', () => {
  it('hover once a frame, at the latest place', () => {
    const { act, changes, paint } = startActions();
    act.hover({ row: 1 });
    act.hover({ row: 2 });
    assert.deepEqual(changes, []);
    paint();
    act.hover(null);
    paint();
    paint();
    assert.deepEqual(changes, [
      ['point', { row: 2 }],
      ['point', null],
    ]);
  });

  it('of another kind come after the pointer, and no frame brings it back', () => {
    const { act, changes, paint } = startActions();
    act.hover({ row: 3 });
    act.read(3);
    paint();
    assert.deepEqual(changes, [
      ['point', { row: 3 }],
      ['read', 3],
    ]);
  });
});
