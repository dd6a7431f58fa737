// The worker's side of a model on a pool. A worker holds some heads of each attention and some outputs of each matrix:
// its shard of every layer. All workers compute the same layers in steps. A step ends with the worker's columns of a
// matrix; the pool sends it those of the others, and the next step multiplies all of them. Residual sums and norms are
// computed in each worker.

/** A tensor field of a call. */
const field = (name, { data, dims }) => ({ name, data, dims, type: 'Float32Array' });

/** The columns of a worker that has none. */
const noColumns = () => ({ data: new Float32Array(0) });

const objectNames = ['self', 'selfOutput', 'cross', 'crossOutput', 'up', 'gate', 'down'];

/** A matrix from the columns of each worker. dims: of any matrix with these rows. */
function joinColumns(shards, dims) {
  const rows = dims.slice(0, -1).reduce((product, dim) => product * dim, 1);
  const widths = shards.map(({ length }) => length / rows);
  const width = widths.reduce((total, own) => total + own, 0);
  const data = new Float32Array(rows * width);
  for (let row = 0, to = 0; row < rows; row++) {
    shards.forEach((shard, at) => {
      data.set(shard.subarray(row * widths[at], (row + 1) * widths[at]), to);
      to += widths[at];
    });
  }
  return { data, dims: [...dims.slice(0, -1), width] };
}

/** x + scale · added. */
function sum({ data, dims }, added, scale) {
  const width = dims.at(-1);
  const total = new Float32Array(data.length);
  for (let at = 0; at < total.length; at++) {
    // Rounded as the module rounds it.
    total[at] =
      data[at] + (scale ? Math.fround(scale[at % width] * added.data[at]) : added.data[at]);
  }
  return { data: total, dims };
}

/** The tasks of the pool's models in the module of `heap`. Ids are chosen by the pool. */
export function modelTasks(heap) {
  const layers = new Map();
  const caches = new Map(); // addresses
  const runs = new Map(); // generators

  /** The address of a cache, created on its first use; with a context, filled with its keys and values. */
  function cacheOf(attention, { id, batch = 1, capacity, context, copies = [] }) {
    let cache = caches.get(id);
    if (cache === undefined) {
      const { kvHeads, keyDim, valueDim } = attention;
      const sizes = { kvHeads, keyDim, valueDim };
      const fields = context && {
        layer: attention.object,
        context: field('memory', context),
        cross: true,
      };
      const { batch: entries, length } = fields
        ? heap.facts('projectContext', fields)
        : { batch, length: capacity };
      cache = heap.create('newCache', { ...sizes, batch: entries, capacity: length }).object;
      caches.set(id, cache);
      if (fields) heap.call('projectContext', { ...fields, cache });
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

  /** One layer in steps: yields lists of this worker's columns, and is resumed with lists of whole matrices. */
  function* layerSteps(layer, x, call, results) {
    const { normFirst, parallel, vectors } = layer;
    const input = normFirst ? norm(layer, 'selfNorm', x) : x;
    const own = attend(layer.self, input, call.self, (results.self = {}));
    if (parallel) {
      const upInput = vectors.feedForwardNorm ? norm(layer, 'feedForwardNorm', x) : input;
      const [z, hidden] = yield [own, projectUp(layer, upInput)];
      const [output, added] = yield [linear(layer.selfOutput, z), linear(layer.down, hidden)];
      return sum(sum(x, output, vectors.selfScale), added, vectors.feedForwardScale);
    }
    /** The residual sum with what a matrix adds, and its norm. */
    function* add(residual, map, factor, normName, scale) {
      const [output] = yield [linear(map, factor)];
      const total = sum(residual, output, scale);
      return normFirst ? total : norm(layer, normName, total);
    }
    const [z] = yield [own];
    let rows = yield* add(x, layer.selfOutput, z, 'selfNorm', vectors.selfScale);
    if (call.cross) {
      const query = normFirst ? norm(layer, 'crossNorm', rows) : rows;
      const [crossZ] = yield [attend(layer.cross, query, call.cross, (results.cross = {}))];
      rows = yield* add(rows, layer.crossOutput, crossZ, 'crossNorm');
    }
    const [hidden] = yield [
      projectUp(layer, normFirst ? norm(layer, 'feedForwardNorm', rows) : rows),
    ];
    return yield* add(rows, layer.down, hidden, 'feedForwardNorm', vectors.feedForwardScale);
  }

  /** All layers in steps; returns { output, results }: results of each layer, with its output if requested. */
  function* run({ layers: ids, x, calls, outputs }) {
    const returned = [];
    let rows = x;
    for (const [n, id] of ids.entries()) {
      const results = {};
      rows = yield* layerSteps(layers.get(id), rows, calls[n], results);
      returned.push({ ...results, output: outputs ? rows : undefined });
    }
    return { output: rows, results: returned };
  }

  /** Runs a run until it needs the columns of other workers: { shards }, or { output, results } at its end. */
  function advance(id, matrices) {
    const { steps, at, workers } = runs.get(id);
    let { value, done } = steps.next(matrices);
    while (!done && workers === 1) ({ value, done } = steps.next(value));
    if (!done) {
      runs.get(id).own = value;
      // Copies, which are transferred.
      return [{ shards: value.map(({ data }) => data.slice()) }];
    }
    runs.delete(id);
    // All workers have the same rows; the first returns them.
    const { output, results } = value;
    if (at === 0) return [{ output, results }];
    return [{ results: results.map(({ output: _, ...others }) => others) }];
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

    /** Begins to compute layers. at: index of this worker; workers: their number. */
    begin({ run: id, at, workers, ...task }) {
      runs.set(id, { steps: run(task), dims: task.x.dims, at, workers });
      return advance(id);
    },

    /** Continues with the columns of all workers; undefined stands for this worker's own. */
    resume({ run: id, shards }) {
      const { own, dims } = runs.get(id);
      const matrices = shards.map((columns, n) =>
        joinColumns(
          columns.map((data) => data ?? own[n].data),
          dims,
        ),
      );
      return advance(id, matrices);
    },

    /** Forgets a run that was aborted. */
    drop({ run: id }) {
      runs.delete(id);
      return [];
    },
  };
}
