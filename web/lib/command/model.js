// `attention-wasm model`: attention of a model in a folder.

import { jsonChunks } from './data_formats.js';
import { limits, requireLength } from './limits.js';
import { readModelArguments, refuseTogether } from './model_arguments.js';
import { modelCsv, modelTable } from './model_table.js';
import { UsageError, readInteger } from './shell_options.js';
import { selectWeights } from './select_weights.js';
import { isTerminal, readInput } from './standard_input.js';
import { printable, wrap } from './terminal_text.js';

export { modelHelp as help } from './model_help.js';

const maxTokens = 4096;
const defaultOutputTokens = 64; // of encoder–decoders
const storageTypes = { stored: 'as stored', float32: 'float32', int8: 'int8' };

const options = { generate: { type: 'string' }, weights: { type: 'string' } };

export function readArguments(args) {
  const request = readModelArguments(args, options, ['json', 'csv']);
  if (request.shows !== 'attention') return request;
  const { values, texts } = request;
  const [folder, ...rest] = texts;
  if (folder === undefined) throw new UsageError('missing folder');
  if (values.pieces) refuseTogether(values, 'model', ['pieces'], 'always shows tokens');
  const storage = values.weights ?? 'stored';
  if (!Object.hasOwn(storageTypes, storage)) {
    throw new UsageError(`--weights is "${storage}"; expected stored, float32 or int8`);
  }
  const { generate } = values;
  return {
    ...request,
    folder,
    text: rest.length > 0 ? rest.join(' ') : undefined,
    pieces: true,
    weights: storageTypes[storage],
    generate: generate === undefined ? 0 : readInteger('generate', generate, 1, maxTokens),
  };
}

export async function* lines(request, screen) {
  const text = await readText(request);
  // Imported lazily, so that --help and usage errors do not load the module.
  const { loadModel } = await import('attention-wasm/models');
  const model = await loadModel(request.folder, { weights: request.weights });
  const result = await compute(model, text, request);
  yield* formats[request.format](result, request, screen);
}

async function readText({ text }) {
  if (text === undefined && isTerminal()) throw new UsageError('missing text');
  const isInput = text === undefined || text === '-';
  const input = isInput ? (await readInput('the text')).trim() : text;
  requireLength('the text', input);
  if (input.trim() === '') throw new UsageError('the text is empty');
  return input;
}

const isSeveral = (span) => /\S\s+\S/.test(span); // consecutive unknown words share one span
const labeledToken = (text) => ({ text, special: false });

/** Tokens of a text, labeledToken by their spans; generated tokens by the text they add. */
const inputTokens = (text, { ids, tokens, spans }) => ({
  text,
  tokens: ids.map((id, n) => {
    const span = spans ? text.slice(...spans[n]) : '';
    return labeledToken((!isSeveral(span) && span) || tokens?.[n] || String(id));
  }),
});
const generatedTokens = (generated) =>
  generated.map(({ id, text, token }) => labeledToken(text || token || String(id)));

/** The model's input: the text, or without a tokenizer the ids in it. */
function inputOf({ tokenizer, config }, text, folder) {
  // Image models report the error themselves.
  if (tokenizer || config.patch_size !== undefined) return text;
  const ids = text.trim().split(/[\s,]+/);
  if (ids.every((id) => /^\d{1,9}$/.test(id))) return { ids: ids.map(Number) };
  throw new Error(
    `${folder} has no tokenizer.json: write token ids such as "5 3 9", or create it in Python: AutoTokenizer.from_pretrained(folder).save_pretrained(folder)`,
  );
}

/** Throws if the weights of all heads and layers would exceed the limit. */
function requireFewTokens({ layers, heads, tokenizer }, input, generate) {
  const limit = Math.floor(Math.sqrt(limits.weights / (layers * heads)));
  const count = (input.ids ?? tokenizer?.encode(input).ids ?? []).length + generate;
  if (count <= limit) return;
  const subject = generate > 0 ? `the text and --generate ${generate} have up to` : 'the text has';
  throw new UsageError(
    `${subject} ${count} tokens; the limit for ${layers} layers of ${heads} heads is ${limit}`,
  );
}

async function compute(model, text, { folder, generate }) {
  const input = inputOf(model, text, folder);
  requireFewTokens(model, input, generate);
  const prompt = model.run(input, { attentions: true, logits: false });
  const isEncoderDecoder = prompt.attentions.cross !== undefined;
  const outputTokens = isEncoderDecoder ? generate || defaultOutputTokens : generate;
  const generated = [];
  if (outputTokens > 0)
    for await (const token of model.generate(input, { maxTokens: outputTokens }))
      generated.push(token);
  const source = inputTokens(text, prompt);
  const separator = model.tokenizer ? '' : ' ';
  const output = generated
    .map((token) => (model.tokenizer ? token.text : token.id))
    .join(separator);
  const common = { model, text, source, generated, output };
  if (generated.length === 0) return { ...common, ...self(prompt, source) };
  const ids = generated.map(({ id }) => id);
  if (!isEncoderDecoder) {
    const tokens = [...source.tokens, ...generatedTokens(generated)];
    const full = model.run({ ids: [...prompt.ids, ...ids] }, { attentions: true, logits: false });
    return { ...common, ...self(full, { text: text + separator + output, tokens }) };
  }
  const decoderIds = [...prompt.decoderIds, ...ids.slice(0, -1)];
  const { attentions } = model.run(
    { ids: prompt.ids, decoderIds },
    { attentions: true, logits: false },
  );
  return {
    ...common,
    attentions,
    title: 'Cross-attention',
    stack: 'decoder',
    layers: attentions.cross,
    // Row t belongs to the prediction of generated token t.
    rows: { text: output, tokens: generatedTokens(generated) },
    columns: source,
  };
}

const self = ({ attentions }, rows) => ({
  attentions,
  title: 'Self-attention',
  stack: 'model',
  layers: attentions.self,
  rows,
  columns: rows,
});

const formats = {
  *json({ model, text, source, generated, output, attentions, rows, columns }) {
    const textsOf = ({ tokens }) => tokens.map((token) => token.text);
    yield jsonChunks({
      ...{ type: model.type, layers: model.layers, heads: model.heads },
      ...{ text, written: output, tokens: textsOf(source), ids: generated.map(({ id }) => id) },
      ...{ rows: textsOf(rows), columns: textsOf(columns), attention: attentions },
    });
  },
  csv: (result, request) => modelCsv({ ...selectWeights(request, result), unit: 'token' }, request),
  *table(result, request, { paint, width }) {
    const selected = selectWeights(request, result);
    if (result.output) {
      yield* wrap(printable(result.output), width).map(paint.bold);
      yield '';
    }
    const notes = () => ['Each row is a query token, each column a key token; each row sums to 1.'];
    yield* modelTable(
      { ...selected, unit: 'token' },
      request,
      { ...result, notes },
      { paint, width },
    );
  },
};
