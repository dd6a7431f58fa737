// Error classes of the library. Compare `name` rather than the class: bundles may contain several copies of a class.

import { messageOf } from '../arguments/message_of.js';

/** Thrown if the module's memory cannot grow as much as a call needs. */
export class OutOfMemoryError extends RangeError {
  get name() {
    return 'OutOfMemoryError';
  }
}

/** Thrown when a deleted object is used. */
export class DeletedError extends Error {
  get name() {
    return 'DeletedError';
  }
}

const allowOrPass =
  "A page needs 'wasm-unsafe-eval' in script-src of its Content-Security-Policy. Where bytes may never be compiled " +
  "(Cloudflare Workers), import attention.wasm or training.wasm of 'attention-wasm' as a WebAssembly.Module and pass " +
  "it: loadAttention({ wasm }) of 'attention-wasm/core', whose result loadModel() and loadTranslator() take as " +
  '{ api }, or loadTraining({ wasm })';

/** Thrown if the page's Content-Security-Policy, or the engine, forbids compiling WebAssembly. */
export class CompileForbiddenError extends Error {
  get name() {
    return 'CompileForbiddenError';
  }

  /** @param {unknown} cause the engine's error */
  constructor(cause, remedy = allowOrPass) {
    super(`WebAssembly may not be compiled here: ${messageOf(cause)}. ${remedy}`, { cause });
  }
}
