// A worker that is made from its file or, where that cannot be, from its code: a bundler may have left the
// file behind, emptied it, or have another page answer for it, and no page may start one of another origin.
import { describe } from '../arguments/describe.js';
import { isGreeting } from './answers.js';
import { listen } from './listen.js';

// A worker that has started says so. One that does not for so long may be an empty file, or on a slow
// network: it is waited for still, beside one from the code.
const patienceSeconds = 5;

const advice =
  "serve the package's file, allow `worker-src blob:` in the Content-Security-Policy, or make workers yourself " +
  "that import 'attention-wasm/pool-worker': loadAttentionPool({ createWorker: () => new Worker(…) })";

/** createWorker() for a pool; fromFile makes a worker, fromCode promises one. */
export function createFromEither({ fromFile, fromCode }) {
  let isFileUseless = false;
  return () =>
    new WorkerOfTwoSources(isFileUseless ? undefined : fromFile, fromCode, () => {
      isFileUseless = true;
    });
}

class WorkerOfTwoSources {
  #fromCode;
  #fileIsUseless;
  #tell = { message() {}, error() {} };
  #starting = new Map(); // workers that have not said a word, by the name of their source
  #problems = [];
  #worker; // the one that has started
  #unsent = []; // what was to be sent before
  #isOver = false;
  #patience;

  constructor(fromFile, fromCode, fileIsUseless) {
    this.#fromCode = fromCode;
    this.#fileIsUseless = fileIsUseless;
    if (!fromFile) {
      this.#tryCode();
      return;
    }
    const failed = (problem) => this.#failed('its file', problem);
    this.#patience = setTimeout(() => this.#tryCode(), patienceSeconds * 1000);
    try {
      this.#await('its file', fromFile(), failed);
    } catch (error) {
      failed(error?.message);
    }
  }

  /** As workers of Node.js have it; a later listener takes the place of an earlier one. */
  on(event, listener) {
    this.#tell[event] = listener;
  }

  postMessage(...message) {
    if (this.#worker) this.#worker.postMessage(...message);
    else this.#unsent.push(message);
  }

  // Until it has started there is something that is waited for.
  ref() {
    this.#worker?.ref?.();
  }

  unref() {
    this.#worker?.unref?.();
  }

  terminate() {
    this.#isOver = true;
    clearTimeout(this.#patience);
    const workers = [...this.#starting.values(), this.#worker].filter(Boolean);
    this.#starting.clear();
    return Promise.all(workers.map((worker) => worker.terminate()));
  }

  async #tryCode() {
    clearTimeout(this.#patience);
    const fromCode = this.#fromCode;
    if (!fromCode || this.#worker || this.#isOver) return;
    this.#fromCode = undefined;
    this.#starting.set('its code', undefined);
    const failed = (problem) => this.#failed('its code', problem);
    try {
      const worker = await fromCode();
      if (this.#starting.has('its code')) this.#await('its code', worker, failed);
      else worker.terminate();
    } catch (error) {
      failed(error?.message);
    }
  }

  /** Waits for the first word of a worker. */
  #await(source, worker, failed) {
    this.#starting.set(source, worker);
    listen(worker, {
      message: (data) => {
        if (worker === this.#worker) this.#tell.message(data);
        else if (this.#starting.get(source) !== worker) return;
        else if (isGreeting(data)) this.#take(source, worker);
        else failed(`it began with ${describe(data)}`);
      },
      death: (reason) => {
        if (worker === this.#worker) this.#tell.error(new Error(reason));
        else if (this.#starting.get(source) === worker) failed(reason);
      },
    });
  }

  #take(source, worker) {
    this.#worker = worker;
    if (this.#problems.length > 0) this.#fileIsUseless();
    clearTimeout(this.#patience);
    this.#starting.delete(source);
    for (const late of this.#starting.values()) late?.terminate();
    this.#starting.clear();
    for (const message of this.#unsent.splice(0)) worker.postMessage(...message);
  }

  #failed(source, problem) {
    if (this.#isOver || this.#worker) return;
    this.#starting.get(source)?.terminate();
    this.#starting.delete(source);
    this.#problems.push(`from ${source}: ${problem}`);
    this.#tryCode();
    if (this.#starting.size > 0) return;
    const found = this.#problems.join('; ');
    this.#tell.error(new Error(`it could not be started (${found}): ${advice}`));
  }
}
