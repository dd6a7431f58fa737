// The Transformer's layers divided. Each worker holds a whole layer and takes some of the batch entries, or
// some of the rows of a sequence; then keys and values are projected first, some rows by each, and given
// to all. Each number is computed as in one layer.
import { maskPart, optionsOfPart } from './attention_shares.js';
import { library } from './library.js';
import { memoryOf } from './pooled_attention.js';
import { countWork, divide, evenRanges } from './shares.js';
import { asInput, copied, cut, emptyTensor, emptyTensors, put, slice } from './tensor_part.js';

// Rows that the product with a matrix takes together; a share of a sequence begins at a multiple of it.
const block = 16;

const hasNumbers = (field) => ArrayBuffer.isView(field?.data);

/** A sequence, or all of a batch one after the other, as one matrix of rows. */
const asRows = (tensor) => {
  const width = tensor.dims.at(-1);
  return { ...tensor, dims: [tensor.dims.slice(0, -1).reduce((a, b) => a * b, 1), width] };
};

/** The rows of a box, in x and in every result: next to the last axis. */
const boxIn = (dims, { batch, queries }, rank) =>
  dims.map((dim, at) => {
    if (at === dims.length - 2) return queries;
    return at === 0 && rank === 3 ? batch : [0, dim];
  });

/** The sizes of a call, and the work of its rows. */
function sizesOf({ x, memory }, facts, weightCount) {
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
  };
}

export class TransformerDivision {
  #heap;
  #workers;
  #facts;
  #fields;
  #readCall;
  #weightCount; // numbers in its matrices, each a multiply-add of a row

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

  /** A cache is in this module, and what is done with it is done here. */
  read(...given) {
    const { read, fields } = this.#readCall(...given);
    const isLocal = fields.cache !== undefined || fields.memoryCache !== undefined;
    return { name: 'transformerLayer', fields, read, isLocal };
  }

  #sizesOf({ fields: { x, memory } }) {
    return sizesOf({ x, memory }, this.#facts, this.#weightCount);
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
    const shares = divide(call.read, { ...sizes, block }, count, true);
    // Whole entries of the batch need no keys from elsewhere.
    const isWhole = shares.flat().every(({ queries }) => queries[1] - queries[0] === sizes.qLen);
    // All is copied now; the caller may change it while the workers start.
    const calls = shares.map((share) =>
      share.map((box) => this.#callOf(box, tensors, call.read, sizes, isWhole)),
    );
    const sequences = isWhole ? undefined : this.#sequencesOf(tensors, shares.length);
    const links = this.#workers.idlest(shares.length);
    const { signal } = call.read;
    const ask = (link, name, fields) => this.#ask(objects, link, name, fields, signal);
    if (sequences) await this.#project(ask, links, sequences, tensors, shares, calls);
    const results = emptyTensors(dims);
    await Promise.all(
      links.map(async (link, at) => {
        const parts = await ask(link, 'transformerLayer', calls[at]);
        shares[at].forEach((box, index) => {
          for (const [name, result] of Object.entries(results)) {
            put(result, boxIn(result.dims, box, x.dims.length), parts[index][name].data);
          }
        });
      }),
    );
    return results;
  }

  /** The call as it is for a box. */
  #callOf(box, { x, memory }, options, sizes, isWhole) {
    const heads = [0, sizes.heads];
    const own = optionsOfPart({ ...box, heads }, options, [0, sizes.kLen]);
    const fields = {
      ...library.attentionFields(own, this.#heap.enums),
      x: { ...cut(x, boxIn(x.dims, box, x.dims.length)), name: 'x' },
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
          crossMask: crossMask && maskPart(crossMask, { ...box, heads, keys }),
          crossKeyLengths: crossKeyLengths?.slice(...box.batch),
        },
        this.#heap.enums,
      ),
    );
    if (isWhole) fields.memory = { ...entriesOf(memory, box), name: 'memory' };
    return fields;
  }

  /** For each of so many workers some rows of x, and of the memory. */
  #sequencesOf(tensors, count) {
    const parts = Array.from({ length: count }, () => ({}));
    for (const [name, tensor] of Object.entries(tensors)) {
      if (!tensor) continue;
      const rows = asRows(tensor);
      evenRanges(rows.dims[0], count).forEach((range, at) => {
        parts[at][name] = { ...slice(rows, 0, range), name };
      });
    }
    return parts;
  }

  /** Projects the keys and values and adds them to the calls. */
  async #project(ask, links, sequences, tensors, shares, calls) {
    const answers = await Promise.all(
      links.map(async (link, at) => {
        const [answer] = await ask(link, 'projectLayer', [sequences[at]]);
        return answer;
      }),
    );
    for (const name of Object.keys(answers[0])) {
      const parts = answers.map((answer) => answer[name]);
      const { dims } = name.startsWith('memory') ? tensors.memory : tensors.x;
      const whole = emptyTensor([...dims.slice(0, -1), parts[0].dims.at(-1)]);
      let end = 0;
      for (const { data } of parts) {
        whole.data.set(data, end);
        end += data.length;
      }
      shares.forEach((share, index) =>
        share.forEach((box, n) => {
          calls[index][n][name] = { ...entriesOf(asInput(whole), box), name };
        }),
      );
    }
  }

  /** Has a worker call a function of its layer. */
  async #ask(objects, link, name, calls, signal) {
    const layer = await objects.addressIn(link, 'newTransformerLayer', this.#fields);
    const transfer = calls.flatMap(memoryOf);
    const given = calls.map((fields) => ({ name, fields: { ...fields, layer } }));
    return link.ask({ task: 'call', calls: given }, transfer, signal);
  }
}

/** The sequences of a box that its rows look into. */
const entriesOf = (tensor, { batch }) =>
  tensor.dims.length === 3 ? slice(tensor, 0, batch) : copied(tensor);
