/**
 * attention-wasm/pool-worker: the worker's side of a pool, to be run as a module worker. Exports nothing. A file of
 * one's own that is to be such a worker has one line: `import 'attention-wasm/pool-worker'`; the option `createWorker`
 * of `loadAttentionPool()` starts it.
 */
export {};
