// attention-wasm/training, with a module of its own inside.
import createModule from 'training-module:create';
import wasm from 'training-module:wasm';
import { readOptions } from './arguments/options.js';
import { instantiateModule } from './load.js';
import { Heap } from './module/heap.js';
import { attentionBackward } from './training/attention_backward.js';
import { trainableTransformer } from './training/trainable_transformer.js';

async function load(source) {
  const { module, memory } = await instantiateModule(source, createModule);
  const heap = new Heap(module, memory, { kernels: module.simdKernels() }, false);
  const api = Object.freeze({
    ...attentionBackward(heap),
    ...trainableTransformer(heap),
    memoryBytes: () => heap.size,
  });
  return { api, heap };
}

let shared;

/** Loads the included module once, again after a failed load or an interrupted call; with { wasm }, an instance of its own. */
export async function loadTraining(options) {
  const { wasm: source } = readOptions('loadTraining', options, { wasm: (value) => value });
  if (source !== undefined) return (await load(source)).api;
  const loading = (shared ??= load(wasm()).catch((error) => {
    shared = undefined;
    throw error;
  }));
  const { api, heap } = await loading;
  if (!heap.isInterrupted) return api;
  if (shared === loading) shared = undefined;
  return loadTraining();
}
