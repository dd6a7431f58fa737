// The workers of a pool: started on first use, replaced when they fail, ended by close().
import { describe } from '../arguments/describe.js';
import { AbortableCalls } from './abortable_calls.js';
import { SpentMemory } from './spent_memory.js';
import { WorkerClient } from './worker_client.js';

/** The buffers of the tensors among some fields. */
const memoryOf = (fields) =>
  Object.values(fields)
    .filter((field) => ArrayBuffer.isView(field?.data))
    .map(({ data }) => data.buffer);

// Minimum work, in multiply-adds, for a call to use workers without taking longer than a local call:
//
//   from        attention: the fixed part of the threshold
//   perNumber   attention: added per input number, for copying and sending inputs and results. Two workers are as fast
//               as a local call at 12 × 160 × 64 and 512 × 16 in a page, where messages cost more, and at 8 × 128 × 64
//               and 384 × 16 in Node.js
//   layer       a layer, whose weights are in the workers already. In Node.js two workers are as fast as a local call at
//               128 × 128 of MultiHeadAttention and at 96 × 128 of an encoder
//   each        minimum per worker
//   modelLayer, connected
//               a model whose workers exchange columns through the calling thread, or by themselves: numbers of a layer's
//               matrices that one row is multiplied with; see layerWork() of model_layers.js. Connected workers take 1.03
//               of the time of one thread in Node.js for a GPT-2 384 wide in float32 (1.8e6), 0.92 for one 768 wide in
//               int8 (1.8e6), 0.73 for one 512 wide in float32 (3.1e6), and 0.82 in Chromium; not connected, 1.06 in
//               Chromium and 1.34 in Firefox for the last

export const inNode = {
  ...{ from: 8e6, perNumber: 40, layer: 2e7, each: 5e6 },
  ...{ modelLayer: 5e6, connected: 2e6 },
};
export const inPages = {
  ...{ from: 2e7, perNumber: 60, layer: 6e7, each: 1e7 },
  ...{ modelLayer: 5e6, connected: 3e6 },
};

// Maximum time for a worker to start; allows for a slow network.
const startSeconds = 60;

export class Workers {
  #createWorker;
  #isThread;
  #start;
  #worth;
  #clients;
  #closed = false;
  #spent;
  #calls = new AbortableCalls((signal) => {
    for (const client of this.#clients) client?.withdraw(signal);
  });

  /**
   * @param {number} count
   * @param {() => object} createWorker
   * @param {(worker: object) => boolean} isThread whether a worker certainly has a thread of its own
   * @param {object} start fields of the 'start' task, from which a worker loads the module
   * @param {Record<'from' | 'perNumber' | 'layer' | 'each' | 'modelLayer' | 'connected', number>} worth multiply-adds:
   *   inNode or inPages
   */
  constructor(count, createWorker, isThread, start, worth) {
    this.#clients = Array(count).fill(undefined);
    this.#createWorker = createWorker;
    this.#isThread = isThread;
    this.#start = start;
    if (!start.wipe) {
      this.#spent = new SpentMemory(() => {
        for (const client of this.#clients) client?.dropReusable();
      });
    }
    this.#worth = worth;
  }

  /**
   * The number of workers for some work, in multiply-adds: of attention with `numbers` input numbers or, if that is
   * undefined, of a layer. 0 if a local call is faster. Never 1 of several: a single worker is slower than a local call.
   */
  workersFor(work, numbers) {
    const { from, perNumber, layer, each } = this.#worth;
    const threshold = numbers === undefined ? layer : from + numbers * perNumber;
    return work < threshold ? 0 : Math.min(this.count, Math.max(2, Math.floor(work / each)));
  }

  /**
   * The number of workers that a model is divided among: all or, if that is slower, 1. work: see modelLayer; connected:
   * whether workers send each other messages.
   */
  workersForModel(work, connected) {
    return work < this.#worth[connected ? 'connected' : 'modelLayer'] ? 1 : this.count;
  }

  get count() {
    return this.#clients.length;
  }

  /**
   * Calls functions of the module in a worker; a promise of { results, reuse }. calls: [name, fields][]; their tensors are
   * sent, not copied. reuse(): takes the memory of the results back, if it was not passed on.
   */
  call(client, calls, signal) {
    const task = {
      task: 'call',
      calls: calls.map(([name, fields]) => ({ name, fields })),
      spare: this.#spent && [],
    };
    const transfer = calls.flatMap(([, fields]) => memoryOf(fields));
    const answer = client.request(task, transfer, signal).then((results) => {
      const reuse = () => {
        for (const result of results) {
          for (const { data } of Object.values(result)) client.reuse(data);
        }
      };
      return { results, reuse };
    });
    // Prevents an unhandled rejection where the caller fails before it awaits this promise.
    answer.catch(() => {});
    return answer;
  }

  /** An array of `count` numbers with unspecified contents, for arguments that are sent to workers. */
  allocate = (count) => this.#spent?.allocate(count) ?? new Float32Array(count);

  /** Throws if the pool was closed. */
  requireOpen() {
    if (this.#closed) throw new Error('the pool was closed');
  }

  /** The worker at an index: the same one until it fails. */
  at(number) {
    this.requireOpen();
    return (this.#clients[number] ??= this.#open(number));
  }

  /** `count` workers, those with the fewest pending tasks first. */
  idlest(count) {
    const load = (number) => this.#clients[number]?.load ?? 0;
    return [...this.#clients.keys()]
      .sort((a, b) => load(a) - load(b) || a - b)
      .slice(0, count)
      .map((number) => this.at(number));
  }

  /** The promise of work(); rejects with the signal's reason on abort, which also removes its queued tasks. */
  untilAborted(signal, work) {
    return this.#calls.settled(signal, work);
  }

  async close() {
    this.#closed = true;
    const clients = this.#clients.filter(Boolean);
    this.#spent?.clear();
    this.#clients.fill(undefined);
    await Promise.all(clients.map((client) => client.terminate(new Error('the pool was closed'))));
  }

  #open(number) {
    const worker = this.#createWorker();
    const can = (...names) => names.some((name) => typeof worker?.[name] === 'function');
    if (!can('postMessage') || !can('terminate') || !can('on', 'addEventListener')) {
      throw new TypeError(`createWorker must return a worker, found ${describe(worker)}`);
    }
    const forget = (dead) => {
      if (this.#clients[number] === dead) this.#clients[number] = undefined;
    };
    const client = new WorkerClient(worker, forget, this.#spent);
    client.isThread = this.#isThread(worker);
    // Tasks wait in the worker while it starts, and are rejected if it cannot. After the start there is no time limit.
    const limit = setTimeout(() => {
      const reason = `it did not start within ${startSeconds} seconds`;
      client.terminate(new Error(`a worker of the pool was terminated: ${reason}`));
    }, startSeconds * 1000);
    client
      .request({ task: 'start', ...this.#start })
      .catch((error) => client.terminate(error))
      .finally(() => clearTimeout(limit));
    return client;
  }
}
