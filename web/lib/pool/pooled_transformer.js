// The Transformer's layers on the pool. Each worker holds a whole layer and takes some of the batch
// entries, or some of the rows of a sequence; then keys and values are projected first, some rows by
// each, and given to all. Each number is computed as in one layer.
import { attentionFields } from '../arguments/attention_options.js';
import { readOptions } from '../arguments/options.js';
import { readTensor } from '../arguments/tensor.js';
import { crossFields, decoderOptions, encoderOptions, readLayer } from '../layers/transformer.js';
import { maskPart, optionsOfPart } from './attention_shares.js';
import { memoryOf } from './pooled_attention.js';
import { RemoteObjects } from './remote_objects.js';
import { countWork, divide, evenRanges } from './shares.js';
import { copied, cut, emptyTensor, put, slice } from './tensor_part.js';

// Rows that the product with a matrix takes together; a share of a sequence begins at a multiple of it.
const block = 16;

const hasNumbers = (field) => ArrayBuffer.isView(field?.data);

/** A sequence, or all of a batch one after the other, as one matrix of rows. */
const asRows = (tensor) => {
  const width = tensor.dims.at(-1);
  return { ...tensor, dims: [tensor.dims.slice(0, -1).reduce((a, b) => a * b, 1), width] };
};

/** Where the rows of a box are, in x and in every result: next to the last axis. */
const placeOf = ({ batch, queries }, dims, rank) =>
  dims.map((dim, at) => {
    if (at === dims.length - 2) return queries;
    return at === 0 && rank === 3 ? batch : [0, dim];
  });

/** What is known of a call: its sizes, and the work of its rows. */
function sizesOf({ x, memory }, facts, weightCount) {
  const { headCount, kvHeadCount, keyDim, valueDim } = facts;
  const { crossKvHeadCount, crossKeyDim, crossValueDim, memoryDim } = facts;
  const memoryLength = memory ? memory.dims.at(-2) : 0;
  const crossDims = crossKeyDim + crossValueDim;
  const perMemoryRow = memory ? memoryDim * crossKvHeadCount * crossDims : 0;
  const perRow = weightCount - perMemoryRow + (memory ? memoryLength * headCount * crossDims : 0);
  return {
    batch: x.dims.length === 3 ? x.dims[0] : 1,
    headCount,
    kvHeadCount,
    queryLength: x.dims.at(-2),
    keyLength: x.dims.at(-2),
    memoryLength,
    queryCost: perRow / (headCount * (keyDim + valueDim)),
    memoryWork: memory ? (memory.data.length / memoryDim) * perMemoryRow : 0,
  };
}

/** The layer in the workers. */
class SharedLayer {
  #heap;
  #workers;
  #facts;
  #fields;
  #weightCount; // numbers in its matrices, each a multiply-add of a row
  #objects;

  constructor(heap, workers, layer, facts, fields) {
    this.#heap = heap;
    this.#workers = workers;
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
    this.#objects = new RemoteObjects(layer);
  }

  release() {
    this.#objects.release();
  }

  /** The results of a call, promised; nothing if the call is too small for workers. */
  forward(tensors, options) {
    const { dims } = this.#heap.plan('transformerLayer', {
      ...attentionFields(options),
      ...(tensors.memory && crossFields(options)),
      ...tensors,
      layer: this.#facts.object,
    });
    const sizes = sizesOf(tensors, this.#facts, this.#weightCount);
    const { keyDim, valueDim } = this.#facts;
    const work = countWork(options, sizes) * (keyDim + valueDim) + sizes.memoryWork;
    const wanted = this.#workers.wantedFor(work);
    if (wanted < 1) return undefined;

    const shares = divide(options, { ...sizes, block }, wanted, true);
    // Whole entries of the batch need no keys from elsewhere.
    const isWhole = shares
      .flat()
      .every(({ queries }) => queries[1] - queries[0] === sizes.queryLength);
    // All is copied now; the caller may change it while the workers start.
    const calls = shares.map((share) =>
      share.map((box) => this.#callOf(box, tensors, options, sizes, isWhole)),
    );
    const sequences = isWhole ? undefined : this.#sequencesOf(tensors, shares.length);
    const links = this.#workers.idlest(shares.length);
    return this.#objects.during(async () => {
      if (sequences) await this.#project(links, sequences, tensors, shares, calls);
      const results = Object.fromEntries(
        Object.entries(dims).map(([name, size]) => [name, emptyTensor(size)]),
      );
      await Promise.all(
        links.map(async (link, at) => {
          const parts = await this.#ask(link, 'transformerLayer', calls[at]);
          shares[at].forEach((box, index) => {
            for (const [name, result] of Object.entries(results)) {
              const place = placeOf(box, result.dims, tensors.x.dims.length);
              put(result, place, parts[index][name].data);
            }
          });
        }),
      );
      return results;
    });
  }

  /** The call as it is for a box. */
  #callOf(box, { x, memory }, options, sizes, isWhole) {
    const heads = [0, sizes.headCount];
    const own = optionsOfPart({ ...box, heads }, options, [0, sizes.keyLength]);
    const fields = {
      ...attentionFields(own),
      x: { ...cut(x, placeOf(box, x.dims, x.dims.length)), name: 'x' },
    };
    if (!memory) return fields;
    const { crossMask, crossKeyLengths } = options;
    const keys = [0, sizes.memoryLength];
    Object.assign(
      fields,
      crossFields({
        ...options,
        crossMask: crossMask && maskPart(crossMask, { ...box, heads, keys }),
        crossKeyLengths: crossKeyLengths?.slice(...box.batch),
      }),
    );
    if (isWhole) fields.memory = { ...entriesOf(memory, box), name: 'memory' };
    return fields;
  }

  /** For each of so many workers some rows of x, and of the memory. */
  #sequencesOf(tensors, count) {
    const parts = Array.from({ length: count }, () => ({}));
    for (const [name, tensor] of Object.entries(tensors)) {
      const rows = asRows(tensor);
      evenRanges(rows.dims[0], count).forEach((range, at) => {
        parts[at][name] = { ...slice(rows, 0, range), name };
      });
    }
    return parts;
  }

  /** Projects the keys and values and adds them to the calls. */
  async #project(links, sequences, tensors, shares, calls) {
    const answers = await Promise.all(
      links.map(async (link, at) => {
        const [answer] = await this.#ask(link, 'projectLayer', [sequences[at]]);
        return answer;
      }),
    );
    for (const name of Object.keys(answers[0])) {
      const parts = answers.map((answer) => answer[name]);
      const { dims } = name.startsWith('memory') ? tensors.memory : tensors.x;
      const whole = emptyTensor([...dims.slice(0, -1), parts[0].dims.at(-1)]);
      let at = 0;
      for (const { data } of parts) {
        whole.data.set(data, at);
        at += data.length;
      }
      shares.forEach((share, index) =>
        share.forEach((box, n) => {
          calls[index][n][name] = { ...entriesOf(whole, box), type: 'Float32Array', name };
        }),
      );
    }
  }

  /** Has a worker call a function of its layer. */
  async #ask(link, name, calls) {
    const layer = await this.#objects.in(link, 'newTransformerLayer', this.#fields);
    const transfer = calls.flatMap(memoryOf);
    const given = calls.map((fields) => ({ name, fields: { ...fields, layer } }));
    return link.ask({ task: 'call', calls: given }, transfer);
  }
}

/** The sequences of a box that its rows look into. */
const entriesOf = (tensor, { batch }) =>
  tensor.dims.length === 3 ? slice(tensor, 0, batch) : copied(tensor);

/** A layer of the library whose forward() is shared by the workers where that pays. */
function pooled(Layer, name, heap, workers) {
  const isDecoder = name === 'TransformerDecoderLayer';
  // A cache lives in this module, and what is done with it is done here: by the layer itself.
  const asItIs = (value) => value;
  const kinds = isDecoder ? decoderOptions(asItIs) : encoderOptions(asItIs);
  const isTensor = (given) => typeof given === 'object' && given !== null && 'data' in given;

  return class PooledLayer extends Layer {
    #shared;

    constructor(facts, fields) {
      super(facts);
      this.#shared = new SharedLayer(heap, workers, this, facts, fields);
    }

    static fromTorch(stateDict, options) {
      const fields = readLayer(name, stateDict, options);
      return new PooledLayer(heap.create('newTransformerLayer', fields), fields);
    }

    async forward(x, ...given) {
      workers.requireOpen();
      // Throws if the layer was deleted.
      void this.heads;
      const read = readOptions('forward', given[isDecoder ? 1 : 0], kinds);
      const tensors = { x: readTensor('x', x) };
      const [memory] = given;
      let isHere = read.cache !== undefined;
      if (isDecoder && isTensor(memory)) tensors.memory = readTensor('memory', memory);
      else if (isDecoder) isHere = true; // a cache, or what the layer will refuse
      const shared = isHere ? undefined : this.#shared.forward(tensors, read);
      if (shared) return shared;
      return isDecoder
        ? super.forward(tensors.x, tensors.memory ?? memory, read)
        : super.forward(tensors.x, read);
    }

    delete() {
      this.#shared.release();
      super.delete();
    }
  };
}

export function pooledTransformer(api, heap, workers) {
  const names = ['TransformerEncoderLayer', 'TransformerDecoderLayer'];
  return Object.fromEntries(names.map((name) => [name, pooled(api[name], name, heap, workers)]));
}
