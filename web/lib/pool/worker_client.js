// Client of a worker, of the web or of Node.js: sends tasks, and settles a promise for each.
//
// A worker holds the task that it computes and the next one. Further tasks wait in this queue, where an abort can
// remove them.

import { isGreeting, readAnswer, readColumns } from './answers.js';
import { minimumBytes } from './spent_memory.js';

const maxSent = 2; // tasks in a worker

const unreadable = 'a message could not be read';

/** Listens to a worker, of the web or of Node.js: message(data) for each message, death(reason) when it fails or ends. */
export function listen(worker, { message, death }) {
  if (typeof worker.on === 'function') {
    worker.on('message', message);
    worker.on('messageerror', () => death(unreadable));
    worker.on('error', (error) => death(error?.message ?? String(error)));
    worker.on('exit', (code) => death(`it ended with exit code ${code}`));
  } else {
    worker.addEventListener('message', (event) => message(event?.data));
    worker.addEventListener('messageerror', () => death(unreadable));
    worker.addEventListener('error', (event) => {
      event?.preventDefault?.();
      death(event?.message ?? 'it could not be started');
    });
  }
}

export class WorkerClient {
  #worker;
  #pending = new Map(); // tasks without a result, by id, oldest first
  #sentCount = 0; // pending tasks that the worker holds
  #lastId = 0;
  #hasAnswered = false;
  #spent;
  #reusable = []; // arrays of results, for the worker's next results
  #onDeath;
  #reason; // the error that ended the worker
  /** Functions that send columns of this worker to the other workers of a run, by run. */
  relays = new Map();
  /** True if the worker certainly has a thread of its own, which may sleep. */
  isThread = false;

  /**
   * onDeath: called once, when the worker fails or ends; spent: the pool's SpentMemory, or undefined if no memory is kept.
   */
  constructor(worker, onDeath, spent) {
    this.#worker = worker;
    this.#spent = spent;
    this.#onDeath = onDeath;
    listen(worker, {
      message: (answer) => this.#receive(answer),
      death: (reason) => this.terminate(new Error(`a worker of the pool died: ${reason}`)),
    });
    // An idle worker does not keep Node.js running.
    worker.unref?.();
  }

  get isDead() {
    return this.#reason !== undefined;
  }

  /** The error that ended the worker, or undefined. */
  get reason() {
    return this.#reason;
  }

  /**
   * A promise of the result of a task.
   *
   * @param {{ task: string, calls?: object[], spare?: boolean }} task
   * @param {Transferable[]} transfer buffers to move to the worker
   * @param {AbortSignal} [signal]
   */
  request(task, transfer = [], signal = undefined) {
    if (this.isDead) return Promise.reject(this.#reason);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const entry = { name: task.task, count: task.calls?.length, signal, isSent: false };
    const answer = new Promise((resolve, reject) => {
      this.#pending.set(++this.#lastId, { ...entry, task, transfer, resolve, reject });
      this.#worker.ref?.();
      this.#send();
    });
    // Prevents an unhandled rejection where the caller fails before it awaits this promise.
    answer.catch(() => {});
    return answer;
  }

  /** Posts a message that is not answered, before queued tasks. */
  post(message, transfer = []) {
    if (!this.isDead) this.#worker.postMessage(message, transfer);
  }

  /** Takes the memory of a result of the worker that nobody reads any more; it goes back with a later call. */
  reuse(array) {
    if (this.#spent && array.byteLength >= minimumBytes) this.#reusable.push(array);
  }

  dropReusable() {
    this.#reusable = [];
  }

  /** Number of pending tasks. */
  get load() {
    return this.#pending.size;
  }

  /** Rejects the queued tasks of an aborted signal. Tasks already sent complete, but their results are discarded. */
  withdraw(signal) {
    for (const [id, entry] of this.#pending) {
      if (entry.isSent || entry.signal !== signal) continue;
      this.#pending.delete(id);
      entry.reject(signal.reason);
    }
  }

  #send() {
    if (this.#sentCount === maxSent) return;
    for (const [id, entry] of this.#pending) {
      if (entry.isSent) continue;
      entry.isSent = true;
      this.#sentCount++;
      const { task, transfer, reject } = entry;
      entry.task = entry.transfer = undefined; // releases the memory
      try {
        const spare = task.spare && this.#reusable.splice(0);
        const memory = spare?.map(({ buffer }) => buffer) ?? [];
        this.#worker.postMessage({ id, ...task, spare }, [...transfer, ...memory]);
      } catch (error) {
        this.#settle(id);
        reject(error);
      }
      if (this.#sentCount === maxSent) return;
    }
  }

  #settle(id) {
    this.#pending.delete(id);
    this.#sentCount--;
    if (this.#pending.size === 0) this.#worker.unref?.();
  }

  terminate(reason) {
    this.#end(reason);
    return this.#worker.terminate();
  }

  #receive(message) {
    // The pending tasks of a dead worker are rejected already.
    if (this.isDead || (!this.#hasAnswered && isGreeting(message))) return;
    let answer;
    try {
      const gathered = readColumns(message);
      if (gathered) {
        // Throws for columns that cannot be transferred.
        this.relays.get(gathered.run)?.(gathered.columns);
        return;
      }
      answer = readAnswer(message, this.#pending);
    } catch (error) {
      this.terminate(error);
      return;
    }
    this.#hasAnswered = true;
    const { resolve, reject } = this.#pending.get(answer.id);
    this.#settle(answer.id);
    if (answer.spent) this.#spent?.retain(answer.spent);
    this.#send();
    if (answer.error) reject(answer.error);
    else resolve(answer.result);
  }

  #end(reason) {
    if (this.isDead) return;
    this.#reason = reason;
    this.#worker.unref?.();
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
    this.#reusable = [];
    this.#onDeath(this);
  }
}
