// A worker that starts from its file or, if that fails, from its code: a bundler may omit or empty the file, a server
// may answer its address with a page, and a page cannot start a worker from another origin.
import { messageOf } from '../arguments/message_of.js';
import { describe } from '../arguments/describe.js';
import { isGreeting } from './answers.js';
import { listen } from './worker_client.js';

// A started worker posts a greeting. After this time without one (an empty file, a slow network) a second worker starts
// from the code; the first to greet is used.
const greetingSeconds = 5;

const advice =
  "serve the package's file, allow `worker-src blob:` in the Content-Security-Policy, or make workers yourself " +
  "that import 'attention-wasm/pool-worker': loadAttentionPool({ createWorker: () => new Worker(…) })";

/** createWorker() for a pool; fromFile returns a worker, fromCode a promise of one. */
export function createFromEither({ fromFile, fromCode }) {
  let isFileUnusable = false;
  return () =>
    new FallbackWorker(isFileUnusable ? undefined : fromFile, fromCode, () => {
      isFileUnusable = true;
    });
}

export class FallbackWorker {
  #fromCode;
  #onFileUnusable;
  /** @type {{ message: (data: unknown) => void, error: (error: Error) => void }} */
  #listeners = { message() {}, error() {} };
  #starting = new Map(); // workers without a greeting, by the name of their source
  #problems = [];
  #worker; // the one that greeted first
  #queue = []; // messages posted before a worker started
  #isTerminated = false;
  #greetingTimer;

  constructor(fromFile, fromCode, onFileUnusable) {
    this.#fromCode = fromCode;
    this.#onFileUnusable = onFileUnusable;
    if (!fromFile) {
      this.#tryCode();
      return;
    }
    const failed = (problem) => this.#failed('its file', problem);
    this.#greetingTimer = setTimeout(() => this.#tryCode(), greetingSeconds * 1000);
    try {
      this.#await('its file', fromFile(), failed);
    } catch (error) {
      failed(messageOf(error));
    }
  }

  /** The interface of Node.js's workers; a later listener replaces an earlier one. */
  on(event, listener) {
    this.#listeners[event] = listener;
  }

  postMessage(...message) {
    if (this.#worker) this.#worker.postMessage(...message);
    else this.#queue.push(message);
  }

  ref() {
    this.#worker?.ref?.();
  }

  unref() {
    this.#worker?.unref?.();
  }

  terminate() {
    this.#isTerminated = true;
    clearTimeout(this.#greetingTimer);
    const workers = [...this.#starting.values(), this.#worker].filter(Boolean);
    this.#starting.clear();
    return Promise.all(workers.map((worker) => worker.terminate()));
  }

  async #tryCode() {
    clearTimeout(this.#greetingTimer);
    const fromCode = this.#fromCode;
    if (!fromCode || this.#worker || this.#isTerminated) return;
    this.#fromCode = undefined;
    this.#starting.set('its code', undefined);
    const failed = (problem) => this.#failed('its code', problem);
    try {
      const worker = await fromCode();
      if (this.#starting.has('its code')) this.#await('its code', worker, failed);
      else worker.terminate();
    } catch (error) {
      failed(messageOf(error));
    }
  }

  /** Waits for the greeting of a worker. */
  #await(source, worker, failed) {
    this.#starting.set(source, worker);
    listen(worker, {
      message: (data) => {
        if (worker === this.#worker) this.#listeners.message(data);
        else if (this.#starting.get(source) !== worker) return;
        else if (isGreeting(data)) this.#take(source, worker);
        else failed(`it began with ${describe(data)}`);
      },
      death: (reason) => {
        if (worker === this.#worker) this.#listeners.error(new Error(reason));
        else if (this.#starting.get(source) === worker) failed(reason);
      },
    });
  }

  #take(source, worker) {
    this.#worker = worker;
    if (this.#problems.length > 0) this.#onFileUnusable();
    clearTimeout(this.#greetingTimer);
    this.#starting.delete(source);
    for (const late of this.#starting.values()) late?.terminate();
    this.#starting.clear();
    for (const message of this.#queue.splice(0)) worker.postMessage(...message);
  }

  #failed(source, problem) {
    if (this.#isTerminated || this.#worker) return;
    this.#starting.get(source)?.terminate();
    this.#starting.delete(source);
    this.#problems.push(`from ${source}: ${problem}`);
    this.#tryCode();
    if (this.#starting.size > 0) return;
    const problems = this.#problems.join('; ');
    this.#listeners.error(new Error(`it could not be started (${problems}): ${advice}`));
  }
}
