// The parts of the library that the pool uses: out of the library's own file, not carried a second time.
import { loadAttention } from '../index.js';

export { loadAttention };

export const library = loadAttention[Symbol.for('attention-wasm')];
