// The workers of a pool: started when first needed, replaced when they die, ended by close().
import { describe } from '../arguments/describe.js';
import { AbortableCalls } from './abortable_calls.js';
import { WorkerLink } from './worker_link.js';

// A slow network included.
const startSeconds = 60;

export class Workers {
  #createWorker;
  #start;
  #worth;
  #links;
  #closed = false;
  #calls = new AbortableCalls((signal) => {
    for (const link of this.#links) link?.withdraw(signal);
  });

  /**
   * @param {number} count
   * @param {() => object} createWorker
   * @param {object} start what a worker needs to load the module
   * @param {{ from: number, perNumber: number, layer: number, each: number }} worth multiply-adds: see
   *   worth_a_worker.js
   */
  constructor(count, createWorker, start, worth) {
    this.#links = Array(count).fill(undefined);
    this.#createWorker = createWorker;
    this.#start = start;
    this.#worth = worth;
  }

  /**
   * How many workers some work is worth, in multiply-adds: attention to so many numbers or, without them, a layer.
   * 0 if it is done sooner than sent; never one of several, to which all would be sent for nothing.
   */
  wantedFor(work, numbers) {
    const { from, perNumber, layer, each } = this.#worth;
    const least = numbers === undefined ? layer : from + numbers * perNumber;
    return work < least ? 0 : Math.min(this.count, Math.max(2, Math.floor(work / each)));
  }

  get count() {
    return this.#links.length;
  }

  /** Throws once the pool was closed. */
  requireOpen() {
    if (this.#closed) throw new Error('the pool was closed');
  }

  /** The worker of a number; every call gives the same one until it dies. */
  at(number) {
    this.requireOpen();
    return (this.#links[number] ??= this.#open(number));
  }

  /** So many workers, those with the least to do first. */
  idlest(count) {
    const load = (number) => this.#links[number]?.load ?? 0;
    return [...this.#links.keys()]
      .sort((a, b) => load(a) - load(b) || a - b)
      .slice(0, count)
      .map((number) => this.at(number));
  }

  /** What work() promises or, if the signal is aborted before, its reason: then nothing of it waits for a worker. */
  untilAborted(signal, work) {
    return this.#calls.settled(signal, work);
  }

  async close() {
    this.#closed = true;
    const links = this.#links.filter(Boolean);
    this.#links.fill(undefined);
    await Promise.all(links.map((link) => link.terminate(new Error('the pool was closed'))));
  }

  #open(number) {
    const worker = this.#createWorker();
    const can = (...names) => names.some((name) => typeof worker?.[name] === 'function');
    if (!can('postMessage') || !can('terminate') || !can('on', 'addEventListener')) {
      throw new TypeError(`createWorker must return a worker, found ${describe(worker)}`);
    }
    const link = new WorkerLink(worker, (dead) => {
      if (this.#links[number] === dead) this.#links[number] = undefined;
    });
    // Tasks wait in the worker until it has started; what keeps it from that is told to them too. Once it
    // has, it is a worker that answers, however long a task takes.
    const limit = setTimeout(() => {
      const reason = `it did not start within ${startSeconds} seconds`;
      link.terminate(new Error(`a worker of the pool was given up: ${reason}`));
    }, startSeconds * 1000);
    link
      .ask({ task: 'start', ...this.#start })
      .catch((error) => link.terminate(error))
      .finally(() => clearTimeout(limit));
    return link;
  }
}
