// Loading a pool: workers that start when there is something for them to do.
import { abortSignal } from '../arguments/abort_signal.js';
import { library, loadAttention } from './library.js';
import { MultiHeadDivision } from './multi_head_division.js';
import { pooledAttention } from './pooled_attention.js';
import { pooledLayer } from './pooled_layer.js';
import { TransformerDivision } from './transformer_division.js';
import { Workers } from './workers.js';

const largest = 1024;

const workersMissing =
  'loadAttentionPool() needs Worker, which this environment does not have (service workers, jsdom and edge ' +
  'runtimes such as Cloudflare Workers have none): ' +
  "loadAttention() of 'attention-wasm' computes without, or pass { createWorker }";

function readCount(count) {
  if (Number.isInteger(count) && count >= 1 && count <= largest) return count;
  throw new RangeError(`workers is ${count} but must be a whole number from 1 to ${largest}`);
}

function pooledLayers(api, heap, workers) {
  const multiHead = {
    creates: 'newMultiHead',
    makers: library.multiHeadMakers,
    divisionOf: (...made) => new MultiHeadDivision(heap, workers, ...made),
  };
  const transformer = (name) => {
    const readCall = library.layerReader(name, heap, { signal: abortSignal });
    return {
      creates: 'newTransformerLayer',
      makers: { fromTorch: (...given) => library.readLayer(name, heap.enums, ...given) },
      divisionOf: (...made) => new TransformerDivision(heap, workers, readCall, ...made),
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
 * loadAttentionPool for an environment that knows how to make a worker, whether it has any, how many cores
 * there are and what is worth a worker.
 */
export function createPoolLoader({ createWorker, hasWorkers, cores, worth }) {
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
    const { heap, compiled } = api[Symbol.for('attention-wasm')];
    const start = { wasm: compiled, kernels: api.kernels, wipe: read.wipe };
    const workers = new Workers(count, read.createWorker ?? createWorker, start, worth);
    return Object.freeze({
      ...pooledAttention(heap, workers),
      ...pooledLayers(api, heap, workers),
      workers: count,
      kernels: api.kernels,
      close: () => workers.close(),
    });
  };
}
