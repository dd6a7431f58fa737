// The page's end of its worker: sends requests, remembers the newest, hands on the answers.

/**
 * `on` has a function for every type of message the worker sends. An answer to an older request is shown
 * all the same: it is on the way to the newest, and the worker will not send its picture again.
 */
export function connectWorker(on) {
  const worker = new Worker(new URL('../worker/worker.js', import.meta.url), { type: 'module' });
  let last = 0;
  let lastShow = 0;
  let lastInspect = 0;
  const waiting = { show: false, inspect: false };
  const asked = new Map(); // id → resolve, for answers to a question
  function ask(question) {
    const id = ++last;
    worker.postMessage({ ...question, id });
    return new Promise((resolve) => asked.set(id, resolve));
  }
  worker.addEventListener('message', ({ data }) => {
    if (!Object.hasOwn(on, data?.type) && !asked.has(data?.id)) {
      on.problem({ message: 'the worker sent a message that answers nothing' });
      return;
    }
    if (asked.has(data.id)) {
      asked.get(data.id)(data);
      asked.delete(data.id);
      return;
    }
    const ends = (data.type === 'shown' && data.isWhole) || data.type === 'problem';
    if (ends && data.id === lastShow) waiting.show = false;
    if (ends || data.id === lastInspect) waiting.inspect = false;
    on[data.type](data);
  });
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    on.problem({ message: event.message || 'the worker could not be started' });
  });
  return {
    show(state) {
      waiting.show = true;
      lastShow = ++last;
      worker.postMessage({ type: 'show', id: lastShow, state });
    },
    /** What is behind a weight of the picture that is shown. */
    inspect({ head, row, column }) {
      waiting.inspect = true;
      lastInspect = ++last;
      worker.postMessage({ type: 'inspect', id: lastInspect, place: { head, row, column } });
    },
    /** Returns the id that what is told of it has. */
    open(source, file) {
      worker.postMessage({ type: 'open', id: ++last, source, file });
      return last;
    },
    close(source, file) {
      worker.postMessage({ type: 'close', id: ++last, source, file });
    },
    /** Has a source keep something, or says what is kept; the answer is as to open(). */
    keep(source, what) {
      worker.postMessage({ type: 'keep', id: ++last, source, what });
      return last;
    },
    cancel(source) {
      worker.postMessage({ type: 'cancel', source });
    },
    /** Query, key, value, options and tokens of the part that is shown. */
    tensors: () => ask({ type: 'tensors' }),
    /** What the tour wants to know: { about, … }. */
    async tour(question) {
      const { answer, problem } = await ask({ ...question, type: 'tour' });
      if (problem !== undefined) throw new Error(problem);
      return answer;
    },
    /** The words that may stand where a row's tokens do, or behind them, and the text that they belong to. */
    nextWords: (token, last) => ask({ type: 'nextWords', token, last }),
    /** Whether a picture is to come; or anything. */
    isComputing: () => waiting.show,
    isWaiting: () => waiting.show || waiting.inspect,
  };
}
