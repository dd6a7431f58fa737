// Loading a pool: workers that start when there is something for them to do.
import { loadAttention } from '../index.js';
import { describe } from '../arguments/describe.js';
import { number, readOptions } from '../arguments/options.js';
import { pooledAttention } from './pooled_attention.js';
import { pooledMultiHead } from './pooled_multi_head.js';
import { pooledTransformer } from './pooled_transformer.js';
import { Workers } from './workers.js';

function readFunction(value, name) {
  if (typeof value === 'function') return value;
  throw new TypeError(`${name} must be a function, found ${describe(value)}`);
}

const largest = 1024;

function readCount(count) {
  if (Number.isInteger(count) && count >= 1 && count <= largest) return count;
  throw new RangeError(`workers is ${count} but must be a whole number from 1 to ${largest}`);
}

/**
 * loadAttentionPool for an environment that knows how to make a worker, how many cores there are and what
 * is worth a worker.
 */
export function createPoolLoader({ createWorker, cores, worth }) {
  return async function loadAttentionPool(options) {
    const read = readOptions('loadAttentionPool', options, {
      workers: number,
      createWorker: readFunction,
      kernels: (value) => value,
    });
    const count = readCount(read.workers ?? Math.max(1, cores()));
    const api = await loadAttention(read.kernels === undefined ? {} : { kernels: read.kernels });
    const { heap, compiled } = api[Symbol.for('attention-wasm')];
    const start = { wasm: compiled, kernels: api.kernels };
    const workers = new Workers(count, read.createWorker ?? createWorker, start, worth);
    return Object.freeze({
      ...pooledAttention(heap, workers),
      ...pooledMultiHead(heap, workers),
      ...pooledTransformer(api, heap, workers),
      workers: count,
      kernels: api.kernels,
      close: () => workers.close(),
    });
  };
}
