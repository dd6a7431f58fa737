// Scheduling: after the next paint, at the end of the task, or after a module is loaded.

const maxPaintDelay = 300; // ms; a page in the background does not paint

/** Resolves after the next paint. */
export const painted = () =>
  new Promise((resolve) => {
    const waiting = setTimeout(resolve, maxPaintDelay);
    requestAnimationFrame(() => {
      clearTimeout(waiting);
      setTimeout(resolve);
    });
  });

/** Work after the next paint, once for any number of requests. */
export function createAfterPaint(work) {
  let isDue = false;
  function now() {
    if (!isDue) return;
    isDue = false;
    work();
  }
  return {
    now,
    isDue: () => isDue,
    ask() {
      if (isDue) return;
      isDue = true;
      painted().then(now);
    },
  };
}

/** Runs `work()` every so many milliseconds, until it is stopped. */
export function createTicker(work) {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  function stop() {
    clearInterval(timer);
    timer = undefined;
  }
  return {
    isRunning: () => timer !== undefined,
    start(pace) {
      stop();
      timer = setInterval(work, pace);
    },
    stop,
  };
}

/**
 * Returns a function that runs `work()` once at the end of the task. For work that measures layout: measuring between
 * two changes would cause a layout each time.
 */
export function afterWriting(work) {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      work();
    });
  };
}

export const retryAfter = 3000; // ms

/**
 * Something loaded once, after the next paint, and again after a failure: `get()` returns it, null until it has come; `come(wait)`
 * resolves when it is there, and calls `wait(promise)` while it is loaded.
 * @template Loaded
 * @param {() => Promise<Loaded>} load
 */
export function createLoaded(load) {
  /** @type {Loaded | null} */
  let loaded = null;
  /** @type {Promise<void> | null} */
  let coming = null;

  /** @param {<T>(promise: Promise<T>) => Promise<T>} wait */
  async function fetch(wait) {
    try {
      // It is there before the page waits no more.
      await wait(
        painted()
          .then(load)
          .then((it) => (loaded = it)),
      );
    } catch {
      // Loading may succeed later, for instance when the network is back.
      await new Promise((resolve) => setTimeout(resolve, retryAfter));
      await fetch(wait);
    }
  }

  return {
    get: () => loaded,
    come: (/** @type {Parameters<typeof fetch>[0]} */ wait) => (coming ??= fetch(wait)),
  };
}

/** Marks the page as waiting; `changed()` is called when a module has come. */
export function createPending(changed) {
  const main = /** @type {HTMLElement} */ (document.querySelector('main'));
  let fetching = 0; // count of modules being loaded
  let isAwaiting = true;
  const mark = () => (main.dataset.waiting = String(fetching > 0 || isAwaiting));
  return {
    /** Resolves with the module, or what else the page waits for. */
    async wait(promise) {
      ++fetching;
      mark();
      try {
        return await promise;
      } finally {
        --fetching;
        queueMicrotask(changed);
      }
    },
    show(isNow) {
      isAwaiting = isNow;
      mark();
    },
  };
}
