// loadTranslator(): reads weights and tokenizer and builds the model.
import { loadAttention } from '../index.js';
import { describe } from '../arguments/describe.js';
import { isUrl } from '../arguments/is_url.js';
import { callback, readOptions } from '../arguments/options.js';
import { nnTransformer } from '../models/config/families/nn_transformer.js';
import { memoryWeights } from '../models/sources/memory_weights.js';
import { componentsOf } from '../models/components_of.js';
import { assembleModel } from '../models/run/runtime.js';
import { parseSafetensors } from '../safetensors.js';
import shippedConfig from '../../model/config.json';
import { BytePairTokenizer } from './byte_pair_tokenizer.js';
import { readPackageFile } from './package_files.js';
import { isHtmlBytes } from '../models/sources/file_text.js';
import { Translator } from './translator.js';

/** read(bytes). If the bytes are an HTML page, which some servers send for missing files, throws `message`. */
function readUnlessPage(bytes, read, message) {
  try {
    return read(bytes);
  } catch (cause) {
    if (cause instanceof TypeError) throw cause; // the argument is not bytes
    const { buffer = bytes, byteOffset, byteLength } = bytes;
    if (!isHtmlBytes(new Uint8Array(buffer, byteOffset, byteLength))) throw cause;
    throw new RangeError(message, { cause });
  }
}

/** Tensors of a file by name; int8 tensors with their row scales. */
function readTensors(bytes) {
  const { tensors: entries } = parseSafetensors(bytes);
  const tensors = new Map();
  for (const [name, { data, dims }] of entries) {
    if (name.endsWith('.scales')) continue;
    const scales = entries.get(`${name}.scales`)?.data;
    tensors.set(name, scales ? { data, dims, scales } : { data, dims });
  }
  return tensors;
}

const parseJson = (bytes) => JSON.parse(new TextDecoder().decode(bytes));

async function readWeightBytes(weights, fetchFile, onChunk) {
  const source = await weights;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source;
  if (isUrl(source)) return fetchFile(source, onChunk);
  if (typeof source?.arrayBuffer === 'function') return source.arrayBuffer();
  throw new TypeError(`weights must be bytes, a Response or a URL, found ${describe(source)}`);
}

async function readTokenizerFile(tokenizer, fetchFile) {
  const source = await tokenizer;
  if (!isUrl(source)) return source;
  const bytes = await fetchFile(source);
  return readUnlessPage(bytes, parseJson, 'the tokenizer is an HTML page, not JSON');
}

/** { components, model }: a model that loadModel() opens from these files. */
async function openedBy(loadModel, source, api) {
  const model = await loadModel(source, { api });
  const components = componentsOf(model);
  if (components.api === api && components.tokenizer) return { components, model };
  model.delete();
  throw new TypeError('loadModel must be loadModel() of attention-wasm/models');
}

/** { components }: the same without the rest of attention-wasm/models, with the small tokenizer. */
async function assembled({ config, weights, tokenizer }, api) {
  const source = {
    ...{ config, weights: memoryWeights(weights), warnings: [] },
    json: async () => undefined, // no other files
  };
  const components = await assembleModel(source, {
    ...{ api, family: nnTransformer, storage: 'as stored' },
    readTokenizer: () => ({ tokenizer: new BytePairTokenizer(tokenizer) }),
  });
  return { components };
}

/** Creates loadTranslator() with an environment's function to fetch a file. */
export function createTranslatorLoader(fetchFile) {
  const readersFor = (onChunk) => ({
    weights: async (weights) => {
      const bytes = await readWeightBytes(weights, fetchFile, onChunk);
      return readUnlessPage(bytes, readTensors, 'weights are an HTML page, not safetensors');
    },
    tokenizer: (tokenizer) => readTokenizerFile(tokenizer, fetchFile),
  });

  return async function loadTranslator(options) {
    const anything = (value) => value;
    const read = readOptions('loadTranslator', options, {
      weights: anything,
      tokenizer: anything,
      config: anything,
      api: anything,
      attention: anything,
      onProgress: callback,
      loadModel: callback,
    });
    if (read.api !== undefined && read.attention !== undefined) {
      throw new TypeError('api and attention are two names of one option; only one is allowed');
    }
    const { onProgress } = read;
    const readers = readersFor(
      onProgress && ((loaded, total) => onProgress({ loaded, total, file: 'weights' })),
    );
    const file = (name, value) =>
      value === undefined ? readPackageFile(name, readers[name]) : readers[name](value);
    const [api, tensors, tokenizer] = await Promise.all([
      read.api ?? read.attention ?? loadAttention(),
      file('weights', read.weights),
      file('tokenizer', read.tokenizer),
    ]);
    const source = { config: read.config ?? shippedConfig, weights: tensors, tokenizer };
    const { loadModel } = read;
    const opened = await (loadModel ? openedBy(loadModel, source, api) : assembled(source, api));
    return new Translator(api, { ...opened, tensors });
  };
}
