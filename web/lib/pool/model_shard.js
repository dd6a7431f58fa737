// The worker's side of a model on a pool. A worker holds some heads of each attention and some outputs of each matrix:
// its shard of every layer. All workers compute the same layers in steps. A step ends with the worker's columns of a
// matrix, which all others are sent, and the next step multiplies the whole matrix. Residual sums and norms are computed
// in each worker.
import { sizeOf } from '../arguments/dims.js';
import { ReceivedColumns, sendColumns } from './exchange.js';

/** A tensor field of a call. */
const field = (name, { data, dims }) => ({ name, data, dims, type: 'Float32Array' });

/** The columns of a worker that has none. */
const noColumns = () => ({ data: new Float32Array(0) });

const objectNames = ['self', 'selfOutput', 'cross', 'crossOutput', 'up', 'gate', 'down'];

/** scale · rows, in place: one factor per column, or none. */
function scaled(rows, scale) {
  const { data } = rows;
  if (scale) for (let at = 0; at < data.length; at++) data[at] *= scale[at % scale.length];
  return rows;
}

const operations = {
  set: (number, value) => value,
  add: (number, value) => number + value,
  scale: (number, value, factor) => number * factor,
};

/** An edit of rows: [batch ×] n × width. indices: of the n rows, none for all; values: 1 × 1 or n × 1 or width. */
function editRows({ operation, factor, indices, values }, { data, dims }) {
  const [count, width] = dims.slice(-2);
  const change = operations[operation];
  const rounded = Math.fround(factor);
  const [, rows = 1, columns = 1] = values?.dims ?? [];
  for (let first = 0; first < data.length; first += count * width) {
    const edited = indices.length > 0 ? indices : Array.from({ length: count }, (_, row) => row);
    edited.forEach((row, n) => {
      for (let column = 0; column < width; column++) {
        const at = first + row * width + column;
        const value = values?.data[(n % rows) * columns + (column % columns)];
        data[at] = change(data[at], value, rounded);
      }
    });
  }
}

/** Rows at a hook point, after its edits. rows: edits of all hook points; captured: by names of captured hook points. */
function intervene({ rows: edits = [], captured = {} }, name, rows) {
  const own = edits.filter((edit) => edit.name === name);
  const edited = own.length > 0 ? { ...rows, data: rows.data.slice() } : rows;
  for (const edit of own) editRows(edit, edited);
  if (name in captured) captured[name] = edited;
  return edited;
}

/** Matrices of a run: the memory of those that are not returned is used again by later ones. */
class RunMemory {
  #released;
  #dims; // of any matrix with the rows of the run
  #returned = new WeakSet();

  constructor(released, dims) {
    this.#released = released;
    this.#dims = dims;
  }

  copyOf(data) {
    return this.#released.copyOf(data, 0, data.length);
  }

  /** Keeps a matrix that the run returns. */
  keep(rows) {
    this.#returned.add(rows.data);
    return rows;
  }

  /** Takes a matrix that is not read any more. */
  release({ data }) {
    if (!this.#returned.has(data)) this.#released.retain(data);
  }

  /** x + added, in the memory of `added` unless that is returned. */
  sum({ data: x }, added) {
    const data = this.#returned.has(added.data) ? this.copyOf(added.data) : added.data;
    for (let at = 0; at < x.length; at++) data[at] += x[at];
    return { data, dims: added.dims };
  }

  /** A matrix from the columns of each worker, which it takes. */
  join(shards) {
    const outer = this.#dims.slice(0, -1);
    const rows = sizeOf(outer);
    const data = this.#released.allocate(shards.reduce((sum, { length }) => sum + length, 0));
    const width = data.length / rows;
    let first = 0;
    for (const shard of shards) {
      const own = shard.length / rows;
      for (let from = 0, to = first; from < shard.length; from += own, to += width) {
        data.set(shard.subarray(from, from + own), to);
      }
      first += own;
      this.#released.retain(shard);
    }
    return { data, dims: [...outer, width] };
  }
}

/**
 * The tasks of the pool's models in the module of `heap`. Ids are chosen by the pool. post(message, transfer): to the
 * pool, which sends the columns of a run to its other workers unless these are connected. receiveNow(port): the next
 * message in a port, { message }, or undefined.
 */
export function modelTasks(heap, post, receiveNow) {
  const { released } = heap;
  const layers = new Map();
  const caches = new Map(); // addresses
  const received = new Map(); // by run
  const ports = new Map(); // to other workers, by their numbers

  function receivedFor(run) {
    if (!received.has(run)) received.set(run, new ReceivedColumns());
    return received.get(run);
  }

  /** Columns of another worker, or the end of a run. */
  const exchange = ({ run, from, columns }) => receivedFor(run).add(from, columns);

  function receiveFrom(peer) {
    const next = receiveNow(ports.get(peer));
    if (next) exchange(next.message);
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

  /** The address of a cache, created on its first use; with a context, filled with its keys and values. */
  function cacheOf(attention, { id, batch = 1, capacity, context, edits, copies = [] }) {
    let cache = caches.get(id);
    if (cache === undefined) {
      const { kvHeads, keyDim, valueDim } = attention;
      const sizes = { kvHeads, keyDim, valueDim };
      const fields = context && {
        layer: attention.object,
        context: field('context', context),
      };
      const { batch: entries, length } = fields
        ? heap.facts('projectContext', fields)
        : { batch, length: capacity };
      cache = heap.create('newCache', { ...sizes, batch: entries, capacity: length }).object;
      caches.set(id, cache);
      if (fields) heap.call('projectContext', { ...fields, ...edits, cache });
    }
    for (const [from, to] of copies) heap.call('copyEntry', { cache, from, to });
    return cache;
  }

  /** Some outputs of a linear map; `map` is undefined in a worker without any. */
  const linear = (map, x, more) =>
    map
      ? heap.call('linear', { layer: map.object, x: field('x', x), ...more }).output
      : noColumns();

  function norm(layer, name, x) {
    const { weight, bias } = layer.vectors[name];
    const row = (rowName, data) => data && field(rowName, { data, dims: [data.length] });
    const fields = { weight: row('weight', weight), bias: row('bias', bias) };
    const { rms, epsilon } = layer;
    return heap.call('norm', { x: field('x', x), ...fields, rms, epsilon }).output;
  }

  /** Some heads of an attention; the results are added to `results`. A worker without heads returns no numbers. */
  function attend(attention, x, { memory, cache, ...fields }, results) {
    if (!attention) return noColumns();
    const { output, ...others } = heap.call('multiHead', {
      ...fields,
      layer: attention.object,
      x: field('x', x),
      context: memory && !memory.id ? field('memory', memory) : undefined,
      cache: cache ? cacheOf(attention, cache) : memory?.id && cacheOf(attention, memory),
      appends: cache !== undefined,
    });
    Object.assign(results, others);
    return output;
  }

  const projectUp = ({ up, gate, activation }, x) =>
    linear(up, x, { activation, gateLayer: gate?.object });

  /**
   * One layer in steps: yields lists of this worker's columns, and is resumed with lists of whole matrices. call: fields
   * of its attentions, and what intervene() reads; memory: of the run.
   */
  function* layerSteps(layer, x, call, results, memory) {
    const { normFirst, parallel, vectors } = layer;
    const { captured = {} } = call;
    /** Rows at a hook point. */
    const at = (name, rows) => {
      const edited = intervene(call, name, rows);
      return name in captured ? memory.keep(edited) : edited;
    };
    /** use(rows), the last use of the rows. */
    const using = (rows, use) => {
      const result = use(rows);
      memory.release(rows);
      return result;
    };
    /** use(rows), or use() of their norm in a pre-norm layer. */
    const normed = (name, rows, use) =>
      normFirst ? using(norm(layer, name, rows), use) : use(rows);
    const residual = at('resid_pre', x);
    const selfAttend = (rows) => attend(layer.self, rows, call.self, (results.self = {}));
    if (parallel) {
      const input = normFirst ? norm(layer, 'selfNorm', residual) : residual;
      const own = selfAttend(input);
      const up = (rows) => projectUp(layer, rows);
      const ownUp = vectors.feedForwardNorm
        ? using(norm(layer, 'feedForwardNorm', residual), up)
        : up(input);
      const [z, hidden] = yield [own, ownUp];
      const columns = [
        using(z, (rows) => linear(layer.selfOutput, rows)),
        using(hidden, (rows) => linear(layer.down, rows)),
      ];
      const [output, added] = yield columns;
      const attended = memory.sum(residual, at('attn_out', scaled(output, vectors.selfScale)));
      const both = memory.sum(attended, at('mlp_out', scaled(added, vectors.feedForwardScale)));
      for (const rows of [residual, attended]) memory.release(rows);
      return at('resid_post', both);
    }
    /** The residual sum with what a matrix adds, and its norm; takes both. */
    function* add(name, to, map, factor, normName, scale) {
      const own = using(factor, (rows) => linear(map, rows));
      const [output] = yield [own];
      const total = memory.sum(to, at(name, scaled(output, scale)));
      memory.release(to);
      return normFirst ? total : using(total, (rows) => norm(layer, normName, rows));
    }
    const [z] = yield [normed('selfNorm', residual, selfAttend)];
    let rows = yield* add('attn_out', residual, layer.selfOutput, z, 'selfNorm', vectors.selfScale);
    if (call.cross) {
      const crossAttend = (query) => attend(layer.cross, query, call.cross, (results.cross = {}));
      const [crossZ] = yield [normed('crossNorm', rows, crossAttend)];
      rows = yield* add('cross attn_out', rows, layer.crossOutput, crossZ, 'crossNorm');
    }
    rows = at('resid_mid', rows);
    const own = normed('feedForwardNorm', rows, (input) => projectUp(layer, input));
    const [hidden] = yield [own];
    const { feedForwardScale } = vectors;
    rows = yield* add('mlp_out', rows, layer.down, hidden, 'feedForwardNorm', feedForwardScale);
    return at('resid_post', rows);
  }

  /** All layers in steps; returns { output, results }: results of each layer, with its output if requested. */
  function* run({ layers: ids, x, calls, outputs }, memory) {
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

  function freeLayer({ layer: id }) {
    const layer = layers.get(id) ?? {};
    layers.delete(id);
    for (const name of objectNames) if (layer[name]) heap.free(layer[name].object);
    return [];
  }

  return {
    /** Creates a layer. objects: by name, a function of the module and its fields. */
    createLayer({ layer: id, objects, ...layer }) {
      layers.set(id, layer);
      try {
        for (const [name, [create, fields]] of Object.entries(objects)) {
          layer[name] = heap.create(create, fields);
        }
      } catch (error) {
        freeLayer({ layer: id });
        throw error;
      }
      return [];
    },

    freeLayer,

    /**
     * Some outputs of a matrix, heads × n × outputs, for the vectors of each head alone, without bias. vectors: n × dim of
     * each head, or of each head of keys and values.
     */
    outputsPerHead({ layer: id, name, heads, vectors: { data, dims } }) {
      const map = layers.get(id)[name];
      if (!map) return [];
      const [count, rows, dim] = dims.slice(-3);
      const width = heads * dim;
      const x = new Float32Array(heads * rows * width);
      for (let at = 0; at < heads * rows; at++) {
        const head = Math.floor(at / rows);
        const from = (Math.floor((head * count) / heads) * rows + (at % rows)) * dim;
        x.set(data.subarray(from, from + dim), at * width + head * dim);
      }
      return [linear(map, { data: x, dims: [heads, rows, width] }, { withoutBias: true })];
    },

    fillTable({ object, firstRow, weight }) {
      heap.call('fillLinear', { layer: object, firstRow, weight });
      return [];
    },

    freeCaches({ caches: ids }) {
      for (const id of ids) {
        if (caches.has(id)) heap.free(caches.get(id));
        caches.delete(id);
      }
      return [];
    },

    /** Connects this worker to another, with its number. */
    connect({ peer, port }) {
      port.onmessage = ({ data }) => exchange(data);
      ports.set(peer, port);
      return [];
    },

    exchange,

    /**
     * Computes layers with the other workers. at: index of this worker; workers: their number; peers: numbers of the
     * workers if they are connected.
     */
    async begin({ run: id, at, workers, peers, ...task }) {
      // Runs begin in the order of their ids: earlier ones have ended, some of them before they began.
      for (const earlier of received.keys()) if (earlier < id) received.delete(earlier);
      const others = receivedFor(id);
      const memory = new RunMemory(released, task.x.dims);
      const send = senderFor({ run: id, at, peers });
      /** The matrices of a step from this worker's columns. */
      async function exchangeStep(own) {
        send(own.map(({ data }) => memory.copyOf(data)));
        const all = [];
        for (let from = 0; from < workers; from++) {
          const poll = peers && receiveNow && (() => receiveFrom(peers[from]));
          all.push(from === at ? own.map(({ data }) => data) : await others.next(from, poll));
        }
        return own.map((_, n) => memory.join(all.map((columns) => columns[n])));
      }
      const steps = run(task, memory);
      try {
        let { value, done } = steps.next();
        while (!done) {
          ({ value, done } = steps.next(workers === 1 ? value : await exchangeStep(value)));
        }
        // All workers have the same rows; the first returns them.
        const { output, results } = value;
        if (at === 0) return [{ output, results }];
        return [{ results: results.map(({ output: _, ...others }) => others) }];
      } finally {
        received.delete(id);
        released.clear();
      }
    },
  };
}
