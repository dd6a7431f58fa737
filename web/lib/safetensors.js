// attention-wasm/safetensors: reads and writes the safetensors format, which is 8 bytes with the header's length, a JSON
// header, and the bytes of the tensors. safetensors.d.ts documents each function.
export { openSafetensors } from './safetensors/open.js';
export { parseSafetensors } from './safetensors/parse.js';
export { toFloat32 } from './safetensors/to_float32.js';
export { writeSafetensors } from './safetensors/write.js';
