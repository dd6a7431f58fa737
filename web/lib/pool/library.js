// The parts of the library that the pool uses: out of the library's own file, not carried a second time.
import { loadAttention } from '../index.js';

export { loadAttention };

export const {
  attentionFields,
  attentionOptions,
  callback,
  crossFields,
  factsOf,
  inStages,
  layerReader,
  make,
  multiHeadFields,
  multiHeadMakers,
  multiHeadOptions,
  number,
  readLayer,
  readOptions,
  readTensor,
} = loadAttention[Symbol.for('attention-wasm')];
