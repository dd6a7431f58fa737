// Waits until a page has nothing left to do: for states, never for time. Its short timers run at once when all else is
// done.

const shortTimers = 1000; // ms; longer ones only watch the worker or clean up
const maxFrames = 3600;

/** Counts what the page asks of its workers and has no answer to, and holds its timers; runs before the page's scripts. */
function watch(limit) {
  const timers = new Map(); // id → work
  const [setTimer, clearTimer] = [setTimeout, clearTimeout];
  Object.assign(globalThis, {
    setTimeout(work, delay = 0, ...given) {
      // Timers that are due at once, after a paint, and those that only clean up, have their own time.
      if (delay < 100 || delay >= limit) return setTimer(work, delay, ...given);
      const id = setTimer(() => {}, 2 ** 31 - 1); // an id of its own
      timers.set(id, () => work(...given));
      return id;
    },
    clearTimeout(id) {
      timers.delete(id);
      clearTimer(id);
    },
  });

  const due = new Set(); // ids of questions
  let sweep = 0; // id of the latest
  let order = 0; // latest order to the worker that trains
  let drawn = 0; // order of its latest picture
  const heard = new WeakSet();
  function hear({ data }) {
    const { id, type } = Object(data);
    if (type === 'picture' || type === 'stopped') drawn = Math.max(drawn, data.order ?? 0);
    const isEnd = type !== 'swept' || data.isDone || data.why || data.problem;
    if (id !== undefined && type !== 'progress' && isEnd) due.delete(id);
  }
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function postMessage(message, ...rest) {
    const { id, type, question } = Object(message);
    if (!heard.has(this)) this.addEventListener('message', hear);
    heard.add(this);
    if (type === 'sweep') {
      due.delete(sweep);
      sweep = id;
    }
    // The page itself says when it waits for a picture, and an older sweep has no end.
    const isCounted = !['show', 'inspect'].includes(type) && (type !== 'sweep' || question);
    if (id !== undefined && isCounted) due.add(id);
    if (Object(message).order !== undefined && type !== 'pause') ({ order } = message);
    Reflect.apply(post, this, [message, ...rest]);
  };

  const nextFrame = () => new Promise((done) => requestAnimationFrame(done));
  const isBusy = () => {
    const rooms = Array.from(document.querySelectorAll('main, .tour:not([hidden])'));
    const isWaiting = rooms.some((room) => room.getAttribute('data-waiting') === 'true');
    return isWaiting || due.size > 0 || drawn < order;
  };

  /** Resolves when nothing is due, nothing changes for three frames, and no timer is held. */
  globalThis.settled = async function settled(maxFrames) {
    let changes = 0;
    const observer = new MutationObserver(() => ++changes);
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    observer.observe(document, all);
    let quiet = 0;
    for (let frame = 0; frame < maxFrames; ++frame) {
      await nextFrame();
      await new Promise((done) => setTimer(done));
      quiet = isBusy() || changes > 0 ? 0 : quiet + 1;
      changes = 0;
      if (quiet < 3) continue;
      if (timers.size === 0) {
        observer.disconnect();
        return;
      }
      const works = [...timers.values()];
      timers.clear();
      for (const work of works) work();
      quiet = 0;
    }
    throw new Error(`the page is not at rest: ${due.size} questions, ${timers.size} timers`);
  };
}

/** Call before the page is opened. */
export const watchWork = (page) => page.evaluateOnNewDocument(watch, shortTimers);

/** Waits until a page that was prepared by watchWork() is at rest. */
export const settled = (page) => page.evaluate((most) => globalThis.settled(most), maxFrames);
