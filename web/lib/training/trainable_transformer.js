// TrainableTransformer: batches become padded rows of numbers; everything else is the module's.
import { describe } from '../arguments/describe.js';
import { sizeOf } from '../arguments/dims.js';
import { boolean, list, number, oneOf, readOptions } from '../arguments/options.js';
import { readTensor } from '../arguments/tensor.js';
import { plainArray, typedArrayLength } from '../arguments/typed_array.js';
import { ModuleObject, factsOf, make } from '../module/module_object.js';
import { parameterList } from './parameter_list.js';
import { save } from './save.js';

const kinds = ['decoder', 'encoder-decoder'];
const sizeOptions = {
  kind: /* @__PURE__ */ oneOf(kinds),
  vocabulary: number,
  width: number,
  layers: number,
  heads: number,
  hidden: number,
  context: number,
  tied: boolean,
  seed: number,
  scale: number,
};
const stepOptions = {
  learningRate: number,
  betas: list,
  epsilon: number,
  weightDecay: number,
  clip: number,
};

/** A list of rows of numbers. */
function rows(value, name) {
  if (!Array.isArray(value)) {
    throw new TypeError(`${name} must be an array of arrays of numbers, found ${describe(value)}`);
  }
  return value.map((row, at) => list(row, `${name}[${at}]`));
}

/** Rows of the same length, one after another. */
function padded(all, filler) {
  const length = all.reduce((longest, row) => Math.max(longest, row.length), 0);
  const numbers = all.flatMap((row) => [...row, ...Array(length - row.length).fill(filler)]);
  return { length, numbers };
}

function requireSameRows(name, all, otherName, others) {
  if (all.length !== others.length) {
    throw new RangeError(`${name} has ${all.length} rows but ${otherName} has ${others.length}`);
  }
}

function requireSameLengths(name, all, otherName, others) {
  requireSameRows(name, all, otherName, others);
  all.forEach((row, at) => {
    if (row.length === others[at].length) return;
    throw new RangeError(
      `${name}[${at}] has ${row.length} numbers but ${otherName}[${at}] has ${others[at].length}`,
    );
  });
}

function requireNonEmpty(name, all) {
  all.forEach((row, at) => {
    if (row.length === 0) throw new RangeError(`${name}[${at}] is empty`);
  });
}

/** Why a step changed nothing. */
function refusalOf(loss, gradientNorm, { learningRate, weightDecay = 0 }) {
  if (Number.isFinite(loss) && Number.isFinite(gradientNorm)) {
    return (
      `a learningRate of ${learningRate} with a weightDecay of ${weightDecay} and a gradient norm of ${gradientNorm} ` +
      'makes numbers that are not finite or above 2^60: the model is unchanged'
    );
  }
  return (
    `loss is ${loss} and the gradient norm ${gradientNorm}: the model is unchanged. Its weights may be too large: ` +
    'restore() an earlier snapshot and train with a smaller learningRate'
  );
}

/** A copy of the numbers of a snapshot: all must be finite, and the second moments, its last third, at least 0. */
function snapshotNumbers(value, name) {
  const { data } = readTensor(name, { data: value, dims: [] });
  const length = typedArrayLength(name, data);
  const copy = Float32Array.from(plainArray(data));
  const secondMoments = (2 * length) / 3;
  copy.forEach((number, at) => {
    if (!Number.isFinite(number)) {
      throw new RangeError(`data[${at}] is ${number}; expected finite numbers`);
    }
    if (at >= secondMoments && number < 0) {
      throw new RangeError(`data[${at}], a second moment, is ${number}; expected at least 0`);
    }
  });
  return readTensor(name, { data: copy, dims: [length] });
}

/** A whole number from min to max, or undefined. */
function integerOption(name, value, min, max) {
  if (value === undefined || (Number.isInteger(value) && value >= min && value <= max))
    return value;
  const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
  throw new RangeError(`${name} must be an integer ${range}, found ${value}`);
}

/** The index of the largest number. */
function indexOfLargest(logits) {
  const index = logits.indexOf(logits.reduce((best, logit) => Math.max(best, logit)));
  if (index >= 0) return index;
  throw new RangeError('the logits of the last token contain NaN: its weights may be too large');
}

const requiredSizes = /** @type {const} */ ([
  'kind',
  'vocabulary',
  'width',
  'layers',
  'heads',
  'context',
]);

export function trainableTransformer(heap) {
  /** The model; throws if it was deleted. */
  const alive = (model) => {
    factsOf(model, TrainableTransformer);
    return model;
  };

  class TrainableTransformer extends ModuleObject {
    #sizes;
    #steps = 0;

    constructor(options) {
      const read = readOptions('TrainableTransformer', options, sizeOptions, requiredSizes);
      const { kind, seed = 0, tied = true, hidden = 4 * read.width, ...others } = read;
      const sizes = { ...others, hidden };
      const hasEncoder = kind === 'encoder-decoder';
      const fields = { ...sizes, hasEncoder, untied: !tied, seed };
      super(heap, 'TrainableTransformer', make(heap, 'newTrainable', fields), []);
      this.#sizes = { ...sizes, hasEncoder, tied };
    }

    get steps() {
      return alive(this).#steps;
    }

    /** The fields of a batch, and the rows that targets belong to. */
    #batch(ids, decoderIds) {
      const { hasEncoder } = this.#sizes;
      if (!hasEncoder && decoderIds !== undefined) {
        throw new TypeError('decoderIds are of a model with an encoder; this one has none');
      }
      if (hasEncoder && decoderIds === undefined) {
        throw new TypeError('a model with an encoder needs decoderIds');
      }
      const own = hasEncoder ? decoderIds : ids;
      const name = hasEncoder ? 'decoderIds' : 'ids';
      requireNonEmpty(name, own);
      const decoder = padded(own, 0);
      const fields = { model: this, length: decoder.length, decoderIds: decoder.numbers };
      if (hasEncoder) {
        requireSameRows(name, own, 'ids', ids);
        requireNonEmpty('ids', ids);
        const encoder = padded(ids, 0);
        fields.encoderLength = encoder.length;
        fields.encoderIds = encoder.numbers;
        fields.encoderLengths = ids.map((row) => row.length);
      }
      return { fields, own, name };
    }

    step(batch, options) {
      const model = alive(this);
      const where = 'TrainableTransformer.step';
      const batchKinds = { ids: rows, targets: rows, decoderIds: rows };
      const { ids, targets, decoderIds } = readOptions(
        where,
        batch,
        batchKinds,
        ['ids', 'targets'],
        'part of a batch',
      );
      const { betas = [], ...chosen } = readOptions(where, options, stepOptions, ['learningRate']);
      if (betas.length !== 0 && betas.length !== 2) {
        throw new RangeError(`betas has ${betas.length} numbers but must have 2`);
      }
      const { fields, own, name } = model.#batch(ids, decoderIds);
      requireSameLengths('targets', targets, name, own);
      const { report } = heap.call('train', {
        ...fields,
        ...chosen,
        targets: padded(targets, -1).numbers,
        beta1: betas[0],
        beta2: betas[1],
      });
      const [loss, gradientNorm, isUpdated] = report.data;
      if (!isUpdated) throw new RangeError(refusalOf(loss, gradientNorm, chosen));
      this.#steps++;
      return { loss, gradientNorm };
    }

    run(ids, options) {
      const model = alive(this);
      const single = Array.isArray(ids) && !Array.isArray(ids[0]);
      const batchOf = (value, name) => rows(single ? [value] : value, name);
      const runKinds = { attentions: boolean, logits: boolean, decoderIds: batchOf };
      const where = 'TrainableTransformer.run';
      const {
        attentions = false,
        logits = true,
        decoderIds,
      } = readOptions(where, options, runKinds);
      const { fields } = model.#batch(batchOf(ids, 'ids'), decoderIds);
      const computed = heap.call('forward', {
        ...fields,
        returnLogits: logits,
        returnAttentions: attentions,
      });
      const result = {};
      if (logits) {
        const { data, dims } = computed.logits;
        result.logits = { data, dims: single ? dims.slice(1) : dims };
      }
      if (attentions) {
        const { layers, hasEncoder } = this.#sizes;
        const perLayer = ({ data, dims: [all, ...others] }) =>
          Array.from({ length: layers }, (_, n) => ({
            data: data.slice((n * data.length) / layers, ((n + 1) * data.length) / layers),
            dims: single ? others : [all / layers, ...others],
          }));
        const own = perLayer(computed.decoderWeights);
        result.attentions = hasEncoder
          ? {
              encoder: perLayer(computed.encoderWeights),
              decoder: own,
              cross: perLayer(computed.crossWeights),
            }
          : { self: own };
      }
      return result;
    }

    generate(ids, options) {
      const { hasEncoder, context, vocabulary } = alive(this).#sizes;
      const generateKinds = { maxTokens: number, end: number, decoderIds: list };
      const where = 'TrainableTransformer.generate';
      const read = readOptions(where, options, generateKinds);
      const maxTokens = integerOption('maxTokens', read.maxTokens, 1, Infinity) ?? Infinity;
      const end = integerOption('end', read.end, 0, vocabulary - 1);
      const { decoderIds } = read;
      const inputIds = list(ids, 'ids');
      const generated = [];
      let length;
      do {
        const { logits } = hasEncoder
          ? this.run(inputIds, { decoderIds: decoderIds && [...decoderIds, ...generated] })
          : this.run([...inputIds, ...generated], { decoderIds });
        length = logits.dims[0];
        const next = indexOfLargest(logits.data.subarray(-vocabulary));
        if (next === end) break;
        generated.push(next);
      } while (generated.length < maxTokens && length < context);
      return generated;
    }

    parameters() {
      const { data } = this.snapshot();
      let first = 0;
      return parameterList(this.#sizes).map(([name, dims]) => {
        const count = sizeOf(dims);
        const values = data.slice(first, (first += count));
        return { name, dims, data: values };
      });
    }

    snapshot() {
      const { data } = heap.call('readNumbers', { model: alive(this) }).numbers;
      return { step: this.#steps, data };
    }

    restore(snapshot) {
      const model = alive(this);
      const snapshotKinds = { step: number, data: snapshotNumbers };
      const where = 'TrainableTransformer.restore';
      const parts = readOptions(where, snapshot, snapshotKinds, ['step', 'data'], 'part');
      const { step, data } = parts;
      heap.call('writeNumbers', { model, step, data });
      this.#steps = step;
    }

    save() {
      return save(alive(this).#sizes, this.parameters());
    }
  }
  return { TrainableTransformer };
}
