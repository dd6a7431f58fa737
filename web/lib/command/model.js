// `attention-wasm model`: attention of a model in a folder, with edits and measures.

import { messageOf } from '../arguments/message_of.js';
import { writeFile } from 'node:fs/promises';
import { jsonChunks } from './data_formats.js';
import { editOptions, editsOf, readEditOptions } from './edit_options.js';
import { loadKernels } from './kernels.js';
import { limits, requireLength } from './limits.js';
import { readModelArguments, refuseTogether } from './model_arguments.js';
import {
  effectLines,
  effectOf,
  hasMeasures,
  measure,
  measureLines,
  measureOptions,
  positionIn,
  readMeasureOptions,
  runOptionsOf,
} from './measure_options.js';
import { modelCsv, modelTable } from './model_table.js';
import { UsageError, readInteger } from './shell_options.js';
import { selectWeights } from './select_weights.js';
import { isTerminal, readInput } from './standard_input.js';
import { printable, wrap } from './terminal_text.js';
import { checkPicture, pictureOfMatrix, pictureOfWeights } from './weights_picture.js';

export { modelHelp as help } from './model_help.js';

const maxTokens = 4096;
const defaultOutputTokens = 64; // of encoder–decoders
const storageTypes = { stored: 'as stored', float32: 'float32', int8: 'int8' };

const options = {
  generate: { type: 'string' },
  prompt: { type: 'string' },
  'no-prompt': { type: 'boolean' },
  weights: { type: 'string' },
  picture: { type: 'string' },
  ...editOptions,
  ...measureOptions,
};

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
  const { generate, picture } = values;
  const measures = readMeasureOptions(values);
  if (values.csv) refuseTogether(values, '--csv', Object.keys(measureOptions), 'writes weights');
  if (values['no-prompt']) refuseTogether(values, '--no-prompt', ['prompt'], 'leaves it out');
  checkPicture(values, request);
  return {
    ...request,
    folder,
    text: rest.length > 0 ? rest.join(' ') : undefined,
    pieces: true,
    weights: storageTypes[storage],
    edits: readEditOptions(values),
    measures,
    picture,
    prompt: values['no-prompt'] ? false : values.prompt,
    generate: generate === undefined ? 0 : readInteger('generate', generate, 1, maxTokens),
  };
}

export async function* lines(request, screen) {
  const text = await readText(request);
  // Imported lazily, so that --help and usage errors do not load the module.
  const { compare, headScores, loadModel } = await import('attention-wasm/models');
  const api = await loadKernels(request.kernels);
  const model = await loadModel(request.folder, { api, weights: request.weights });
  model.warnings.forEach(screen.warn);
  const result = await compute(model, text, request, { compare, headScores });
  if (request.picture !== undefined) await writeFile(request.picture, pictureOf(result, request));
  yield* formats[request.format](result, request, screen);
}

/** An SVG of the scores of heads, if requested, else of the selected weights. */
function pictureOf(result, request) {
  const headScores = result.measured?.headScores;
  if (headScores) {
    const [layers, heads] = headScores.scores.dims;
    const names = (word, count) => Array.from({ length: count }, (_, n) => `${word} ${n}`);
    return pictureOfMatrix(headScores.scores, names('layer', layers), names('head', heads));
  }
  return pictureOfWeights(selectWeights(request, result));
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

/** Tokens of a text, labeled by the text of their spans; generated tokens by the text they add. */
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
function inputOf({ tokenizer, description }, text, folder) {
  // Image models report the error themselves.
  if (tokenizer || description.self?.patches) return text;
  const ids = text.trim().split(/[\s,]+/);
  if (ids.every((id) => /^\d{1,9}$/.test(id))) return { ids: ids.map(Number) };
  throw new Error(
    `${folder} has no tokenizer.json: write token ids such as "5 3 9", or create it in Python: AutoTokenizer.from_pretrained(folder).save_pretrained(folder)`,
  );
}

/** Throws if the weights of all heads and layers would exceed the limit. */
function requireFewTokens({ layers, heads }, tokens, generate) {
  const limit = Math.floor(Math.sqrt(limits.weights / (layers * heads)));
  const count = tokens.length + generate;
  if (count <= limit) return;
  const subject = generate > 0 ? `the text and --generate ${generate} have up to` : 'the text has';
  throw new UsageError(
    `${subject} ${count} tokens; the limit for ${layers} layers of ${heads} heads is ${limit}`,
  );
}

/** Throws errors of edits and measures that do not fit the model as usage errors. */
function withUsageErrors(work) {
  try {
    return work();
  } catch (error) {
    const message = messageOf(error);
    if (/^(edits|token|against|prompt|the option prompt|this \w+ model has no)\b/.test(message)) {
      throw new UsageError(message);
    }
    throw error;
  }
}

/** The final run of a request, with what it measures. rows: { text, tokens, spans? } of its rows. */
function runMeasured(model, input, rows, { edits, measures, prompt, stack }, functions) {
  const needsLogits = hasMeasures(measures) || edits.length > 0;
  const options = { attentions: true, prompt, edits, ...runOptionsOf(measures, stack) };
  if (!needsLogits) return { result: model.run(input, { ...options, logits: false }) };
  return withUsageErrors(() => {
    const result = model.run(input, options);
    const position = positionIn(rows, measures);
    const measured = measure(model, result, measures, position, functions);
    if (edits.length > 0 && result.logits) {
      const before = model.run(input, { prompt });
      measured.effect = effectOf(model, before, result, position, functions);
    }
    return { result, measured: { position, ...measured } };
  });
}

/** The tokens that the model reads: { tokens, spans? }. */
function encodedInput(model, input, prompt) {
  if (model.description.self?.patches) return { tokens: [] };
  const {
    ids,
    tokens = ids.map(String),
    spans,
  } = withUsageErrors(() => model.encode(input, { prompt }));
  return { tokens, spans };
}

async function compute(model, text, request, functions) {
  const { folder, generate, edits: items, measures, prompt } = request;
  const input = inputOf(model, text, folder);
  const encoded = encodedInput(model, input, prompt);
  requireFewTokens(model, encoded.tokens, generate);
  const isEncoderDecoder = model.description.encoder !== undefined;
  const stacks = isEncoderDecoder ? ['encoder', 'decoder', 'cross'] : ['self'];
  const edits = editsOf(items, { layers: model.layers, stacks }, { text, ...encoded });
  const outputTokens = isEncoderDecoder ? generate || defaultOutputTokens : generate;
  const generated = [];
  if (outputTokens > 0)
    for await (const token of model.generate(input, { maxTokens: outputTokens, edits }))
      generated.push(token);
  const ids = generated.map(({ id }) => id);
  const separator = model.tokenizer ? '' : ' ';
  const output = generated
    .map((token) => (model.tokenizer ? token.text : token.id))
    .join(separator);
  const common = { model, text, generated, output, edits };
  const stack = isEncoderDecoder ? 'decoder' : 'self';
  const measuredRun = { edits, measures, prompt, stack };
  const written = generatedTokens(generated);
  const labels = written.map((token) => token.text);
  const ofText = { ...encoded, text };
  if (generated.length === 0) {
    const { result, measured } = runMeasured(model, input, ofText, measuredRun, functions);
    const source = inputTokens(text, result);
    return { ...common, source, measured, ...self(result, source) };
  }
  const read = model.run(input, { logits: false, prompt });
  const source = inputTokens(text, read);
  if (!isEncoderDecoder) {
    const rows = {
      text,
      tokens: [...encoded.tokens, ...labels],
      spans: encoded.spans && [...encoded.spans, ...ids.map(() => [0, 0])],
    };
    const whole = { ids: [...read.ids, ...ids] };
    const { result, measured } = runMeasured(model, whole, rows, measuredRun, functions);
    const shown = { text: text + separator + output, tokens: [...source.tokens, ...written] };
    return { ...common, source, measured, ...self(result, shown) };
  }
  const decoderIds = [...read.decoderIds, ...ids.slice(0, -1)];
  const whole = { ids: read.ids, decoderIds };
  const rows = { tokens: labels };
  const { result, measured } = runMeasured(model, whole, rows, measuredRun, functions);
  return {
    ...common,
    source,
    measured,
    attentions: result.attentions,
    title: 'Cross-attention',
    stack: 'decoder',
    layers: result.attentions.cross,
    // Row t belongs to the prediction of generated token t.
    rows: { text: output, tokens: written },
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
  *json({ model, text, source, generated, output, attentions, rows, columns, edits, measured }) {
    const textsOf = ({ tokens }) => tokens.map((token) => token.text);
    yield jsonChunks({
      ...{ type: model.type, layers: model.layers, heads: model.heads },
      ...(model.unknownFields.length > 0 && { unknownFields: model.unknownFields }),
      ...(model.warnings.length > 0 && { warnings: model.warnings }),
      ...{ text, written: output, tokens: textsOf(source), ids: generated.map(({ id }) => id) },
      ...{ rows: textsOf(rows), columns: textsOf(columns), attention: attentions },
      ...(edits.length > 0 && { edits }),
      ...measured,
    });
  },
  csv: (result, request) => modelCsv({ ...selectWeights(request, result), unit: 'token' }, request),
  *table(result, request, { paint, width }) {
    if (result.output) {
      yield* wrap(printable(result.output), width).map(paint.bold);
      yield '';
    }
    const { effect } = result.measured ?? {};
    if (effect) {
      yield* effectLines(result.model, result.measured, width);
      yield '';
    }
    if (hasMeasures(request.measures)) {
      yield* measureLines(result.model, result.measured, { paint, width });
      return;
    }
    const selected = selectWeights(request, result);
    const notes = () => ['Each row is a query token, each column a key token; each row sums to 1.'];
    yield* modelTable(
      { ...selected, unit: 'token' },
      request,
      { ...result, notes },
      { paint, width },
    );
  },
};
