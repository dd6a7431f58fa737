// loadModel(): reads options, opens the source and builds the model.
import { loadAttention } from '../index.js';
import { abortSignal, fetchSignal } from '../arguments/abort_signal.js';
import { describe } from '../arguments/describe.js';
import { boolean, callback, oneOf, readOptions } from '../arguments/options.js';
import { loadFile } from '../module/load_file.js';
import { assembleModel, storageTypes } from './run/runtime.js';
import { Model } from './model.js';
import { PooledModel } from './pooled_model.js';
import { readPooling } from './run/sentence_pooling.js';
import { readSource } from './sources/read_source.js';
import { readTokenizer } from './tokenizer/read_tokenizer.js';

function attentionApi(value) {
  if (typeof value === 'object' && typeof value.TransformerLayer === 'function') return value;
  throw new TypeError(`api must be a result of loadAttention(), found ${describe(value)}`);
}

function poolInternals(value) {
  const internals = value?.[Symbol.for('attention-wasm')];
  if (typeof internals?.createModelApi === 'function') return internals;
  throw new TypeError(`pool must be a result of loadAttentionPool(), found ${describe(value)}`);
}

const kinds = {
  onProgress: callback,
  signal: abortSignal,
  weights: oneOf(storageTypes),
  pooling: boolean,
  api: attentionApi,
  pool: poolInternals,
};

const loadImageEmbedding = () =>
  loadFile('models_image.js', () => import('./run/image_embedding.js'));

/** The families are a separate file, loaded with the first model. */
async function describeModel(fields) {
  const families = await loadFile('models_families.js', () => import('./config/families.js'));
  return families.describeModel(fields);
}

/** Forwards progress; finish() reports all bytes, also if some tensors were not needed. */
function reporter(onProgress) {
  let last;
  return {
    step(progress) {
      last = progress;
      onProgress?.(progress);
    },
    finish() {
      if (last && last.loaded < last.total) onProgress?.({ ...last, loaded: last.total });
    },
  };
}

/** Creates loadModel() with an environment's function to open an address. */
export function createModelLoader(openAddress) {
  return async function loadModel(source, options) {
    const values = readOptions('loadModel', options, kinds);
    const { signal, weights: storage = 'as stored', pooling: usePooling, onProgress } = values;
    signal?.throwIfAborted();
    const { pool } = values;
    if (pool && values.api) {
      throw new TypeError('api and pool are both set; only one is allowed');
    }
    const api = pool ? undefined : (values.api ?? (await loadAttention()));
    const report = reporter(onProgress);
    const fetchAbort = fetchSignal(signal);
    try {
      const opened = await readSource(source, {
        openAddress: (address) => openAddress(address, fetchAbort.signal),
        report: report.step,
        signal,
      });
      try {
        const components = await assembleModel(opened, {
          ...{ api, pool, storage, usePooling, readTokenizer, readPooling, signal },
          family: describeModel,
          loadImageEmbedding,
          onBuilt: report.finish,
        });
        return pool ? new PooledModel(components) : new Model(components);
      } finally {
        await opened.close();
      }
    } finally {
      fetchAbort.forget();
    }
  };
}
