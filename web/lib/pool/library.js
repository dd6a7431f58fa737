// The internals of the library that the pool uses, from the library's own file, so that no bundle contains them twice.
import { loadAttention } from '../index.js';

export { loadAttention };

export const library = loadAttention[Symbol.for('attention-wasm')];
