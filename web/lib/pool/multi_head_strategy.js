// Strategy of MultiHeadAttention: each worker holds some of the heads, and the whole output projection, which it applies to
// some of the rows. Results have the bits of an undivided call.
import { abortSignal } from '../arguments/abort_signal.js';
import { sizeOf } from '../arguments/dims.js';
import { averageHeads } from './average_heads.js';
import { library } from './library.js';
import { evenRanges } from './shards.js';
import { asInput, copied, mappedTensors, slice } from './worker_tensors.js';

const { copyBox, writeBox } = library;

/** The query heads of a range of key/value heads. */
const headsOf = ({ heads, kvHeads }, kvRange) => kvRange.map((head) => (head * heads) / kvHeads);

/** The fields of a layer of some heads, without an output projection. */
export function layerShard(fields, facts, kvRange) {
  const { keyDim, valueDim } = facts;
  const heads = headsOf(facts, kvRange);
  const widths = {
    query: heads.map((head) => head * keyDim),
    key: kvRange.map((head) => head * keyDim),
    value: kvRange.map((head) => head * valueDim),
  };
  const shard = {
    outFirst: fields.outFirst,
    heads: heads[1] - heads[0],
    kvHeads: kvRange[1] - kvRange[0],
  };
  // First row of each matrix in the stacked one.
  let start = 0;
  const sizes = {
    query: facts.heads * keyDim,
    key: facts.kvHeads * keyDim,
    value: facts.kvHeads * valueDim,
  };
  for (const [name, range] of Object.entries(widths)) {
    const moved = range.map((at) => at + start);
    const bias = `${name}Bias`;
    const outAxis = fields.outFirst ? 0 : 1;
    shard[name] = {
      name,
      ...(fields.stacked ? slice(fields.stacked, 0, moved) : slice(fields[name], outAxis, range)),
    };
    const biasTensor = fields.stackedBias ?? fields[bias];
    if (biasTensor)
      shard[bias] = { name: bias, ...slice(biasTensor, 0, fields.stackedBias ? moved : range) };
    start += sizes[name];
  }
  return shard;
}

const rowsOf = ({ dims }) => sizeOf(dims.slice(0, -1));

const kinds = { ...library.multiHeadOptions, signal: abortSignal };

export class MultiHeadStrategy {
  #heap;
  #workers;
  #facts;
  #shards; // { heads, fields } for each worker that is used
  #projection; // fields of the output projection, a linear map

  constructor(heap, workers, facts, fields) {
    this.#heap = heap;
    this.#workers = workers;
    this.#facts = facts;
    const count = Math.min(workers.count, facts.kvHeads);
    this.#shards = evenRanges(facts.kvHeads, count).map((range) => ({
      heads: headsOf(facts, range),
      fields: layerShard(fields, facts, range),
    }));
    const { output, outputBias, outFirst } = fields;
    if (output) {
      this.#projection = {
        outFirst,
        weight: copied(output),
        bias: outputBias && copied(outputBias),
      };
    }
  }

  read(x, context, forwardOptions) {
    const read = library.readOptions('forward', forwardOptions, kinds);
    const fields = library.multiHeadFields(read, x, context, this.#heap.enums);
    return { name: 'multiHead', fields, read, isLocal: false };
  }

  /** Multiply-adds, ignoring masks. */
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

  /** Every worker computes its heads, then some rows of the output projection; ignores the requested count. */
  async compute({ fields, read }, dims, _count, objects) {
    const results = await this.#attend(fields, read, dims, objects);
    if (read.weights === 'average') {
      results.weights = averageHeads(results.weights, this.#facts.heads, dims.weights);
    }
    if (this.#projection) {
      results.output = await this.#project(results.output, dims.output, objects, read.signal);
    }
    return results;
  }

  async #attend(fields, options, dims, objects) {
    const { heads, valueDim } = this.#facts;
    const rank = fields.x.dims.length;
    const shapes = { ...dims, output: [...dims.output.slice(0, -1), heads * valueDim] };
    if (options.weights === 'average') {
      shapes.weights = [...dims.weights.slice(0, -2), heads, ...dims.weights.slice(-2)];
    }
    // Heads are side by side in the last axis of the output; in other results they are the axis after batch.
    const boxIn = (name, range) => {
      const axis = name === 'output' ? rank - 1 : rank - 2;
      const own = name === 'output' ? range.map((head) => head * valueDim) : range;
      return shapes[name].map((size, at) => (at === axis ? own : [0, size]));
    };
    const answers = this.#shards.map(async (shard, at) => {
      const own = this.#fieldsOf(shard, fields, options);
      const worker = this.#workers.at(at);
      const layer = await objects.addressIn(worker, 'newMultiHead', shard.fields);
      return this.#workers.call(worker, [['multiHead', { ...own, layer }]], options.signal);
    });
    await null; // so that the calls are sent
    const { released } = this.#heap;
    const { output, ...others } = shapes;
    const results = {
      // The outputs of heads are no result if they are projected.
      ...mappedTensors({ output }, this.#projection ? undefined : released),
      ...mappedTensors(others, released),
    };
    await Promise.all(
      answers.map(async (answer, at) => {
        const {
          results: [own],
          reuse,
        } = await answer;
        for (const [name, result] of Object.entries(results)) {
          writeBox(result, boxIn(name, this.#shards[at].heads), own[name].data);
        }
        reuse();
      }),
    );
    return results;
  }

  /** The fields of the call of some heads. */
  #fieldsOf({ heads }, fields, { slopes, sinks, mask, weights }) {
    const { allocate } = this.#workers;
    const headAxis = mask && mask.dims.length - 3;
    const ownHeads = (size, axis) => (axis === headAxis && size > 1 ? heads : [0, size]);
    return {
      ...fields,
      x: copied(fields.x, allocate),
      context: fields.context && copied(fields.context, allocate),
      mask: mask && copyBox(mask, mask.dims.map(ownHeads)),
      slopes: slopes?.slice(...heads),
      sinks: sinks?.slice(...heads),
      returnWeights: weights && this.#heap.enums.Weights.perHead,
    };
  }

  /** The output projection; every worker computes some of the rows. */
  async #project(headOutputs, dims, objects, signal) {
    const rows = rowsOf(headOutputs);
    const { allocate } = this.#workers;
    const input = { ...asInput(headOutputs), dims: [rows, headOutputs.dims.at(-1)] };
    const ranges = evenRanges(rows, Math.min(rows, this.#workers.count));
    const answers = ranges.map(async (range, at) => {
      const worker = this.#workers.at(at);
      const x = { ...slice(input, 0, range, allocate), name: 'x' };
      const layer = await objects.addressIn(worker, 'newLinear', this.#projection);
      return this.#workers.call(worker, [['linear', { layer, x }]], signal);
    });
    await null; // so that the calls are sent
    const { output } = mappedTensors({ output: [rows, dims.at(-1)] }, this.#heap.released);
    await Promise.all(
      answers.map(async (answer, at) => {
        const {
          results: [own],
          reuse,
        } = await answer;
        writeBox(output, [ranges[at], [0, dims.at(-1)]], own.output.data);
        reuse();
      }),
    );
    return { data: output.data, dims };
  }
}
