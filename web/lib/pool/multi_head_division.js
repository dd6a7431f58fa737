// MultiHeadAttention divided: each worker holds some of the heads, and all the projection of the heads
// together, of which it takes some of the rows. Each number is computed as in one layer.
import { abortSignal } from '../arguments/abort_signal.js';
import { library } from './library.js';
import { memoryOf } from './pooled_attention.js';
import { evenRanges } from './shares.js';
import { asInput, copied, cut, emptyTensor, emptyTensors, put, slice } from './tensor_part.js';

/** The heads that read a range of key/value heads. */
const headsOf = ({ heads, kvHeads }, kvRange) => kvRange.map((head) => (head * heads) / kvHeads);

/** The projections of some heads: a layer without a projection of the heads together. */
function partOfLayer(fields, facts, kvRange) {
  const { keyDim, valueDim } = facts;
  const heads = headsOf(facts, kvRange);
  const widths = {
    query: heads.map((head) => head * keyDim),
    key: kvRange.map((head) => head * keyDim),
    value: kvRange.map((head) => head * valueDim),
  };
  const part = {
    torch: fields.torch,
    heads: heads[1] - heads[0],
    kvHeads: kvRange[1] - kvRange[0],
  };
  // Where the three matrices are one above the other, each begins where the one before ends.
  let start = 0;
  const sizes = {
    query: facts.heads * keyDim,
    key: facts.kvHeads * keyDim,
    value: facts.kvHeads * valueDim,
  };
  for (const [name, range] of Object.entries(widths)) {
    const moved = range.map((at) => at + start);
    const bias = `${name}Bias`;
    const outAxis = fields.torch ? 0 : 1;
    part[name] = {
      name,
      ...(fields.stacked ? slice(fields.stacked, 0, moved) : slice(fields[name], outAxis, range)),
    };
    const given = fields.stackedBias ?? fields[bias];
    if (given) part[bias] = { name: bias, ...slice(given, 0, fields.stackedBias ? moved : range) };
    start += sizes[name];
  }
  return part;
}

const rowsOf = ({ dims }) => dims.slice(0, -1).reduce((product, dim) => product * dim, 1);

/** The mean over heads of weights … × heads × qLen × kLen, added up as the module does. */
function averageOver({ data, dims }, heads, averageDims) {
  const average = emptyTensor(averageDims);
  const size = dims.at(-2) * dims.at(-1);
  for (let at = 0; at < data.length; at++) {
    const head = Math.floor(at / size) % heads;
    const to = Math.floor(at / (size * heads)) * size + (at % size);
    const sum = head === 0 ? data[at] : Math.fround(average.data[to] + data[at]);
    average.data[to] = head === heads - 1 ? sum / heads : sum;
  }
  return average;
}

const options = { ...library.multiHeadOptions, signal: abortSignal };

export class MultiHeadDivision {
  #heap;
  #workers;
  #facts;
  #parts; // for each worker that takes part its heads and their weights
  #projection; // of the heads together: the fields of a linear map

  constructor(heap, workers, facts, fields) {
    this.#heap = heap;
    this.#workers = workers;
    this.#facts = facts;
    const count = Math.min(workers.count, facts.kvHeads);
    this.#parts = evenRanges(facts.kvHeads, count).map((range) => ({
      heads: headsOf(facts, range),
      fields: partOfLayer(fields, facts, range),
    }));
    const { output, outputBias, torch } = fields;
    if (output) {
      this.#projection = { torch, weight: copied(output), bias: outputBias && copied(outputBias) };
    }
  }

  read(x, context, given) {
    const read = library.readOptions('forward', given, options);
    const fields = library.multiHeadFields(read, x, context, this.#heap.enums);
    return { name: 'multiHead', fields, read, isLocal: false };
  }

  /** Masks aside. */
  workOf({ fields: { x, context = x } }, { output }) {
    const { heads, kvHeads, keyDim, valueDim } = this.#facts;
    const rows = rowsOf(x);
    const keys = context.dims.at(-2);
    return (
      x.data.length * heads * keyDim +
      context.data.length * kvHeads * (keyDim + valueDim) +
      rows * keys * heads * (keyDim + valueDim) +
      (this.#projection ? rows * heads * valueDim * output.at(-1) : 0)
    );
  }

  /** Every worker takes its heads, and then some rows of their projection, however many are wanted. */
  async compute({ fields, read }, dims, _count, objects) {
    const results = await this.#attend(fields, read, dims, objects);
    if (read.weights === 'average') {
      results.weights = averageOver(results.weights, this.#facts.heads, dims.weights);
    }
    if (this.#projection) {
      results.output = await this.#project(results.output, dims.output, objects, read.signal);
    }
    return results;
  }

  async #attend(fields, options, dims, objects) {
    const { heads, valueDim } = this.#facts;
    const rank = fields.x.dims.length;
    const wanted = { ...dims, output: [...dims.output.slice(0, -1), heads * valueDim] };
    if (options.weights === 'average') {
      wanted.weights = [...dims.weights.slice(0, -2), heads, ...dims.weights.slice(-2)];
    }
    const results = emptyTensors(wanted);
    // Heads are the last axis of the output, side by side; of all else the first but for batch.
    const boxIn = (name, range) => {
      const axis = name === 'output' ? rank - 1 : rank - 2;
      const own = name === 'output' ? range.map((head) => head * valueDim) : range;
      return wanted[name].map((size, at) => (at === axis ? own : [0, size]));
    };
    await Promise.all(
      this.#parts.map(async (part, at) => {
        const own = this.#fieldsOf(part, fields, options);
        const worker = this.#workers.at(at);
        const layer = await objects.addressIn(worker, 'newMultiHead', part.fields);
        const calls = [{ name: 'multiHead', fields: { ...own, layer } }];
        const transfer = memoryOf(own);
        const [answer] = await worker.ask({ task: 'call', calls }, transfer, options.signal);
        for (const [name, result] of Object.entries(results)) {
          put(result, boxIn(name, part.heads), answer[name].data);
        }
      }),
    );
    return results;
  }

  /** The call as it is for some of the heads. */
  #fieldsOf({ heads }, fields, { slopes, sinks, mask, weights }) {
    const headAxis = mask && mask.dims.length - 3;
    const ownHeads = (size, axis) => (axis === headAxis && size > 1 ? heads : [0, size]);
    return {
      ...fields,
      x: copied(fields.x),
      context: fields.context && copied(fields.context),
      mask: mask && cut(mask, mask.dims.map(ownHeads)),
      slopes: slopes?.slice(...heads),
      sinks: sinks?.slice(...heads),
      wantsWeights: weights && this.#heap.enums.Weights.perHead,
    };
  }

  /** Every worker takes some of the rows. */
  async #project(together, dims, objects, signal) {
    const rows = rowsOf(together);
    const output = emptyTensor([rows, dims.at(-1)]);
    const input = { ...asInput(together), dims: [rows, together.dims.at(-1)] };
    await Promise.all(
      evenRanges(rows, Math.min(rows, this.#workers.count)).map(async (range, at) => {
        const worker = this.#workers.at(at);
        const x = { ...slice(input, 0, range), name: 'x' };
        const layer = await objects.addressIn(worker, 'newLinear', this.#projection);
        const calls = [{ name: 'linear', fields: { layer, x } }];
        const [answer] = await worker.ask({ task: 'call', calls }, [x.data.buffer], signal);
        put(output, [range, [0, dims.at(-1)]], answer.output.data);
      }),
    );
    return { data: output.data, dims };
  }
}
