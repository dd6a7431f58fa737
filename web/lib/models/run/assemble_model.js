// Builds the components of a model from a config, a tokenizer and weights. The plan is checked completely before any
// weights are read.
import { activations } from './activations.js';
import { BannedTokens } from './banned_tokens.js';
import { ModelBuilder, forEachTensor } from './build_model.js';
import { ConfigFields } from '../config/config_fields.js';
import { describeStack } from '../config/describe_stack.js';
import { storageBytes } from './weight_storage.js';
import { planModel } from '../config/plan_model.js';
import { mergeEqualTables } from './equal_tables.js';

/** Storage types of weights. */
export const storageTypes = ['as stored', 'float32', 'int8'];
const maxBytes = 2 ** 32; // memory limit of a WebAssembly module

/**
 * Runs steps: a generator that yields what a layer returns and is resumed with its result. Layers in this thread return
 * results; those of a pool return promises, for which it has a function of its own.
 */
function finish(steps) {
  let step = steps.next();
  while (!step.done) step = steps.next(step.value);
  return step.value;
}

/** Whether any matrix is stored as int8. */
function hasInt8(plan, storage) {
  let found = storage === 'int8';
  forEachTensor(plan, ({ type }) => {
    found ||= storage === 'as stored' && type === 'int8';
  });
  return found;
}

function plannedNames(plan) {
  const names = new Set();
  forEachTensor(plan, ({ name }) => names.add(name));
  return names;
}

/** Total bytes of all planned tensors; a tensor used twice counts once. */
function totalBytes(plan, storage) {
  const seen = new Set();
  let bytes = 0;
  forEachTensor(plan, (planned) => {
    const key = `${planned.name} ${planned.slice?.index ?? ''}`;
    if (seen.has(key)) return;
    seen.add(key);
    bytes += storageBytes(planned, storage);
  });
  return bytes;
}

const gigabytes = (bytes) =>
  bytes < 2 ** 30 ? `${Math.ceil(bytes / 2 ** 20)} MB` : `${(bytes / 2 ** 30).toFixed(1)} GB`;

/** The error for a model that does not fit into memory: bytes required, and storage types that would fit. */
function outOfMemoryError(plan, storage, cause) {
  const needed = totalBytes(plan, storage);
  const smaller = storageTypes
    .filter((type) => totalBytes(plan, type) < Math.min(needed, maxBytes))
    .sort((a, b) => totalBytes(plan, a) - totalBytes(plan, b))
    .map((type) => `weights: '${type}' would take ${gigabytes(totalBytes(plan, type))}`);
  const advice = smaller[0] ?? 'use a smaller model';
  return new RangeError(
    `out of memory: the weights of this ${plan.type} model take ${gigabytes(needed)} (${storage}); ${advice}`,
    { cause },
  );
}

/** Special token ids for generation, from generation_config.json or else from config.json. */
function readSpecialIds(c, generation) {
  const own = new ConfigFields(generation ?? {}, 'generation_config.json');
  const fieldsWith = (name) => (own.get(name) === undefined ? c : own);
  const ids = (name) => fieldsWith(name).ids(name);
  const ends = ids('eos_token_id');
  return {
    ends,
    decoder: ids('decoder_start_token_id')[0],
    forced: ids('forced_bos_token_id')[0],
    padding: c.get('pad_token_id'),
    banned: new BannedTokens(fieldsWith('bad_words_ids').idLists('bad_words_ids'), ends),
  };
}

/**
 * Limit of a sentence encoder whose max_seq_length is null or missing, as in Transformer of sentence-transformers. Tokenizers
 * without a limit have a model_max_length of 1e30.
 */
function inferredMaxTokens(c, tokenizerConfig = {}) {
  const ofTokenizer = new ConfigFields(tokenizerConfig, 'tokenizer_config.json');
  const max = Number.MAX_SAFE_INTEGER;
  return Math.min(
    c.integer('max_position_embeddings', max, 1, max),
    ofTokenizer.integer('model_max_length', max, 1, Infinity),
  );
}

async function build(builder, api, plan, loadImageEmbedding) {
  const stacks = {};
  const embeddings = {};
  const description = {};
  let imageEmbedding;
  for (const [side, planned] of Object.entries(plan.stacks)) {
    const { embed, patches: patchPlan, options } = planned;
    if (embed) embeddings[side] = await builder.embedding(embed, options.epsilon);
    if (patchPlan) {
      imageEmbedding = await builder.imageEmbedding(patchPlan, await loadImageEmbedding());
    }
    const stack = await builder.stack(planned);
    const maxLength = Math.min(
      embeddings[side]?.maxLength ?? Infinity,
      planned.maxLength ?? Infinity,
    );
    stacks[side] = { stack, maxLength, isImage: patchPlan !== undefined };
    const bias = builder.biasTable(planned.layers[0].weights.self.relativeBias);
    description[side] = describeStack(planned, maxLength, bias);
  }
  const dense =
    plan.pooler && (await builder.linear({ weight: plan.pooler.weight, bias: plan.pooler.bias }));
  const activation = plan.pooler && activations[plan.pooler.activation];
  const head = await builder.head(plan.head);
  return {
    ...{ stacks, embeddings, imageEmbedding, head, description },
    pooler: dense && ((x) => dense.forward(x).data.map(activation)),
  };
}

const unknownFieldsWarning = (names) =>
  names.length === 0
    ? []
    : [
        `config.json has fields that are not read and not known to change nothing: ${names.join(', ')}; ` +
          'results are those without them',
      ];

/**
 * The components of a Model.
 *
 * @param {object} source see readSource()
 * @param {object} options api, or pool: an object with createModelApi(); family: (fields) → description or a promise of it; storage: one of `storageTypes`; readTokenizer(source, { lowerCases });
 *   loadImageEmbedding(): a promise of image_embedding.js, for models of images; readPooling?(source, width); usePooling; onBuilt(): called
 *   after all weights were read; signal
 */
export async function assembleModel(source, options) {
  const { pool, family, storage, readTokenizer, readPooling, usePooling, onBuilt, signal } =
    options;
  const fields = new ConfigFields(source.config);
  const described = await family(fields);
  const plan = planModel(described, fields, source.weights);
  await mergeEqualTables(plan, source.weights, plannedNames(plan));
  const { stacks } = plan;
  const mainStack = stacks.self ?? stacks.decoder;
  const isText = mainStack.embed !== undefined;
  const isDecoder = mainStack.causal;
  const generation = isDecoder ? await source.json('generation_config.json') : undefined;
  const specialIds = readSpecialIds(fields, generation);
  // Models with a head rarely have modules.json: do not request it from a server.
  const isPooled = isText && stacks.self !== undefined && (usePooling ?? !plan.head);
  const pooling = isPooled ? await readPooling?.(source, mainStack.outWidth) : undefined;
  const { lowerCases } = pooling ?? {};
  const {
    tokenizer,
    missing: missingTokenizer,
    config: tokenizerConfig,
  } = isText ? await readTokenizer(source, { lowerCases }) : {};
  if (pooling) pooling.maxTokens ??= inferredMaxTokens(fields, tokenizerConfig);
  const memoryBytes = totalBytes(plan, storage);
  const api = options.api ?? (await pool.createModelApi({ plan, storage, isGenerated: isDecoder }));
  const { workers = 1 } = api;
  if (memoryBytes + api.memoryBytes() > maxBytes * workers) throw outOfMemoryError(plan, storage);
  const tokenOf = (id) => tokenizer?.tokenOf(id) ?? '';
  const builder = new ModelBuilder(api, source.weights, { storage, tokenOf });
  try {
    const built = await build(builder, api, plan, options.loadImageEmbedding);
    signal?.throwIfAborted();
    onBuilt?.();
    const unknownFields = described.isIgnored ? fields.unknown(described.isIgnored) : [];
    return {
      ...built,
      ...{ type: plan.type, config: source.config, tokenizer, pooling, memoryBytes },
      missingTokenizer,
      vocabularySize: plan.vocabulary,
      ...{ pooled: plan.pooled, layers: mainStack.layers.length, heads: mainStack.heads },
      ...{ specialIds, shiftsLast: plan.shiftsLast },
      hasIntegers: hasInt8(plan, storage),
      unknownFields,
      warnings: [...source.warnings, ...plan.warnings, ...unknownFieldsWarning(unknownFields)],
      ...{ api, finish: api.finish ?? finish, free: builder.free },
    };
  } catch (error) {
    builder.free();
    const { name } = Object(error);
    throw name === 'OutOfMemoryError' ? outOfMemoryError(plan, storage, error) : error;
  }
}
