// Loads a pool. Its workers start on first use.
import { abortSignal } from '../arguments/abort_signal.js';
import { loadFile } from '../module/load_file.js';
import { library, loadAttention } from './library.js';
import { MultiHeadStrategy } from './multi_head_strategy.js';
import { pooledAttention } from './pooled_attention.js';
import { pooledLayer } from './pooled_layer.js';
import { TransformerStrategy } from './transformer_strategy.js';
import { Workers } from './workers.js';

const maxWorkers = 1024;

const workersMissing =
  'loadAttentionPool() needs Worker, which this environment does not have (service workers, jsdom and edge ' +
  "runtimes such as Cloudflare Workers have none): loadAttention() of 'attention-wasm' computes without (where bytes may " +
  "not be compiled, loadAttention({ wasm }) of 'attention-wasm/core'), or pass { createWorker }";

function readCount(count) {
  if (Number.isInteger(count) && count >= 1 && count <= maxWorkers) return count;
  throw new RangeError(`workers is ${count} but must be a whole number from 1 to ${maxWorkers}`);
}

function pooledLayers(api, heap, workers) {
  const multiHead = {
    create: 'newMultiHead',
    makers: library.multiHeadMakers,
    strategyOf: (...args) => new MultiHeadStrategy(heap, workers, ...args),
  };
  const transformer = (name) => {
    const readCall = library.layerReader(name, heap, { signal: abortSignal });
    return {
      create: 'newTransformerLayer',
      makers: { fromTorch: (...args) => library.readLayer(name, heap.enums, ...args) },
      strategyOf: (...args) => new TransformerStrategy(heap, workers, readCall, ...args),
    };
  };
  const layers = {
    MultiHeadAttention: multiHead,
    TransformerEncoderLayer: transformer('TransformerEncoderLayer'),
    TransformerDecoderLayer: transformer('TransformerDecoderLayer'),
  };
  return Object.fromEntries(
    Object.entries(layers).map(([name, of]) => [name, pooledLayer(api[name], of, heap, workers)]),
  );
}

/**
 * @typedef {object} Environment
 * @property {Function} [createWorker] none where only the caller's option makes workers
 * @property {() => boolean} hasWorkers
 * @property {() => number} cores the default number of workers
 * @property {(worker: object) => boolean} isThread whether a worker certainly has a thread of its own, which may sleep
 * @property {object} worth the thresholds of workers.js
 */

/**
 * loadAttentionPool() of an environment.
 *
 * @param {Environment} environment
 */
export function createPoolLoader({ createWorker, hasWorkers, cores, isThread, worth }) {
  return async function loadAttentionPool(options) {
    const read = library.readOptions('loadAttentionPool', options, {
      workers: library.number,
      createWorker: library.callback,
      kernels: (value) => value,
      wipe: (value) => value,
    });
    if (!read.createWorker && !hasWorkers()) throw new Error(workersMissing);
    const count = readCount(read.workers ?? Math.max(1, cores()));
    const api = await loadAttention({ kernels: read.kernels, wipe: read.wipe });
    const { heap, compiled, fused } = api[Symbol.for('attention-wasm')];
    const start = { wasm: compiled, kernels: fused ?? api.kernels, wipe: read.wipe };
    const workers = new Workers(count, read.createWorker ?? createWorker, isThread, start, worth);
    const pool = {
      ...pooledAttention(heap, workers),
      ...pooledLayers(api, heap, workers),
      workers: count,
      kernels: api.kernels,
      release: api.release,
      close: () => workers.close(),
    };
    /** Layers of a model on the workers; see createModelApi() in model_layers.js. */
    const createModelApi = async (model) => {
      const { createModelApi: create } = await loadFile(
        'pool_models.js',
        () => import('./model_layers.js'),
      );
      return create(api, heap, workers, model);
    };
    return Object.freeze(
      Object.defineProperty(pool, Symbol.for('attention-wasm'), { value: { createModelApi } }),
    );
  };
}
