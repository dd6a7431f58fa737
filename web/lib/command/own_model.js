// `attention-wasm model`: how the tokens of a text attend to each other in a model that lies in a folder.

import { jsonPieces, matricesAsCsv } from './data_formats.js';
import { limits, requireLength } from './limits.js';
import { readModelArguments, refuseTogether } from './model_arguments.js';
import { modelPicture } from './model_picture.js';
import { UsageError, readWhole } from './shell_options.js';
import { shownWeights } from './shown_weights.js';
import { isTyped, readInput } from './standard_input.js';
import { printable, wrap } from './terminal_text.js';

export { help } from './own_model_help.js';

const mostTokens = 4096;
const usualAnswer = 64; // tokens of a text that answers another
const ways = { stored: 'as stored', float32: 'float32', int8: 'int8' };

const options = { generate: { type: 'string' }, weights: { type: 'string' } };

export function readArguments(args) {
  const request = readModelArguments(args, options, ['json', 'csv']);
  if (request.shows !== 'attention') return request;
  const { given, texts } = request;
  const [folder, ...rest] = texts;
  if (folder === undefined) throw new UsageError('no folder given');
  if (given.pieces) refuseTogether(given, 'model', ['pieces'], 'shows tokens in any case');
  const way = given.weights ?? 'stored';
  if (!Object.hasOwn(ways, way)) {
    throw new UsageError(`--weights is "${way}"; expected stored, float32 or int8`);
  }
  const { generate } = given;
  return {
    ...request,
    folder,
    text: rest.length > 0 ? rest.join(' ') : undefined,
    pieces: true,
    weights: ways[way],
    generate: generate === undefined ? 0 : readWhole('generate', generate, 1, mostTokens),
  };
}

export async function* lines(request, screen) {
  const text = await readText(request);
  // Imported here, so that --help and mistakes are answered without loading the module.
  const { loadModel } = await import('attention-wasm/models');
  const model = await loadModel(request.folder, { weights: request.weights });
  const read = await look(model, text, request);
  yield* formats[request.format](read, request, screen);
}

async function readText({ text }) {
  if (text === undefined && isTyped()) throw new UsageError('no text given');
  const isInput = text === undefined || text === '-';
  const whole = isInput ? (await readInput('the text')).trim() : text;
  requireLength('the text', whole);
  if (whole.trim() === '') throw new UsageError('the text is empty');
  return whole;
}

const isSeveral = (piece) => /\S\s+\S/.test(piece); // words of which none is known stand where all of them do
const spelled = (text) => ({ text, special: false });

/** Tokens of a text, with what each covers of it; of what was written what it adds. */
const ofText = (text, { ids, tokens, spans }) => ({
  text,
  tokens: ids.map((id, n) => {
    const piece = spans ? text.slice(...spans[n]) : '';
    return spelled((!isSeveral(piece) && piece) || tokens?.[n] || String(id));
  }),
});
const ofWritten = (written) =>
  written.map(({ id, text, token }) => spelled(text || token || String(id)));

/** What the model is asked about: the text, or without a tokenizer the ids that it consists of. */
function inputOf({ tokenizer, config }, text, folder) {
  // Those that look at pictures say so themselves.
  if (tokenizer || config.patch_size !== undefined) return text;
  const ids = text.trim().split(/[\s,]+/);
  if (ids.every((id) => /^\d{1,9}$/.test(id))) return { ids: ids.map(Number) };
  throw new Error(
    `${folder} has no tokenizer.json: write the ids of tokens, such as "5 3 9", or have Python make it: AutoTokenizer.from_pretrained(folder).save_pretrained(folder)`,
  );
}

/** Refuses a text whose weights, those of all heads and layers, would be more than the limit. */
function requireFewTokens({ layers, heads, tokenizer }, input, generate) {
  const limit = Math.floor(Math.sqrt(limits.weights / (layers * heads)));
  const count = (input.ids ?? tokenizer?.encode(input).ids ?? []).length + generate;
  if (count <= limit) return;
  const parts = generate > 0 ? `the text and --generate ${generate} have up to` : 'the text has';
  throw new UsageError(
    `${parts} ${count} tokens; the limit for ${layers} layers of ${heads} heads is ${limit}`,
  );
}

async function look(model, text, { folder, generate }) {
  const input = inputOf(model, text, folder);
  requireFewTokens(model, input, generate);
  const given = model.run(input, { attentions: true, logits: false });
  const isAnswer = given.attentions.cross !== undefined;
  const most = isAnswer ? generate || usualAnswer : generate;
  const written = [];
  if (most > 0)
    for await (const token of model.generate(input, { maxTokens: most })) written.push(token);
  const source = ofText(text, given);
  const between = model.tokenizer ? '' : ' ';
  const answer = written.map((token) => (model.tokenizer ? token.text : token.id)).join(between);
  const about = { model, text, source, written, answer };
  if (written.length === 0) return { ...about, ...self(given, source) };
  const ids = written.map(({ id }) => id);
  if (!isAnswer) {
    const tokens = [...source.tokens, ...ofWritten(written)];
    const whole = model.run({ ids: [...given.ids, ...ids] }, { attentions: true, logits: false });
    return { ...about, ...self(whole, { text: text + between + answer, tokens }) };
  }
  const decoderIds = [...given.decoderIds, ...ids.slice(0, -1)];
  const { attentions } = model.run(
    { ids: given.ids, decoderIds },
    { attentions: true, logits: false },
  );
  return {
    ...about,
    attentions,
    title: 'Cross-attention',
    stack: 'decoder',
    layers: attentions.cross,
    // Row t is where the model looks to write token t.
    rows: { text: answer, tokens: ofWritten(written) },
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
  *json({ model, text, source, written, answer, attentions, rows, columns }) {
    const textsOf = ({ tokens }) => tokens.map((token) => token.text);
    yield jsonPieces({
      ...{ type: model.type, layers: model.layers, heads: model.heads },
      ...{ text, written: answer, tokens: textsOf(source), ids: written.map(({ id }) => id) },
      ...{ rows: textsOf(rows), columns: textsOf(columns), attention: attentions },
    });
  },
  *csv(read, request) {
    const shown = shownWeights(request, read);
    const keys = ['layer', 'head'].filter((name) => request[name] === 'all');
    yield* matricesAsCsv({
      header: [...keys, 'token'],
      rows: shown.rows,
      columns: shown.columns,
      matrices: shown.matrices.map((matrix) => ({
        keys: keys.map((name) => matrix[name]),
        data: matrix.data,
      })),
    });
  },
  *table(read, request, { paint, width }) {
    const shown = shownWeights(request, read);
    if (read.answer) {
      yield* wrap(printable(read.answer), width).map(paint.bold);
      yield '';
    }
    const notes = () => ['Each row is a token reading, each column a token read; a row sums to 1.'];
    yield* modelPicture({ ...shown, unit: 'token' }, request, { ...read, notes }, { paint, width });
  },
};
