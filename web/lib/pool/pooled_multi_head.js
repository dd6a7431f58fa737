// MultiHeadAttention on the pool: each worker holds some of the heads, and all the projection of the
// heads together, of which it takes some of the rows. Each number is computed as in one layer.
import { factsOf } from '../module/module_object.js';
import { MultiHeadLayer, readTorch, readWeights } from '../layers/multi_head_attention.js';
import { attentionFields, layerOptions } from '../arguments/attention_options.js';
import { boolean, readOptions } from '../arguments/options.js';
import { readTensor } from '../arguments/tensor.js';
import { memoryOf } from './pooled_attention.js';
import { RemoteObjects } from './remote_objects.js';
import { evenRanges } from './shares.js';
import { copied, cut, emptyTensor, put, slice } from './tensor_part.js';

const forwardOptions = { ...layerOptions, headOutputs: boolean };

/** The projections of some heads: a layer without a projection of the heads together. */
function partOfLayer(fields, { headCount, kvHeadCount, keyDim, valueDim }, kvRange) {
  const group = headCount / kvHeadCount;
  const heads = kvRange.map((head) => head * group);
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
    query: headCount * keyDim,
    key: kvHeadCount * keyDim,
    value: kvHeadCount * valueDim,
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
function averageOver({ data, dims }, headCount, averageDims) {
  const average = emptyTensor(averageDims);
  const size = dims.at(-2) * dims.at(-1);
  for (let at = 0; at < data.length; at++) {
    const head = Math.floor(at / size) % headCount;
    const to = Math.floor(at / (size * headCount)) * size + (at % size);
    const sum = head === 0 ? data[at] : Math.fround(average.data[to] + data[at]);
    average.data[to] = head === headCount - 1 ? sum / headCount : sum;
  }
  return average;
}

export function pooledMultiHead(heap, workers) {
  // The object itself is the whole layer, for what is small.
  class MultiHeadAttention extends MultiHeadLayer {
    #parts; // for each worker that takes part its heads and their weights
    #projection; // of the heads together: the fields of a linear map
    #objects = new RemoteObjects(this);

    /** fields: what the layer was made of. */
    constructor(facts, fields) {
      super(heap, facts);
      const { headCount, kvHeadCount } = facts;
      const count = Math.min(workers.count, kvHeadCount);
      this.#parts = evenRanges(kvHeadCount, count).map((range) => ({
        heads: range.map((head) => (head * headCount) / kvHeadCount),
        fields: partOfLayer(fields, facts, range),
      }));
      const { output, outputBias, torch } = fields;
      if (output) {
        this.#projection = {
          torch,
          weight: copied(output),
          bias: outputBias && copied(outputBias),
        };
      }
    }

    static fromWeights(weights, options) {
      const fields = readWeights('MultiHeadAttention.fromWeights', weights, options);
      return new MultiHeadAttention(heap.create('newMultiHead', fields), fields);
    }

    static fromTorch(stateDict, options) {
      const fields = readTorch('MultiHeadAttention.fromTorch', stateDict, options);
      return new MultiHeadAttention(heap.create('newMultiHead', fields), fields);
    }

    async forward(x, context, options) {
      workers.requireOpen();
      const { object: layer, headCount } = factsOf(this, MultiHeadAttention);
      const read = readOptions('forward', options, forwardOptions);
      const fields = {
        ...attentionFields(read),
        wantsHeadOutputs: read.headOutputs,
        x: readTensor('x', x),
      };
      const isSelf = context === undefined || context === null || context === x;
      if (!isSelf) fields.context = readTensor('context', context);
      const { dims } = heap.plan('multiHead', { ...fields, layer });
      if (workers.wantedFor(this.#work(fields, dims)) < 1) {
        return heap.call('multiHead', { ...fields, layer });
      }
      return this.#objects.during(async () => {
        const results = await this.#attend(fields, read, dims);
        if (read.weights === 'average') {
          results.weights = averageOver(results.weights, headCount, dims.weights);
        }
        if (this.#projection) {
          results.output = await this.#project(results.output, dims.output);
        }
        return results;
      });
    }

    /** Multiply-adds of a call, masks aside. */
    #work({ x, context = x }, { output }) {
      const { headCount, kvHeadCount, keyDim, valueDim } = factsOf(this, MultiHeadAttention);
      const rows = rowsOf(x);
      const keys = context.dims.at(-2);
      return (
        x.data.length * headCount * keyDim +
        context.data.length * kvHeadCount * (keyDim + valueDim) +
        rows * keys * headCount * (keyDim + valueDim) +
        (this.#projection ? rows * headCount * valueDim * output.at(-1) : 0)
      );
    }

    /** Every worker its heads. */
    async #attend(fields, options, dims) {
      const { headCount: heads, valueDim } = factsOf(this, MultiHeadAttention);
      const rank = fields.x.dims.length;
      const wanted = { ...dims, output: [...dims.output.slice(0, -1), heads * valueDim] };
      if (options.weights === 'average') {
        wanted.weights = [...dims.weights.slice(0, -2), heads, ...dims.weights.slice(-2)];
      }
      const results = Object.fromEntries(
        Object.entries(wanted).map(([name, sizes]) => [name, emptyTensor(sizes)]),
      );
      const place = ({ dims: sizes }, name, range) => {
        // Heads are the last axis of the output, side by side; of all else the first but for batch.
        const axis = name === 'output' ? rank - 1 : rank - 2;
        const own = name === 'output' ? range.map((head) => head * valueDim) : range;
        return sizes.map((size, at) => (at === axis ? own : [0, size]));
      };
      await Promise.all(
        this.#parts.map(async (part, at) => {
          const own = this.#fieldsOf(part, fields, options);
          const worker = workers.at(at);
          const layer = await this.#objects.in(worker, 'newMultiHead', part.fields);
          const calls = [{ name: 'multiHead', fields: { ...own, layer } }];
          const [answer] = await worker.ask({ task: 'call', calls }, memoryOf(own));
          for (const [name, result] of Object.entries(results)) {
            put(result, place(result, name, part.heads), answer[name].data);
          }
        }),
      );
      return results;
    }

    /** The call as it is for some of the heads. */
    #fieldsOf({ heads }, fields, { slopes, sinks, mask, weights }) {
      const whole = (size) => [0, size];
      const headAxis = mask && mask.dims.length - 3;
      return {
        ...fields,
        x: copied(fields.x),
        context: fields.context && copied(fields.context),
        mask:
          mask &&
          cut(
            mask,
            mask.dims.map((size, at) => (at === headAxis && size > 1 ? heads : whole(size))),
          ),
        slopes: slopes?.slice(...heads),
        sinks: sinks?.slice(...heads),
        wantsWeights: weights && 1,
      };
    }

    /** Every worker some of the rows. */
    async #project(together, dims) {
      const rows = rowsOf(together);
      const width = together.dims.at(-1);
      const output = emptyTensor([rows, dims.at(-1)]);
      const input = { name: 'x', type: 'Float32Array', data: together.data, dims: [rows, width] };
      await Promise.all(
        evenRanges(rows, Math.min(rows, workers.count)).map(async (range, at) => {
          const worker = workers.at(at);
          const x = slice(input, 0, range);
          const layer = await this.#objects.in(worker, 'newLinear', this.#projection);
          const calls = [{ name: 'linear', fields: { layer, x: { ...x, name: 'x' } } }];
          const [answer] = await worker.ask({ task: 'call', calls }, [x.data.buffer]);
          put(output, [range, [0, dims.at(-1)]], answer.output.data);
        }),
      );
      return { data: output.data, dims };
    }

    delete() {
      this.#objects.release();
      super.delete();
    }
  }
  return { MultiHeadAttention };
}
