// Strategy of models, tensor parallel: the layers that loadModel() of attention-wasm/models builds. Matrices are divided by
// outputs, so that their weights are in memory once over all workers and results have the bits of an undivided model.
import { sizeOf } from '../arguments/dims.js';
import { finalizationRegistry } from '../module/finalization.js';
import { averageHeads } from './average_heads.js';
import { buffersIn } from './buffers_in.js';
import { arePortsFast, connectWorkers } from './connect_workers.js';
import { sendColumns } from './all_gather.js';
import { headsOfWorker, layerObjects } from './layer_objects.js';
import { library } from './library.js';
import { allowsSharedMemory, endRun, sharedMemory } from './shared_columns.js';
import { evenRanges } from './shards.js';
import { copied, emptyTensor, slice } from './worker_tensors.js';

// Steps with more numbers go through ports: to copy them out of shared memory takes longer than messages do. With shared
// memory BERT-base takes 1.03 times as long for 128 tokens, and each run of 512 has 12 MiB of it.
const largestStep = 2 ** 14;

let lastId = 0; // of layers, caches and runs

const registry = /* @__PURE__ */ finalizationRegistry((free) => free());

// Two workers are as fast as one thread for a text of 32 tokens where they are for single rows of this many times the work.
const rowsOfText = 4;

const isMatrix = ({ shape }) => shape?.length === 2;

// Time of an int8 product ÷ time of a float32 product: of one row, which memory bandwidth limits, and of a text.
const int8Row = 0.25;
const int8Text = 0.5;

/**
 * The time of the largest layer for one call, as numbers of float32 matrices that one row is multiplied with. plan: of
 * planModel(); storage: of its weights; isGenerated: whether one row is computed per call.
 */
function layerWork({ plan, storage, isGenerated }) {
  const workOf = (planned) => {
    if (isMatrix(planned)) {
      const isInt8 = storage === 'int8' || (storage === 'as stored' && planned.type === 'int8');
      const factor = isGenerated ? int8Row : int8Text;
      return planned.shape[0] * planned.shape[1] * (isInt8 ? factor : 1);
    }
    const nested = Object.values(planned).filter((value) => typeof value === 'object' && value);
    return nested.reduce((sum, value) => sum + workOf(value), 0);
  };
  const works = Object.values(plan.stacks).map(({ layers: [{ weights }] }) => workOf(weights));
  return Math.max(...works) * (isGenerated ? 1 : rowsOfText);
}

/** A promise: whether these workers can share memory, and sleep until others have written to it. */
async function connectMemory(clients) {
  // Workers in one thread would wait for each other for ever.
  if (!clients.every(({ isThread }) => isThread)) return false;
  const connect = (client) => client.request({ task: 'connectMemory', memory: sharedMemory(0, 1) });
  try {
    await Promise.all(clients.map(connect));
    return true;
  } catch {
    return false;
  }
}

/** Columns of the widest step of a layer. ends: of layerObjects() */
function stepWidth({ ends: { self, cross, up, model }, parallel }) {
  const width = (ends) => (ends ? ends.at(-1) : 0);
  if (parallel) return Math.max(width(self) + width(up), 2 * width(model));
  return Math.max(...[self, cross, up, model].map(width));
}

const tensorOf = ({ data, dims }) => ({ data, dims });

/** Runs the steps of a model (see finish() in models/assemble_model.js); a promise of their result. */
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

/** Numbers in one array. */
function concatenated(arrays) {
  const whole = new Float32Array(arrays.reduce((length, own) => length + own.length, 0));
  let end = 0;
  for (const own of arrays) {
    whole.set(own, end);
    end += own.length;
  }
  return whole;
}

/** The heads of all workers as one tensor, heads × n × m; some workers may have none. */
function joinHeads(shards) {
  const present = shards.filter(Boolean);
  const heads = present.reduce((sum, { dims }) => sum + dims[0], 0);
  return {
    data: concatenated(present.map(({ data }) => data)),
    dims: [heads, ...present[0].dims.slice(1)],
  };
}

function requestedWeights(shards, weights) {
  const all = joinHeads(shards);
  return weights === 'average' ? averageHeads(all, all.dims[0], all.dims.slice(1)) : all;
}

const sideOf = ({ isCross }) => (isCross ? 'cross' : 'self');

/** @type {{ edits?: number[], values?: object, captures?: number[] }} */
const noInterventions = {};

/** The fields of an attention's call, with its edits and captures. attention: of LayerInterventions.shard(). */
function interventionFields({ mask, interventions = noInterventions }) {
  const { edits, values, captures } = interventions;
  return {
    ...{ edits, captures, mask: mask && { name: 'mask', type: 'Uint8Array', ...mask } },
    editValues: values && library.readTensor('interventions.values', values),
  };
}

/** The captured numbers of a layer. shards: of LayerInterventions; results: of the workers; perHead: of captures() */
function joinCaptures(shards, results, perHead) {
  const ends = results.map(() => ({ self: 0, cross: 0 }));
  const ofHeads = (side, n) =>
    results.map((result, at) => {
      const begin = ends[at][side];
      const end = (ends[at][side] += shards[at].captures[n].size);
      return begin < end ? result[side].captured.data.subarray(begin, end) : [];
    });
  const arrays = shards[0].captures.flatMap((point, n) => {
    if (point.isPerHead) return [perHead.shift().data];
    if (point.hasHeads) return ofHeads(sideOf(point), n);
    return [results[0].captured[point.name].data];
  });
  return { data: concatenated(arrays) };
}

/** A function that frees a cache in all workers. Outside of the cache, which it must not hold. */
const freeCache = (clients, id) => () => {
  for (const client of clients)
    client.request({ task: 'freeCaches', caches: [id] }).catch(() => {});
};

/**
 * Keys and values in the workers, of some heads in each. They are created when a call first uses the cache, and freed by
 * delete() or when the cache is collected: a generator that its caller drops never ends.
 */
class PooledCache {
  #id = ++lastId;
  #free;
  #fields;
  #copies = [];

  /** fields: { batch?, capacity }, or { context, edits } for its keys and values; edits: fields by worker. */
  constructor(clients, fields) {
    this.#fields = fields;
    this.#free = freeCache(clients, this.#id);
    registry.register(this, this.#free, this);
  }

  copyEntry(from, to) {
    this.#copies.push([from, to]);
  }

  /** The cache as an argument of a run, a function of the worker. The context and the copies are sent once. */
  takeFields() {
    const { context, edits, ...sizes } = this.#fields;
    this.#fields = sizes;
    const fields = { id: this.#id, ...sizes, context, copies: this.#copies.splice(0) };
    return (at) => ({ ...fields, edits: edits?.[at] });
  }

  delete() {
    registry.unregister(this);
    this.#free();
  }
}

/**
 * Layers for loadModel(), in place of those of loadAttention().
 *
 * @param {object} api of the calling thread, which computes norms, small matrices and embeddings
 * @param {{ plan: object, storage: string, isGenerated: boolean }} model see layerWork()
 */
export async function createModelApi(api, heap, workers, model) {
  const isSharedAllowed = allowsSharedMemory();
  const usesPorts = await arePortsFast();
  const connects = isSharedAllowed || usesPorts;
  const count = workers.workersForModel(layerWork(model), connects);
  const clients = workers.idlest(count);
  const usesShared = isSharedAllowed && count > 1 && (await connectMemory(clients));
  // Where a worker accepts neither memory nor a port, this thread relays the columns.
  const peers = usesPorts ? await connectWorkers(clients).catch(() => undefined) : undefined;
  const ended = new AbortController();

  /** The promise of work(); rejects when the model is deleted or the signal aborts. */
  const live = (work, signal) => {
    ended.signal.throwIfAborted();
    return workers.untilAborted(ended.signal, () => workers.untilAborted(signal, work));
  };

  /** Tasks of the workers: of(index) returns one, whose buffers are transferred, or undefined for none. */
  const inEach = (of) =>
    Promise.all(
      clients.map((client, at) => {
        const task = of(at);
        return task && client.request(task, buffersIn(task));
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
    /** @type {ReturnType<typeof headsOfWorker>[]} */
    headsByWorker = [];
    heads = { self: 0, cross: 0 };
    stepWidth = 0;

    static async fromWeights(weights, options) {
      const fields = library.readTransformerLayer(weights, options, heap.enums);
      const facts = heap.facts('newTransformerLayer', fields);
      const layer = new PooledLayer();
      layer.headsByWorker = clients.map((_, at) => headsOfWorker(facts, fields, at, count));
      layer.heads = { self: facts.heads, cross: facts.crossHeads };
      try {
        await live(() =>
          inEach((at) => {
            const objects = layerObjects(fields, facts, at, count);
            layer.stepWidth = stepWidth(objects); // the same for all workers
            return { task: 'createLayer', layer: layer.id, ...objects };
          }),
        );
      } catch (error) {
        layer.delete();
        throw error;
      }
      return layer;
    }

    createCache(fields) {
      return new PooledCache(clients, fields);
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

  function projectMemory(layer, context, edits) {
    const fields = layer.headsByWorker.map(
      (heads) => edits && interventionFields(edits.shard(heads).cross),
    );
    return new PooledCache(clients, { context: tensorOf(context), edits: fields });
  }

  /** The fields of the calls of a layer's attentions, a function of the worker and of its shard of interventions. */
  function attentionCalls(layer, call) {
    const { causal, window, softcap, slopes, weights, projections, memory, cache } = call;
    const returnWeights = weights ? heap.enums.Weights.perHead : 0;
    const own = { returnWeights, returnProjections: projections };
    const visibility = library.attentionFields({ causal, window, softcap }, heap.enums);
    const cacheIn = cache?.takeFields();
    const memoryIn = memory instanceof PooledCache ? memory.takeFields() : () => tensorOf(memory);
    return (at, shard) => {
      const fieldsOf = (side) => {
        if (!shard) return own;
        const returns = (name) =>
          shard.captures.some((point) => point.at === name && sideOf(point) === side);
        return {
          ...interventionFields(shard[side]),
          ...{ returnWeights, returnHeadOutputs: returns('head_out') },
          returnProjections: projections || returns('value_out'),
        };
      };
      // The first worker captures rows: they are the same in all.
      const rows = shard?.captures.filter(({ hasHeads }) => at === 0 && !hasHeads) ?? [];
      return {
        self: {
          ...{ ...fieldsOf('self'), ...visibility, cache: cacheIn?.(at) },
          slopes: slopes?.slice(...layer.headsByWorker[at].self.head),
        },
        cross: memory && { ...fieldsOf('cross'), memory: memoryIn(at) },
        rows: shard?.rows,
        captured: Object.fromEntries(rows.map(({ name }) => [name, undefined])),
      };
    };
  }

  const posts = clients.map((client) => client.post.bind(client));

  /** Computes layers in all workers. taskOf: a function of the worker; stepNumbers: in the widest step. */
  async function computeSteps(taskOf, stepNumbers, signal) {
    const run = ++lastId;
    const isShared = usesShared && (!peers || stepNumbers <= largestStep);
    const shared = isShared ? sharedMemory(count, stepNumbers) : undefined;
    const way = shared ? { shared } : { peers };
    if (!peers && !shared) {
      clients.forEach((client, from) =>
        client.relays.set(run, (columns) => sendColumns(posts, { run, from, columns })),
      );
    }
    // Cloned for each worker.
    const start = () =>
      Promise.all(
        clients.map((client, at) =>
          client.request({ task: 'run', run, at, workers: count, ...way, ...taskOf(at) }),
        ),
      );
    try {
      const answers = await live(start, signal);
      return answers.map(([answer]) => answer);
    } catch (error) {
      // Workers that wait for the columns of others stop.
      posts.forEach((post) => post({ run }));
      if (shared) endRun(shared, count);
      throw error;
    } finally {
      for (const client of clients) client.relays.delete(run);
    }
  }

  const results = {
    self: { weights: 'weights', query: 'query', key: 'key', value: 'value' },
    cross: {
      ...{ weights: 'crossWeights', query: 'crossQuery', key: 'crossKey', value: 'crossValue' },
    },
  };

  /** The results of a layer from those of all workers, by the names of TransformerLayer. */
  function joinResults(shards, { weights, projections }) {
    const joined = {};
    for (const [attention, names] of Object.entries(results)) {
      const own = shards.map((shard) => shard[attention] ?? {});
      for (const [name, to] of Object.entries(names)) {
        const tensors = own.map((result) => result[name]);
        const isRequested = name === 'weights' || projections;
        if (!isRequested || !tensors.some(Boolean)) continue;
        joined[to] = name === 'weights' ? requestedWeights(tensors, weights) : joinHeads(tensors);
      }
    }
    return joined;
  }

  /** Heads · W_O of their head for a capture of them, from the results of all workers. */
  async function outputsPerHead(layer, point, results) {
    const side = sideOf(point);
    const tensor = point.at === 'head_out' ? 'headOutputs' : 'value';
    const vectors = joinHeads(results.map((result) => result[side][tensor]));
    const heads = layer.heads[side];
    const task = { task: 'outputsPerHead', layer: layer.id, name: `${side}Output`, heads };
    const answers = await inEach(() => ({ ...task, vectors: copied(vectors) }));
    const shards = answers.flat();
    const width = shards.reduce((sum, { dims }) => sum + dims[2], 0);
    return joinColumns(shards, [...shards[0].dims.slice(0, 2), width]);
  }

  /** The captures of a layer, or undefined without interventions. */
  async function capturesOf(layer, shards, results) {
    if (!shards[0]?.captures.length) return undefined;
    const perHead = [];
    for (const point of shards[0].captures) {
      if (point.isPerHead) perHead.push(await outputsPerHead(layer, point, results));
    }
    return joinCaptures(shards, results, perHead);
  }

  async function forwardLayers(layers, x, calls, { hiddenStates, ofLayers, signal }) {
    const fields = calls.map((call, n) => attentionCalls(layers[n], call));
    // Indices: layer, worker.
    const shards = layers.map(({ headsByWorker }, n) =>
      headsByWorker.map((heads) => ofLayers?.[n].shard(heads)),
    );
    const taskOf = (at) => ({
      layers: layers.map(({ id }) => id),
      x: tensorOf(x),
      calls: fields.map((of, n) => of(at, shards[n][at])),
      outputs: hiddenStates,
    });
    const rows = sizeOf(x.dims.slice(0, -1));
    const stepNumbers = rows * Math.max(...layers.map((layer) => layer.stepWidth));
    return live(async () => {
      const answers = await computeSteps(taskOf, stepNumbers, signal);
      const results = [];
      for (const [n, call] of calls.entries()) {
        const own = answers.map((answer) => answer.results[n]);
        const captured = await capturesOf(layers[n], shards[n], own);
        const output = n === calls.length - 1 ? answers[0].output : own[0].output;
        results.push({ ...joinResults(own, call), captured, output });
      }
      return results;
    }, signal);
  }

  const { layerNorm, rmsNorm, sinusoidalPositions } = api;
  return {
    ...{ layerNorm, rmsNorm, sinusoidalPositions, projectMemory, forwardLayers },
    [Symbol.for('attention-wasm')]: { heap },
    TransformerLayer: PooledLayer,
    // Matrices of heads and patches are small: the calling thread computes them.
    Linear: { fromTorch: api.Linear.fromTorch, reserve: PooledTable.reserve },
    memoryBytes: () => 0,
    workers: count,
    finish: (steps, signal) => live(() => finish(steps), signal),
    /** The error that ended a worker of the model, or undefined. */
    deathReason: () => clients.find((client) => client.isDead)?.reason,
    /** Rejects running and later calls. */
    end: (reason) => ended.abort(reason),
    /** Calls free() when the owner is collected. */
    freeWith: (owner, free) => registry.register(owner, free),
  };
}
