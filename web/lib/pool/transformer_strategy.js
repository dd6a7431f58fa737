// Strategy of Transformer layers, data parallel: every worker holds the whole layer and computes some of the batch entries,
// or some of the rows of a sequence. In the second case the workers first project some rows of keys and values each, and
// then receive all of them. Results have the bits of an undivided call.
import { sizeOf } from '../arguments/dims.js';
import { library } from './library.js';
import { countWork, divide, evenRanges } from './shards.js';
import { asInput, copied, emptyTensor, mappedTensors, slice } from './worker_tensors.js';

const { copyBox, writeBox } = library;

const hasNumbers = (field) => ArrayBuffer.isView(field?.data);

/** A sequence, or a batch of them, as one matrix of rows. */
const asRows = (tensor) => {
  const width = tensor.dims.at(-1);
  return { ...tensor, dims: [sizeOf(tensor.dims.slice(0, -1)), width] };
};

/** The box of some rows in x and in every result; rows are the last axis but one. */
const boxIn = (dims, { batch, queries }, rank) =>
  dims.map((dim, at) => {
    if (at === dims.length - 2) return queries;
    return at === 0 && rank === 3 ? batch : [0, dim];
  });

/** The sizes of a call, and the multiply-adds of its rows; block: see divide(). */
function sizesOf({ x, memory }, facts, weightCount, block) {
  const { heads, kvHeads, keyDim, valueDim } = facts;
  const { crossKvHeads, crossKeyDim, crossValueDim, crossContextDim } = facts;
  const memoryLength = memory ? memory.dims.at(-2) : 0;
  const crossDims = crossKeyDim + crossValueDim;
  const perMemoryRow = memory ? crossContextDim * crossKvHeads * crossDims : 0;
  const perRow = weightCount - perMemoryRow + (memory ? memoryLength * heads * crossDims : 0);
  return {
    batch: x.dims.length === 3 ? x.dims[0] : 1,
    heads,
    kvHeads,
    qLen: x.dims.at(-2),
    kLen: x.dims.at(-2),
    memoryLength,
    queryCost: perRow / (heads * (keyDim + valueDim)),
    memoryWork: memory ? (memory.data.length / crossContextDim) * perMemoryRow : 0,
    block,
  };
}

export class TransformerStrategy {
  #heap;
  #workers;
  #facts;
  #fields;
  #readCall;
  #weightCount; // elements of its matrices: multiply-adds per row

  /** readCall: see layerReader(). */
  constructor(heap, workers, readCall, facts, fields) {
    this.#heap = heap;
    this.#workers = workers;
    this.#readCall = readCall;
    this.#facts = facts;
    this.#fields = Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [
        name,
        hasNumbers(field) ? copied(field) : field,
      ]),
    );
    this.#weightCount = Object.values(fields)
      .filter((field) => hasNumbers(field) && field.dims.length === 2)
      .reduce((sum, { data }) => sum + data.length, 0);
  }

  /** Calls with a cache are local: the cache is in the local module. */
  read(...args) {
    const { read, fields } = this.#readCall(...args);
    const isLocal = fields.cache !== undefined || fields.memoryCache !== undefined;
    return { name: 'transformerLayer', fields, read, isLocal };
  }

  #sizesOf({ fields: { x, memory } }) {
    const block = this.#heap.enums.Block.rows; // of the matrix product
    return sizesOf({ x, memory }, this.#facts, this.#weightCount, block);
  }

  workOf(call) {
    const sizes = this.#sizesOf(call);
    const { keyDim, valueDim } = this.#facts;
    return countWork(call.read, sizes) * (keyDim + valueDim) + sizes.memoryWork;
  }

  async compute(call, dims, count, objects) {
    const { x, memory } = call.fields;
    const tensors = { x, memory };
    const sizes = this.#sizesOf(call);
    const shards = divide(call.read, sizes, count, true);
    // Shards of whole batch entries contain all their keys.
    const hasFullSequences = shards
      .flat()
      .every(({ queries }) => queries[1] - queries[0] === sizes.qLen);
    // Copied before the first await: the caller may change its arrays afterwards.
    const calls = shards.map((shard) =>
      shard.map((box) => this.#callOf(box, tensors, call.read, sizes, hasFullSequences)),
    );
    const rows = hasFullSequences ? undefined : this.#rowsOf(tensors, shards.length);
    const clients = this.#workers.idlest(shards.length);
    const { signal } = call.read;
    const request = (client, name, fields) => this.#request(objects, client, name, fields, signal);
    if (rows) await this.#project(request, clients, rows, tensors, shards, calls);
    const answers = clients.map((client, at) => request(client, 'transformerLayer', calls[at]));
    await null; // so that the calls are sent
    const results = mappedTensors(dims, this.#heap.released);
    await Promise.all(
      answers.map(async (answer, at) => {
        const { results: own, reuse } = await answer;
        shards[at].forEach((box, index) => {
          for (const [name, result] of Object.entries(results)) {
            writeBox(result, boxIn(result.dims, box, x.dims.length), own[index][name].data);
          }
        });
        reuse();
      }),
    );
    return results;
  }

  /** Fields of the call that computes a box: a range of batch entries and rows. */
  #callOf(box, { x, memory }, options, sizes, hasFullSequences) {
    const heads = [0, sizes.heads];
    const fullFields = library.attentionFields(options, this.#heap.enums);
    const fields = {
      ...library.optionsOfRange(fullFields, { ...box, heads, keys: [0, sizes.kLen] }),
      x: { ...copyBox(x, boxIn(x.dims, box, x.dims.length), this.#workers.allocate), name: 'x' },
    };
    if (!memory) return fields;
    const { crossMask, crossKeyLengths } = options;
    const keys = [0, sizes.memoryLength];
    Object.assign(
      fields,
      library.crossFields(
        {
          __proto__: null,
          ...options,
          crossMask: crossMask && library.maskOfRange(crossMask, { ...box, heads, keys }),
          crossKeyLengths: crossKeyLengths?.slice(...box.batch),
        },
        this.#heap.enums,
      ),
    );
    if (hasFullSequences) fields.memory = { ...entriesOf(memory, box), name: 'memory' };
    return fields;
  }

  /** For each of `count` workers some rows of x, and of the memory. */
  #rowsOf(tensors, count) {
    const shards = Array.from({ length: count }, () => ({}));
    for (const [name, tensor] of Object.entries(tensors)) {
      if (!tensor) continue;
      const rows = asRows(tensor);
      evenRanges(rows.dims[0], count).forEach((range, at) => {
        shards[at][name] = { ...slice(rows, 0, range, this.#workers.allocate), name };
      });
    }
    return shards;
  }

  /** Projects keys and values, and adds them to the calls. */
  async #project(request, clients, rows, tensors, shards, calls) {
    const answers = await Promise.all(
      clients.map(async (client, at) => {
        const { results } = await request(client, 'projectLayer', [rows[at]]);
        return results[0];
      }),
    );
    for (const name of Object.keys(answers[0])) {
      const projections = answers.map((answer) => answer[name]);
      const { dims } = name.startsWith('memory') ? tensors.memory : tensors.x;
      const all = emptyTensor([...dims.slice(0, -1), projections[0].dims.at(-1)]);
      let end = 0;
      for (const { data } of projections) {
        all.data.set(data, end);
        end += data.length;
      }
      shards.forEach((shard, index) =>
        shard.forEach((box, n) => {
          calls[index][n][name] = { ...entriesOf(asInput(all), box), name };
        }),
      );
    }
  }

  /** Calls a function of the layer in a worker; see Workers.call(). */
  async #request(objects, client, name, calls, signal) {
    const layer = await objects.addressIn(client, 'newTransformerLayer', this.#fields);
    const requests = calls.map((fields) => [name, { ...fields, layer }]);
    return this.#workers.call(client, requests, signal);
  }
}

/** The sequences of the batch entries of a box. */
const entriesOf = (tensor, { batch }) =>
  tensor.dims.length === 3 ? slice(tensor, 0, batch) : copied(tensor);
