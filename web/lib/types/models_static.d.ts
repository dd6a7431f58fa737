/**
 * attention-wasm/models-static: the exports of `attention-wasm/models`, with nothing that loads later by `import()`, which
 * module service workers (the background of browser extensions) forbid.
 */
export * from './models.js';
