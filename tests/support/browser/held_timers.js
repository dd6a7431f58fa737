// Timers of a page that run when a test says so, not when time has passed.

function hold(delays) {
  const held = (globalThis.heldTimers = new Map()); // what they do, by their ids
  for (const kind of ['Timeout', 'Interval']) {
    const [set, clear] = [`set${kind}`, `clear${kind}`].map((name) => globalThis[name]);
    globalThis[`set${kind}`] = (work, delay, ...given) => {
      if (!delays.includes(delay)) return set(work, delay, ...given);
      const id = set(() => {}, 2 ** 31 - 1); // an id of its own
      held.set(id, () => {
        if (kind === 'Timeout') held.delete(id);
        work(...given);
      });
      return id;
    };
    globalThis[`clear${kind}`] = (id) => {
      held.delete(id);
      clear(id);
    };
  }
}

/** Holds the timers and intervals of these delays, in ms, that the page sets from now on. */
export const holdTimers = (page, ...delays) => page.evaluate(hold, delays);

/** The same in a page that is about to be opened. */
export const holdTimersFromTheStart = (page, ...delays) => page.evaluateOnNewDocument(hold, delays);

/** Waits until the page has set such a timer. */
export const untilHeld = (page) => page.waitForFunction(() => globalThis.heldTimers.size > 0);

/** Number of timers that are set and held. */
export const countHeld = (page) => page.evaluate(() => globalThis.heldTimers.size);

/** Runs each held timer once, as if its time had passed; those that they set are held. */
export const runHeld = (page) =>
  page.evaluate(() => [...globalThis.heldTimers.values()].map((run) => run()).length);
