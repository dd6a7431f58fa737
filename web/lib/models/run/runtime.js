// The model runtime, built as one file that attention-wasm/models and attention-wasm/translator share.
export { assembleModel, storageTypes } from './assemble_model.js';
export {
  encode,
  decode,
  outputsOf,
  requireRoom,
  runEncoderDecoder,
  runStack,
} from './forward_pass.js';
export { Decoding } from './decoding.js';
export { editList, readInterventions } from '../inside/interventions.js';
