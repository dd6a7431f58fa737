// A part of the page that is fetched when it is first to show something, once the picture has been painted.

import { painted } from './painted.js';

export const retryAfter = 3000; // ms

/** `create()` resolves to { show(…) }; `wait(promise)` is told what is on its way. */
export function createLater(create, wait) {
  let part = null;
  let isComing = false;
  let asked = []; // what it is to show

  async function fetch() {
    isComing = true;
    try {
      part = await wait(painted().then(create));
      part.show(...asked);
    } catch {
      // Without a network it may come later.
      setTimeout(() => (isComing = false), retryAfter);
    }
  }

  return {
    show(...what) {
      asked = what;
      if (part) part.show(...what);
      else if (!isComing) fetch();
    },
  };
}
