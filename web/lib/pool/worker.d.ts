/** attention-wasm/pool-worker: the worker's side of a pool, to be run as a module worker. Exports nothing. */
export {};
