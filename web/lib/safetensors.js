// Weights from files in the safetensors format: 8 bytes that count the header, the header in JSON,
// and the tensors' bytes without a gap. safetensors.d.ts says what each function promises.
export { openSafetensors } from './safetensors/open.js';
export { parseSafetensors } from './safetensors/parse.js';
export { writeSafetensors } from './safetensors/write.js';
