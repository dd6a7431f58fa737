// All-gather by messages: in each step of a run, each worker sends its columns to each other worker.

/**
 * Sends the columns of the worker `from` to the other workers of a run. posts: by worker, functions (message, transfer);
 * the last recipient gets the arrays themselves, the others copies.
 */
export function sendColumns(posts, { run, from, columns }) {
  const last = from === posts.length - 1 ? posts.length - 2 : posts.length - 1;
  posts.forEach((post, at) => {
    if (at === from) return;
    const own = at === last ? columns : columns.map((data) => data.slice());
    post(
      { run, from, columns: own },
      own.map(({ buffer }) => buffer),
    );
  });
}

// How long a worker polls for a message before it sleeps, in milliseconds. A thread that slept may wake on the core of
// the worker that woke it.
const pollingTime = 0.5;

/** What a worker received for one run. */
export class ReceivedColumns {
  #queues = []; // messages by worker
  #isDropped = false;
  #wake = () => {};

  /** Columns of a worker; no columns end the run. */
  add(from, columns) {
    if (columns) (this.#queues[from] ??= []).push(columns);
    else this.#isDropped = true;
    this.#wake();
  }

  /**
   * A promise of the next columns of a worker; rejects at the end of the run. poll: adds a message of the worker if there
   * is one; undefined where only events have messages.
   */
  async next(from, poll) {
    const isWaiting = () => !this.#isDropped && !this.#queues[from]?.length;
    const end = performance.now() + pollingTime;
    while (poll && isWaiting() && performance.now() < end) poll();
    while (isWaiting()) await new Promise((wake) => (this.#wake = () => wake(undefined)));
    if (this.#isDropped) throw new Error('the run was aborted');
    return this.#queues[from].shift();
  }
}
