// The worker's side of a model on a pool. A worker holds some heads of each attention and some outputs of each matrix:
// its shard of every layer. All workers compute the same layers in steps. A step ends with an all-gather: each worker sends
// its columns of a matrix to all others, and the next step multiplies the whole matrix. Residual sums and norms are
// computed in each worker.
import { ReceivedColumns, sendColumns } from './all_gather.js';
import { LayerShard } from './layer_shard.js';
import { layerSteps } from './layer_steps.js';
import { RunMemory } from './run_memory.js';
import { requireSharedMemory, SharedColumns } from './shared_columns.js';
import { ShardCaches } from './shard_caches.js';

/**
 * @import { Matrix } from '../models/run/vector_rows.js'
 * @import { Columns } from './layer_steps.js'
 * @typedef {{ layers: number[], x: Matrix, calls: { captured?: object }[], outputs?: boolean }} RunTask
 * @typedef {{ output?: Matrix, captured?: object }} LayerResults
 */

/**
 * The tasks of the pool's models in the module of `heap`. Ids are chosen by the pool. post(message, transfer): to the
 * pool, which sends the columns of a run to its other workers unless these are connected. receiveNow(port): the next
 * message in a port, { message }, or undefined.
 */
export function modelTasks(heap, post, receiveNow) {
  const { released } = heap;
  const layers = new Map();
  const caches = new ShardCaches(heap);
  const received = new Map(); // by run
  const ports = new Map(); // to other workers, by their numbers

  function receivedFor(run) {
    if (!received.has(run)) received.set(run, new ReceivedColumns());
    return received.get(run);
  }

  /** Columns of another worker, or the end of a run. */
  const receive = ({ run, from, columns }) => receivedFor(run).add(from, columns);

  function receiveFrom(peer) {
    const next = receiveNow(ports.get(peer));
    if (next) receive(next.message);
  }

  /** The function (columns) that sends those of the worker `at` to the others. peers: numbers of connected workers. */
  function senderFor({ run, at, peers }) {
    if (!peers) {
      return (columns) =>
        post(
          { run, columns },
          columns.map(({ buffer }) => buffer),
        );
    }
    const posts = peers.map((peer, index) => {
      const port = ports.get(peer); // none to the worker itself
      return index === at ? undefined : port.postMessage.bind(port);
    });
    return (columns) => sendColumns(posts, { run, from: at, columns });
  }

  /**
   * All layers in steps; returns { output, results }: results of each layer, with its output if requested.
   *
   * @returns {Generator<Columns[], { output: Matrix, results: LayerResults[] }, Matrix[]>}
   */
  function* runLayers(/** @type {RunTask} */ { layers: ids, x, calls, outputs }, memory) {
    const returned = [];
    let rows = x;
    for (const [n, id] of ids.entries()) {
      const results = {};
      rows = yield* layerSteps(layers.get(id), rows, calls[n], results, memory);
      if (outputs) memory.keep(rows);
      const { captured } = calls[n];
      returned.push({ ...results, captured, output: outputs ? rows : undefined });
    }
    return { output: rows, results: returned };
  }

  return {
    /** Creates a layer; see LayerShard. */
    createLayer({ layer: id, objects, ...facts }) {
      layers.set(id, new LayerShard(heap, caches, objects, facts));
      return [];
    },

    freeLayer({ layer: id }) {
      layers.get(id)?.free();
      layers.delete(id);
      return [];
    },

    outputsPerHead({ layer: id, name, heads, vectors }) {
      const outputs = layers.get(id).outputsPerHead(name, heads, vectors);
      return outputs ? [outputs] : [];
    },

    fillTable({ object, firstRow, weight }) {
      heap.call('fillLinear', { layer: object, firstRow, weight });
      return [];
    },

    freeCaches({ caches: ids }) {
      caches.free(ids);
      return [];
    },

    /** Connects this worker to another, with its number. */
    connect({ peer, port }) {
      port.onmessage = ({ data }) => receive(data);
      ports.set(peer, port);
      return [];
    },

    receive,

    connectMemory({ memory }) {
      requireSharedMemory(memory);
      return [];
    },

    /**
     * Computes layers with the other workers. at: index of this worker; workers: their number; peers: numbers of the
     * workers if they are connected; shared: memory for their columns, if they share it.
     */
    async run({ run: id, at, workers, peers, shared, ...task }) {
      // Runs begin in the order of their ids: earlier ones have ended, some of them before they began.
      for (const earlier of received.keys()) if (earlier < id) received.delete(earlier);
      const others = receivedFor(id);
      const memory = new RunMemory(released, task.x.dims);
      const send = shared ? undefined : senderFor({ run: id, at, peers });
      const sharedColumns = shared && new SharedColumns(shared, at, workers);
      /** All-gather by messages: the matrices of a step from this worker's columns. */
      async function gatherByMessages(own) {
        const whole = own.map(({ ends }) => memory.allocate(ends.at(-1)));
        const join = (columns, from) =>
          whole.forEach((rows, n) =>
            memory.setColumns(rows, own[n].ends[from - 1] ?? 0, columns[n]),
          );
        const columns = own.map(({ data }) => data);
        join(columns, at);
        send?.(columns); // takes their memory
        for (let from = 0; from < workers; from++) {
          if (from === at) continue;
          const poll = peers && receiveNow && (() => receiveFrom(peers[from]));
          const received = await others.next(from, poll);
          join(received, from);
          received.forEach((data) => memory.release({ data }));
        }
        return whole;
      }
      const allGather = shared ? (own) => sharedColumns.allGather(own, memory) : gatherByMessages;
      const steps = runLayers(/** @type {RunTask} */ (task), memory);
      try {
        let step = steps.next();
        while (!step.done) {
          step = steps.next(workers === 1 ? step.value : await allGather(step.value));
        }
        // All workers have the same rows; the first returns them.
        const { output, results } = step.value;
        if (at === 0) return [{ output, results }];
        return [{ results: results.map(({ output: _, ...others }) => others) }];
      } finally {
        received.delete(id);
        released.clear();
      }
    },
  };
}
