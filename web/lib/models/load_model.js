// Loading a model: its config is read, a plan is made and checked, and only then do weights come in.
import { loadAttention } from '../index.js';
import { abortSignal, fetchSignal } from '../arguments/abort_signal.js';
import { describe } from '../arguments/describe.js';
import { boolean, callback, oneOf, readOptions } from '../arguments/options.js';
import { activations } from './activations.js';
import { ModelBuilder, eachTensor } from './build_model.js';
import { ConfigFields } from './config_fields.js';
import { describeModel } from './families.js';
import { keptBytes } from './kept_numbers.js';
import { Model } from './model.js';
import { planModel } from './plan_model.js';
import { readSource } from './sources/read_source.js';
import { readPooling } from './sentence_pooling.js';
import { readTokenizer } from './tokenizer/read_tokenizer.js';

const ways = ['as stored', 'float32', 'int8'];
const mostBytes = 2 ** 32; // of the memory of a WebAssembly module

function attentionApi(value) {
  if (typeof value === 'object' && typeof value.TransformerLayer === 'function') return value;
  throw new TypeError(`api must be what loadAttention() gave, found ${describe(value)}`);
}

const kinds = {
  onProgress: callback,
  signal: abortSignal,
  weights: oneOf(ways),
  pooling: boolean,
  api: attentionApi,
};

/** Bytes of all planned tensors, each once. */
function bytesOf(plan, how) {
  const seen = new Set();
  let bytes = 0;
  eachTensor(plan, (planned) => {
    const key = `${planned.name} ${planned.part?.index ?? ''}`;
    if (seen.has(key)) return;
    seen.add(key);
    bytes += keptBytes(planned, how);
  });
  return bytes;
}

const gigabytes = (bytes) =>
  bytes < 2 ** 30 ? `${Math.ceil(bytes / 2 ** 20)} MB` : `${(bytes / 2 ** 30).toFixed(1)} GB`;

/** The sentence of a model that has no room: what it needs, and what would do. */
function tooLarge(plan, how, cause) {
  const needed = bytesOf(plan, how);
  const smaller = ways
    .filter((way) => bytesOf(plan, way) < Math.min(needed, mostBytes))
    .sort((a, b) => bytesOf(plan, a) - bytesOf(plan, b))
    .map((way) => `weights: '${way}' would take ${gigabytes(bytesOf(plan, way))}`);
  const advice = smaller[0] ?? 'a smaller model is needed';
  return new RangeError(
    `the weights of this ${plan.type} take ${gigabytes(needed)} (${how}), and there is no room for them; ${advice}`,
    { cause },
  );
}

/** Ids that generation takes from generation_config.json, or from the config itself. */
function startsOf(c, generation) {
  const own = new ConfigFields(generation ?? {}, 'generation_config.json');
  const given = (name) => (own.get(name) === undefined ? c : own);
  const ids = (name) => given(name).ids(name);
  const bad = given('bad_words_ids').list('bad_words_ids') ?? [];
  return {
    ends: ids('eos_token_id'),
    decoder: ids('decoder_start_token_id')[0],
    forced: ids('forced_bos_token_id')[0],
    refused: bad.filter((words) => words?.length === 1).flat(),
  };
}

async function build(builder, api, plan) {
  const stacks = {};
  const embeddings = {};
  let patches;
  for (const [side, planned] of Object.entries(plan.stacks)) {
    const { embed, patches: cut, options } = planned;
    if (embed) embeddings[side] = await builder.embedding(embed, options.epsilon);
    if (cut) patches = await builder.patches(cut);
    const stack = await builder.stack(planned);
    const longest = Math.min(embeddings[side]?.longest ?? Infinity, planned.longest ?? Infinity);
    stacks[side] = { stack, longest, isImage: cut !== undefined };
  }
  const dense =
    plan.pooler && (await builder.linear({ weight: plan.pooler.weight, bias: plan.pooler.bias }));
  const act = plan.pooler && activations[plan.pooler.activation];
  const head = await builder.head(plan.head);
  return {
    ...{ stacks, embeddings, patches, head },
    pooler: dense && ((x) => dense.forward(x).data.map(act)),
  };
}

async function readModel(source, { api, how, pools, report, signal }) {
  const fields = new ConfigFields(source.config);
  const plan = planModel(describeModel(fields.get('model_type'), fields), fields, source.weights);
  const { stacks } = plan;
  const main = stacks.self ?? stacks.decoder;
  const isText = main.embed !== undefined;
  const tokenizer = isText ? await readTokenizer(source, plan) : undefined;
  const isWriting = main.causal;
  const generation = isWriting ? await source.json('generation_config.json') : undefined;
  const starts = startsOf(fields, generation);
  // With a head it is the head's logits that are wanted, and a server is not asked for a file that is seldom there.
  const isPooled = isText && !isWriting && (pools ?? !plan.head);
  const pooling = isPooled ? await readPooling(source) : undefined;
  const memoryBytes = bytesOf(plan, how);
  if (memoryBytes + api.memoryBytes() > mostBytes) throw tooLarge(plan, how);
  const builder = new ModelBuilder(api, source.weights, how);
  try {
    const built = await build(builder, api, plan);
    signal?.throwIfAborted();
    report.finish();
    return new Model({
      ...built,
      ...{ type: plan.type, config: source.config, tokenizer, pooling, memoryBytes },
      ...{ pooled: plan.pooled, layers: main.layers.length, heads: main.heads },
      starts,
      free: builder.free,
    });
  } catch (error) {
    builder.free();
    throw /memory/i.test(error?.message) && error instanceof RangeError
      ? tooLarge(plan, how, error)
      : error;
  }
}

/** Tells how far it is; at the end that all is there, also where tensors were not needed. */
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

/** loadModel for an environment that knows what an address is. */
export function createModelLoader(openAddress) {
  return async function loadModel(source, options) {
    const read = readOptions('loadModel', options, kinds);
    const { signal, weights: how = 'as stored', pooling: pools, onProgress } = read;
    signal?.throwIfAborted();
    const api = read.api ?? (await loadAttention());
    const report = reporter(onProgress);
    const fetching = fetchSignal(signal);
    try {
      const opened = await readSource(source, {
        openAddress: (address) => openAddress(address, fetching.signal),
        report: report.step,
        signal,
      });
      try {
        return await readModel(opened, { api, how, pools, report, signal });
      } finally {
        await opened.close();
      }
    } finally {
      fetching.forget();
    }
  };
}
