// The layers of a model on a pool, which loadModel() of attention-wasm/models builds: matrices are divided by outputs, so
// that their weights are in memory once over all workers and results have the bits of an undivided model.
import { finalizationRegistry } from '../module/finalization.js';
import { averageHeads } from './average_heads.js';
import { buffersIn } from './buffers_in.js';
import { layerObjects } from './layer_objects.js';
import { library } from './library.js';
import { evenRanges } from './shards.js';
import { copied, emptyTensor, slice } from './worker_tensors.js';

let lastId = 0; // of layers, caches and runs

const registry = /* @__PURE__ */ finalizationRegistry((free) => free());

// A text of 32 tokens takes the time of this many single rows, whose products wait for memory.
const rowsOfText = 6;

const isMatrix = ({ shape }) => shape?.length === 2;

/**
 * The time of the largest layer for one call, as numbers of float32 matrices that one row is multiplied with. plan: of
 * planModel(); storage: of its weights; isGenerated: whether one row is computed per call.
 */
function layerWork({ plan, storage, isGenerated }) {
  const workOf = (planned) => {
    if (isMatrix(planned)) {
      const isInt8 = storage === 'int8' || (storage === 'as stored' && planned.type === 'int8');
      return planned.shape[0] * planned.shape[1] * (isInt8 ? 0.5 : 1);
    }
    const nested = Object.values(planned).filter((value) => typeof value === 'object' && value);
    return nested.reduce((sum, value) => sum + workOf(value), 0);
  };
  const works = Object.values(plan.stacks).map(({ layers: [{ weights }] }) => workOf(weights));
  return Math.max(...works) * (isGenerated ? 1 : rowsOfText);
}

const tensorOf = ({ data, dims }) => ({ data, dims });

/** Runs the steps of a model (see models/steps.js); a promise of their result. */
async function finish(steps) {
  let step = steps.next();
  while (!step.done) step = steps.next(await step.value);
  return step.value;
}

/** The columns of all workers side by side. */
function joinColumns(shards, dims) {
  const whole = emptyTensor(dims);
  let first = 0;
  for (const { data, dims: own } of shards) {
    const last = first + own.at(-1);
    library.writeBox(whole, [...dims.slice(0, -1).map((dim) => [0, dim]), [first, last]], data);
    first = last;
  }
  return whole;
}

/** The heads of all workers as one tensor, heads × n × m; some workers may have none. */
function joinHeads(shards) {
  const present = shards.filter(Boolean);
  const heads = present.reduce((sum, { dims }) => sum + dims[0], 0);
  const whole = emptyTensor([heads, ...present[0].dims.slice(1)]);
  let end = 0;
  for (const { data } of present) {
    whole.data.set(data, end);
    end += data.length;
  }
  return whole;
}

function requestedWeights(shards, weights) {
  const all = joinHeads(shards);
  return weights === 'average' ? averageHeads(all, all.dims[0], all.dims.slice(1)) : all;
}

/** Keys and values in the workers, of some heads in each. They are created when a call first uses the cache. */
class PooledCache {
  #id = ++lastId;
  #links;
  #fields;
  #copies = [];

  /** fields: { batch?, capacity }, or { context } for its keys and values. */
  constructor(links, fields) {
    this.#links = links;
    this.#fields = fields;
  }

  copyEntry(from, to) {
    this.#copies.push([from, to]);
  }

  /** The cache as an argument of a run. The context and the copies are sent once. */
  takeFields() {
    const { context, ...sizes } = this.#fields;
    this.#fields = sizes;
    return { id: this.#id, ...sizes, context, copies: this.#copies.splice(0) };
  }

  delete() {
    for (const link of this.#links) {
      link.request({ task: 'freeCaches', caches: [this.#id] }).catch(() => {});
    }
  }
}

/**
 * Layers for loadModel(), in place of those of loadAttention().
 *
 * @param {object} api of the calling thread, which computes norms, small matrices and embeddings
 * @param {{ plan: object, storage: string, isGenerated: boolean }} model see layerWork()
 */
export function createModelApi(api, heap, workers, model) {
  const count = workers.workersForModel(layerWork(model));
  const links = workers.idlest(count);
  const ended = new AbortController();

  /** The promise of work(); rejects when the model is deleted or the signal aborts. */
  const live = (work, signal) => {
    ended.signal.throwIfAborted();
    return workers.untilAborted(ended.signal, () => workers.untilAborted(signal, work));
  };

  /** Tasks of the workers: of(index) returns one, whose buffers are transferred, or undefined for none. */
  const inEach = (of) =>
    Promise.all(
      links.map((link, at) => {
        const task = of(at);
        return task && link.request(task, buffersIn(task));
      }),
    );

  /** Calls in the workers, where fieldsOf(index) returns fields; the results by worker. */
  const callEach = async (name, fieldsOf) => {
    const answers = await inEach((at) => {
      const fields = fieldsOf(at);
      return fields && { task: 'call', calls: [{ name, fields }] };
    });
    return answers.map((answer) => answer?.[0]);
  };

  /** Tasks whose results nobody awaits. */
  const release = (of) => {
    inEach(of).catch(() => {});
  };

  class PooledLayer {
    id = ++lastId;

    static async fromWeights(weights, options) {
      const fields = library.readTransformerLayer(weights, options, heap.enums);
      const facts = heap.facts('newTransformerLayer', fields);
      const layer = new PooledLayer();
      try {
        await live(() =>
          inEach((at) => ({
            task: 'createLayer',
            layer: layer.id,
            ...layerObjects(fields, facts, at, count),
          })),
        );
      } catch (error) {
        layer.delete();
        throw error;
      }
      return layer;
    }

    createCache(fields) {
      return new PooledCache(links, fields);
    }

    projectMemory(context) {
      return new PooledCache(links, { context: tensorOf(context) });
    }

    delete() {
      release(() => ({ task: 'freeLayer', layer: this.id }));
    }
  }

  /** A matrix whose rows are looked up, and multiplied with: token embeddings. */
  class PooledTable {
    #ranges;
    #objects;
    #inDim;

    static async reserve({ inDim, outDim, type }) {
      const table = new PooledTable();
      table.#inDim = inDim;
      table.#ranges = evenRanges(outDim, Math.min(count, outDim));
      const reservedType = heap.enums.NumberType[type];
      const answers = await live(() =>
        inEach((at) => {
          if (!table.#ranges[at]) return undefined;
          const [first, last] = table.#ranges[at];
          const fields = { reservedIn: inDim, reservedOut: last - first, reservedType };
          return { task: 'create', name: 'newLinear', fields };
        }),
      );
      table.#objects = answers.map((answer) => answer?.[0]);
      return table;
    }

    async fill(firstRow, rows) {
      const weight = library.readTensor('weightRows', rows);
      await live(() =>
        inEach((at) => {
          const [begin, end] = this.#ranges[at] ?? [0, 0];
          const first = Math.max(begin, firstRow);
          const last = Math.min(end, firstRow + weight.dims[0]);
          if (first >= last) return undefined;
          return {
            task: 'fillTable',
            object: this.#objects[at],
            firstRow: first - begin,
            weight: slice(weight, 0, [first - firstRow, last - firstRow]),
          };
        }),
      );
    }

    /** These rows, ids × inDim. */
    async rows(ids) {
      const width = this.#inDim;
      const owners = ids.map((id) => this.#ranges.findIndex(([, last]) => id < last));
      const results = await live(() =>
        callEach('linearRows', (at) => {
          if (!owners.includes(at)) return undefined;
          const own = ids.filter((_, index) => owners[index] === at);
          const [first] = this.#ranges[at];
          return { layer: this.#objects[at], ids: own.map((id) => id - first) };
        }),
      );
      const whole = emptyTensor([ids.length, width]);
      const next = results.map(() => 0); // rows that were copied, by worker
      owners.forEach((at, index) => {
        const begin = next[at]++ * width;
        whole.data.set(results[at].output.data.subarray(begin, begin + width), index * width);
      });
      return whole;
    }

    async forward(x) {
      const input = library.readTensor('x', x);
      const results = await live(() =>
        callEach('linear', (at) => {
          const layer = this.#objects[at];
          return layer && { layer, x: copied(input) };
        }),
      );
      const outputs = results.flatMap((result) => result?.output ?? []);
      return joinColumns(outputs, [...input.dims.slice(0, -1), this.#ranges.at(-1)[1]]);
    }

    delete() {
      release((at) => this.#objects[at] && { task: 'release', object: this.#objects[at] });
    }
  }

  /** The fields of the calls of a layer's attentions. */
  function attentionCalls({ causal, window, weights, projections, memory, cache }) {
    const returnWeights = weights ? heap.enums.Weights.perHead : 0;
    const own = { returnWeights, returnProjections: projections };
    const isCache = memory instanceof PooledCache;
    return {
      self: {
        ...own,
        ...library.attentionFields({ causal, window }, heap.enums),
        cache: cache?.takeFields(),
      },
      cross: memory && { ...own, memory: isCache ? memory.takeFields() : tensorOf(memory) },
    };
  }

  /** Runs the steps of all workers, and sends each the columns of the others in between. */
  async function computeSteps(task, signal) {
    const run = ++lastId;
    let isDone = false;
    try {
      // Cloned for each worker.
      let answers = await Promise.all(
        links.map((link, at) => link.request({ task: 'begin', run, at, workers: count, ...task })),
      );
      while (answers[0][0].shards) {
        signal?.throwIfAborted();
        ended.signal.throwIfAborted();
        const shards = answers.map(([answer]) => answer.shards);
        answers = await inEach((at) => ({
          task: 'resume',
          run,
          shards: shards[0].map((_, n) => shards.map((own, from) => columnsFor(own[n], from, at))),
        }));
      }
      isDone = true;
      return answers.map(([answer]) => answer);
    } finally {
      if (!isDone) release(() => ({ task: 'drop', run }));
    }
  }

  /** The columns from one worker in the message to another; the last recipient gets the array itself. */
  const columnsFor = (columns, from, at) => {
    if (from === at) return undefined;
    const last = from === count - 1 ? count - 2 : count - 1;
    return at === last ? columns : columns.slice();
  };

  const results = {
    self: { weights: 'weights', query: 'query', key: 'key', value: 'value' },
    cross: {
      ...{ weights: 'crossWeights', query: 'crossQuery', key: 'crossKey', value: 'crossValue' },
    },
  };

  /** The results of a layer from those of all workers, by the names of TransformerLayer. */
  function joinResults(shards, { weights }) {
    const joined = {};
    for (const [attention, names] of Object.entries(results)) {
      const own = shards.map((shard) => shard[attention] ?? {});
      for (const [name, to] of Object.entries(names)) {
        const tensors = own.map((result) => result[name]);
        if (!tensors.some(Boolean)) continue;
        joined[to] = name === 'weights' ? requestedWeights(tensors, weights) : joinHeads(tensors);
      }
    }
    return joined;
  }

  async function forwardLayers(layers, x, calls, { hiddenStates, signal }) {
    const task = {
      layers: layers.map(({ id }) => id),
      x: tensorOf(x),
      calls: calls.map(attentionCalls),
      outputs: hiddenStates,
    };
    const answers = await live(() => computeSteps(task, signal), signal);
    return calls.map((call, n) => {
      const shards = answers.map((answer) => answer.results[n]);
      const isLast = n === calls.length - 1;
      const output = isLast ? answers[0].output : shards[0].output;
      return { ...joinResults(shards, call), output };
    });
  }

  const { layerNorm, rmsNorm, sinusoidalPositions } = api;
  return {
    ...{ layerNorm, rmsNorm, sinusoidalPositions, forwardLayers },
    TransformerLayer: PooledLayer,
    // Matrices of heads and patches are small: the calling thread computes them.
    Linear: { fromTorch: api.Linear.fromTorch, reserve: PooledTable.reserve },
    memoryBytes: () => 0,
    workers: count,
    finish: (steps, signal) => live(() => finish(steps), signal),
    /** The error that ended a worker of the model, or undefined. */
    deathReason: () => links.find((link) => link.isDead)?.reason,
    /** Rejects running and later calls. */
    end: (reason) => ended.abort(reason),
    /** Calls free() when the owner is collected. */
    freeWith: (owner, free) => registry.register(owner, free),
  };
}
