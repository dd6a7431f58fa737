// forward() of the layers of a Transformer: its arguments as the fields of a record.
import { isCache, readCache } from '../attention/key_value_cache.js';
import {
  attentionFields,
  layerOptions,
  maskFields,
  wantsWeights,
} from '../arguments/attention_options.js';
import { boolean, list, readOptions } from '../arguments/options.js';
import { readMask, readTensor } from '../arguments/tensor.js';

const { scores: _, logSumExp: __, ...selfOptions } = layerOptions;
const crossOptions = { crossMask: readMask, crossKeyLengths: list };

/** The fields of attention to the memory. */
export const crossFields = ({ crossMask, crossKeyLengths, weights }, enums) => ({
  ...maskFields('crossMask', crossMask),
  crossKeyLengths,
  wantsCrossWeights: wantsWeights(weights, enums),
});

/**
 * How the arguments of forward() of the class called `where` are read: into the options as readOptions()
 * gives them, and the fields of a record. The memory is a tensor or what projectMemory() made: of a decoder an
 * argument, of a TransformerLayer an option. `more`: options besides those of the class.
 */
export function layerReader(where, heap, more) {
  const cache = readCache(heap);
  const isDecoder = where === 'TransformerDecoderLayer';
  const isGeneral = where === 'TransformerLayer';
  const readMemory = (memory) =>
    isCache(memory)
      ? { memoryCache: cache(memory, 'memory') }
      : { memory: readTensor('memory', memory) };
  const kinds = {
    ...selfOptions,
    cache,
    ...((isDecoder || isGeneral) && crossOptions),
    ...(isGeneral && { memory: readMemory, projections: boolean }),
    ...more,
  };
  return (x, ...rest) => {
    const read = readOptions('forward', rest[isDecoder ? 1 : 0], kinds);
    const fields = {
      __proto__: null, // a memory that is not given is none
      ...attentionFields(read, heap.enums),
      x: readTensor('x', x),
      cache: read.cache,
      ...(isDecoder ? readMemory(rest[0]) : read.memory),
      ...((isDecoder || isGeneral) && crossFields(read, heap.enums)),
      ...(isGeneral && { wantsProjections: read.projections }),
    };
    return { read, fields };
  };
}
