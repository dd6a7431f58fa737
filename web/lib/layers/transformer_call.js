// Converts the arguments of forward() of the Transformer layers into fields of a record.
import { isCache, readCache } from '../attention/key_value_cache.js';
import {
  attentionFields,
  interventions,
  layerOptions,
  maskFields,
  weightsNumber,
} from '../arguments/attention_options.js';
import { boolean, list, readOptions } from '../arguments/options.js';
import { readMask, readTensor } from '../arguments/tensor.js';

/**
 * @import { AttentionOptions, Enums } from '../arguments/attention_options.js'
 * @import { Options, Reader } from '../arguments/options.js'
 * @import { TensorInput } from '../arguments/tensor.js'
 * @import { Heap, Inputs } from '../module/heap.js'
 */

const { scores: _, logSumExp: __, ...selfOptions } = layerOptions;
const crossOptions = { crossMask: readMask, crossKeyLengths: list };

/**
 * The fields of cross-attention.
 *
 * @param {Options<typeof crossOptions> & Pick<AttentionOptions, 'weights'>} read
 * @param {Enums} enums
 */
export const crossFields = ({ crossMask, crossKeyLengths, weights }, enums) => ({
  ...maskFields('crossMask', crossMask),
  crossKeyLengths,
  returnCrossWeights: weightsNumber(weights, enums),
});

/**
 * A function that reads the arguments of forward() of the class called `where`: { read, fields }, the result of
 * readOptions() and the fields of a record. The memory is a tensor or a cache of projectMemory(); it is an argument for a
 * decoder and an option for a TransformerLayer.
 *
 * @param {string} where
 * @param {Heap} heap
 * @param {{ signal: Reader<AbortSignal> }} [more] options of a pool, which takes no interventions
 */
export function layerReader(where, heap, more) {
  const cache = readCache(heap);
  const isDecoder = where === 'TransformerDecoderLayer';
  const isGeneral = where === 'TransformerLayer';
  const readMemory = (/** @type {unknown} */ memory) =>
    isCache(memory, 'memory')
      ? { memoryCache: cache(memory, 'memory') }
      : { memory: readTensor('memory', memory) };
  /** @type {{ signal?: Reader<AbortSignal>, interventions?: typeof interventions }} */
  const others = more ?? { interventions };
  const kinds = {
    ...selfOptions,
    cache,
    ...((isDecoder || isGeneral) && crossOptions),
    ...(isGeneral && { memory: readMemory, projections: boolean }),
    ...others,
  };
  return (/** @type {unknown} */ x, /** @type {unknown[]} */ ...rest) => {
    const read = readOptions('forward', rest[isDecoder ? 1 : 0], kinds);
    const fields = {
      __proto__: null, // an absent memory is undefined
      ...attentionFields(read, heap.enums),
      x: readTensor('x', x),
      cache: read.cache,
      ...read.interventions,
      ...(isDecoder ? readMemory(rest[0]) : read.memory),
      ...((isDecoder || isGeneral) && crossFields(read, heap.enums)),
      ...(isGeneral && { returnProjections: read.projections }),
    };
    return { read, fields };
  };
}
