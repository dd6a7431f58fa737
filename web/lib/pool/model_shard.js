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

/** scale · rows: one factor per column, or none. */
const scaled = ({ data, dims }, scale) => ({
  data: scale ? data.map((number, at) => scale[at % scale.length] * number) : data,
  dims,
});

/** x + added. */
function sum({ data, dims }, added) {
  const total = new Float32Array(data.length);
  for (let at = 0; at < total.length; at++) total[at] = data[at] + added.data[at];
  return { data: total, dims };
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

/** The tasks of the pool's models in the module of `heap`. Ids are chosen by the pool. */
export function modelTasks(heap) {
  const layers = new Map();
  const caches = new Map(); // addresses
  const runs = new Map(); // generators

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
   * of its attentions, and what intervene() reads.
   */
  function* layerSteps(layer, x, call, results) {
    const { normFirst, parallel, vectors } = layer;
    const at = (name, rows) => intervene(call, name, rows);
    const residual = at('resid_pre', x);
    const input = normFirst ? norm(layer, 'selfNorm', residual) : residual;
    const own = attend(layer.self, input, call.self, (results.self = {}));
    if (parallel) {
      const upInput = vectors.feedForwardNorm ? norm(layer, 'feedForwardNorm', residual) : input;
      const [z, hidden] = yield [own, projectUp(layer, upInput)];
      const [output, added] = yield [linear(layer.selfOutput, z), linear(layer.down, hidden)];
      const both = [
        at('attn_out', scaled(output, vectors.selfScale)),
        at('mlp_out', scaled(added, vectors.feedForwardScale)),
      ];
      return at('resid_post', both.reduce(sum, residual));
    }
    /** The residual sum with what a matrix adds, and its norm. */
    function* add(name, to, map, factor, normName, scale) {
      const [output] = yield [linear(map, factor)];
      const total = sum(to, at(name, scaled(output, scale)));
      return normFirst ? total : norm(layer, normName, total);
    }
    const [z] = yield [own];
    let rows = yield* add('attn_out', residual, layer.selfOutput, z, 'selfNorm', vectors.selfScale);
    if (call.cross) {
      const query = normFirst ? norm(layer, 'crossNorm', rows) : rows;
      const [crossZ] = yield [attend(layer.cross, query, call.cross, (results.cross = {}))];
      rows = yield* add('cross attn_out', rows, layer.crossOutput, crossZ, 'crossNorm');
    }
    rows = at('resid_mid', rows);
    const [hidden] = yield [
      projectUp(layer, normFirst ? norm(layer, 'feedForwardNorm', rows) : rows),
    ];
    const { feedForwardScale } = vectors;
    rows = yield* add('mlp_out', rows, layer.down, hidden, 'feedForwardNorm', feedForwardScale);
    return at('resid_post', rows);
  }

  /** All layers in steps; returns { output, results }: results of each layer, with its output if requested. */
  function* run({ layers: ids, x, calls, outputs }) {
    const returned = [];
    let rows = x;
    for (const [n, id] of ids.entries()) {
      const results = {};
      rows = yield* layerSteps(layers.get(id), rows, calls[n], results);
      const { captured } = calls[n];
      returned.push({ ...results, captured, output: outputs ? rows : undefined });
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
