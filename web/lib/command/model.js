// `attention-wasm model`: attention of a model in a folder or of the package's translator, with edits and measures.

import { writeFile } from 'node:fs/promises';
import { messageOf } from '../arguments/message_of.js';
import { csvLines, jsonChunks } from './data_formats.js';
import { editOptions, editsOf } from './edit_options.js';
import { limits, requireLength } from './limits.js';
import { tableLines } from './matrix_table.js';
import {
  effectLines,
  effectOf,
  hasMeasures,
  measure,
  measureLines,
  measureOptions,
  measuresIn,
  positionIn,
  runOptionsOf,
  viewOfScores,
} from './measure_options.js';
import { modelView } from './model_view.js';
import { kernelsOption, loadKernels, outputOptions, selectionOptions } from './shared_options.js';
import { UsageError, integer, joined, nonEmpty, oneOf } from './shell_options.js';
import { isTerminal, readInput } from './standard_input.js';
import { printable, wrap } from './terminal_text.js';
import { checkPicture, pictureOf } from './weights_picture.js';

const maxTokens = 4096;
const defaultOutputTokens = 64; // of encoder–decoders

/** @type {import('./shell_options.js').Table} */
export const table = {
  usage: [
    'attention-wasm model [options] FOLDER TEXT',
    'attention-wasm model [options] --built-in TEXT',
    '... | attention-wasm model [options] FOLDER',
  ],
  about: [
    'Shows the attention of your own trained model. FOLDER is a path or an address with config.json, model.safetensors (or ' +
      'its shards and their index) and tokenizer.json. One row per query token, one column per key token; each cell is a ' +
      'weight. Each row sums to 1. For encoder–decoders, rows are generated tokens, unless --stack is encoder. If ' +
      'tokenizer.json is missing, TEXT is a list of token ids, such as "5 3 9". ' +
      `TEXT may have ${limits.characters} characters, and all layers and heads together ${limits.weights} weights.`,
    'Models: bert, roberta, xlm-roberta, distilbert, albert, electra; gpt2, gpt_neo, gpt_neox, llama, mistral, qwen2, qwen3, ' +
      'phi; bart, mbart, marian, pegasus, m2m_100, t5, nn_transformer.',
  ],
  groups: [
    {
      title: 'Model:',
      options: {
        'built-in': {
          text:
            'the English–French encoder–decoder of this package instead of FOLDER. Weights are between its tokens; those ' +
            'between words are shown by attention-wasm translate',
          excludes: { options: ['weights'], reason: 'has int8 weights' },
        },
        weights: {
          value: 'TYPE',
          text: 'storage type in memory: stored (as in the file), float32 or int8',
          default: 'stored',
          read: oneOf('stored', 'float32', 'int8'),
        },
      },
    },
    {
      title: 'Weights:',
      options: {
        stack: {
          value: 'NAME',
          text:
            'encoder–decoders: attention of encoder (TEXT to itself; generates nothing unless other options need it), ' +
            'decoder (generated tokens to those before) or cross (generated tokens to TEXT) (default: cross)',
          read: oneOf('encoder', 'decoder', 'cross'),
        },
        ...selectionOptions,
        generate: {
          value: 'N',
          text: 'continues the text by at most N tokens, each time the likeliest, and includes them in the table',
          read: integer(1, maxTokens),
        },
        prompt: {
          value: 'NAME',
          text:
            'sentence encoders: the prompt before the text, one of config_sentence_transformers.json (default: its ' +
            'default_prompt_name)',
        },
        'no-prompt': {
          text: 'no prompt before the text',
          excludes: { options: ['prompt'], reason: 'leaves it out' },
        },
      },
    },
    {
      title: 'Changes inside the model:',
      options: editOptions(
        'Encoder–decoders need a stack before: encoder:0.1, decoder:1, cross:2.3, "cross:<-elephant"; positions of the ' +
          'decoder are numbers',
      ),
    },
    { title: 'Measures, shown instead of the weights:', options: measureOptions },
    { title: 'Computation:', options: kernelsOption },
    {
      title: 'Output:',
      options: {
        picture: {
          value: 'FILE',
          text: 'writes the selected weights, or the scores of heads, to an SVG file',
          read: nonEmpty('a file'),
        },
        json: {
          text: 'input tokens, generated text and ids, row and column tokens, all weights: layers × heads × rows × columns',
          isFormat: true,
          excludes: { options: Object.keys(selectionOptions), reason: 'writes all weights' },
        },
        csv: {
          text: 'the weights as CSV with a header of tokens',
          isFormat: true,
          excludes: { options: Object.keys(measureOptions), reason: 'writes weights' },
        },
        ...outputOptions,
      },
    },
  ],
  examples: [
    'attention-wasm model ./my-bert "The animal was too tired"',
    'attention-wasm model ./gpt2 "Once upon a time" --generate 20 --head all',
    'attention-wasm model ./opus-mt-en-de "The red car is fast" --json',
    'attention-wasm model --built-in --stack encoder "The red car is fast"',
    'attention-wasm model ./gpt2 "When John and Mary went to the shops, John gave the bag to" --ablate 9.9,9.6 ' +
      '--attribute Mary --against John',
  ],
};

/** The lines to write; screen: { paint, width, warn }. */
export async function* lines(request, screen) {
  const { values, texts, format } = request;
  const [folder, ...rest] = values['built-in'] ? [undefined, ...texts] : texts;
  if (!values['built-in'] && folder === undefined) throw new UsageError('missing folder');
  const measures = measuresIn(values);
  checkPicture(values);
  const text = await readText(joined(rest));
  const { model, ...functions } = await load(folder, values);
  model.warnings.forEach(screen.warn);
  const result = await compute(model, text, { ...values, folder, measures, format }, functions);
  const view = () => modelView(values, result.shown, 'token');
  if (values.picture !== undefined) {
    const { headScores } = result.measured ?? {};
    const layer = (number) => `layer ${number}`;
    const head = (number) => `head ${number}`;
    const drawn = headScores ? viewOfScores(headScores, layer, head) : view();
    await writeFile(values.picture, pictureOf(drawn));
  }
  if (format === 'json') yield jsonChunks(jsonOf(model, text, result));
  else if (format === 'csv') yield* csvLines(view());
  else {
    const { measured } = result;
    const isMeasured = hasMeasures(measures); // measures are shown instead of the weights
    const shown = isMeasured ? measureLines(model, measured, screen) : tableLines(view(), screen);
    yield* opening(model, result, screen);
    yield* shown;
  }
}

// Imported lazily, so that --help and usage errors do not load the module.
async function load(folder, { kernels, weights, 'built-in': isBuiltIn }) {
  const { compare, headScores, loadModel } = await import('attention-wasm/models');
  const api = await loadKernels(kernels);
  const storage = weights === 'stored' ? 'as stored' : weights;
  const model = isBuiltIn
    ? await loadBuiltIn(api, loadModel)
    : await loadModel(folder, { api, weights: storage });
  return { model, compare, headScores };
}

async function loadBuiltIn(api, loadModel) {
  const { loadTranslator } = await import('attention-wasm/translator');
  const { model } = await loadTranslator({ api, loadModel });
  return /** @type {import('attention-wasm/models').LoadedModel} */ (model);
}

async function readText(text) {
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
  const { folder, generate = 0, measures, format } = request;
  const isEncoderDecoder = model.description.encoder !== undefined;
  if (request.stack !== undefined && !isEncoderDecoder) {
    throw new UsageError(
      `--stack needs an encoder–decoder, but this ${model.type} model has one stack`,
    );
  }
  const stack = isEncoderDecoder ? (request.stack ?? 'cross') : 'self';
  const prompt = request['no-prompt'] ? false : request.prompt;
  const input = inputOf(model, text, folder);
  const encoded = encodedInput(model, input, prompt);
  requireFewTokens(model, encoded.tokens, generate);
  const edits = editsOf(request, layersOf(model), { text, ...encoded });
  const needsOutput =
    stack !== 'encoder' || format === 'json' || edits.length > 0 || hasMeasures(measures);
  const defaultTokens = isEncoderDecoder && needsOutput ? defaultOutputTokens : 0;
  const generated = await generatedBy(model, input, generate || defaultTokens, edits);
  const ids = generated.map(({ id }) => id);
  const separator = model.tokenizer ? '' : ' ';
  const output = generated
    .map((token) => (model.tokenizer ? token.text : token.id))
    .join(separator);
  const written = generatedTokens(generated);
  const labels = written.map((token) => token.text);
  const run = (input, rows) => {
    const residual = isEncoderDecoder ? 'decoder' : 'self';
    return runMeasured(model, input, rows, { edits, measures, prompt, stack: residual }, functions);
  };
  const common = { generated, output, edits };
  const shown = (attentions, texts) => ({ attentions, shown: shownOf(stack, attentions, texts) });
  if (generated.length === 0) {
    const { result, measured } = run(input, { ...encoded, text });
    const source = inputTokens(text, result);
    return { ...common, source, measured, ...shown(result.attentions, { source }) };
  }
  const read = model.run(input, { logits: false, prompt });
  const source = inputTokens(text, read);
  if (!isEncoderDecoder) {
    const rows = {
      text,
      tokens: [...encoded.tokens, ...labels],
      spans: encoded.spans && [...encoded.spans, ...ids.map(() => [0, 0])],
    };
    const { result, measured } = run({ ids: [...read.ids, ...ids] }, rows);
    const whole = { text: text + separator + output, tokens: [...source.tokens, ...written] };
    return { ...common, source, measured, ...shown(result.attentions, { source: whole }) };
  }
  const decoderIds = [...read.decoderIds, ...ids.slice(0, -1)];
  const { result, measured } = run({ ids: read.ids, decoderIds }, { tokens: labels });
  const begin = read.decoderIds.map((id, n) => labeledToken(read.decoderTokens?.[n] ?? String(id)));
  const texts = {
    source,
    output: { text: output, tokens: written },
    inputs: { text: output, tokens: [...begin, ...written.slice(0, -1)] },
  };
  return { ...common, source, measured, ...shown(result.attentions, texts) };
}

/** The number of layers of each stack. */
function layersOf({ layers, description: { encoder } }) {
  if (!encoder) return { self: layers };
  return { encoder: encoder.layers.length, decoder: layers, cross: layers };
}

async function generatedBy(model, input, maxTokens, edits) {
  const generated = [];
  if (maxTokens === 0) return generated;
  for await (const token of model.generate(input, { maxTokens, edits })) generated.push(token);
  return generated;
}

const sumNote = 'each row sums to 1.';

/** The attention of a stack, for modelView(). Row t of decoder and cross belongs to the prediction of generated token t. */
function shownOf(stack, attentions, { source, output, inputs }) {
  const tokens = `Each row is a query token, each column a key token; ${sumNote}`;
  const before = `Each row is a generated token, each column a token before it; ${sumNote}`;
  const self = { title: 'Self-attention', rows: source, columns: source, notes: [tokens] };
  const kinds = {
    self: { ...self, stack: 'model' },
    encoder: { ...self, stack: 'encoder' },
    decoder: { ...self, stack: 'decoder', rows: output, columns: inputs, notes: [before] },
    cross: { ...self, title: 'Cross-attention', stack: 'decoder', rows: output },
  };
  return { ...kinds[stack], layers: attentions[stack] };
}

function jsonOf(model, text, { source, generated, output, attentions, shown, edits, measured }) {
  const textsOf = ({ tokens }) => tokens.map((token) => token.text);
  return {
    ...{ type: model.type, layers: model.layers, heads: model.heads },
    ...(model.unknownFields.length > 0 && { unknownFields: model.unknownFields }),
    ...(model.warnings.length > 0 && { warnings: model.warnings }),
    ...{ text, written: output, tokens: textsOf(source), ids: generated.map(({ id }) => id) },
    ...{ rows: textsOf(shown.rows), columns: textsOf(shown.columns), attention: attentions },
    ...(edits.length > 0 && { edits }),
    ...measured,
  };
}

/** The output and the effect of edits. */
function* opening(model, { output, measured }, { paint, width }) {
  if (output) {
    yield* wrap(printable(output), width).map(paint.bold);
    yield '';
  }
  if (measured?.effect) {
    yield* effectLines(model, measured, width);
    yield '';
  }
}
