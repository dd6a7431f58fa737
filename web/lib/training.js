// attention-wasm/training, with a module of its own inside.
import createModule from 'training-module:create';
import wasm from 'training-module:wasm';
import { instantiateModule } from './load.js';
import { Heap } from './module/heap.js';
import { attentionBackward } from './training/attention_backward.js';
import { trainableTransformer } from './training/trainable_transformer.js';

async function load() {
  const { module, memory } = await instantiateModule(wasm(), createModule);
  const heap = new Heap(module, memory, false, false);
  return Object.freeze({
    ...attentionBackward(heap),
    ...trainableTransformer(heap),
    memoryBytes: () => heap.size,
  });
}

let shared;

/** Loads the module once; a failed load can be tried again. */
export function loadTraining() {
  shared ??= load().catch((error) => {
    shared = undefined;
    throw error;
  });
  return shared;
}
