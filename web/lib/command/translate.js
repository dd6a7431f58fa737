// `attention-wasm translate`: English to French, with cross-attention of each French word.

import { writeFile } from 'node:fs/promises';
import { isBlank } from '../text/segment_words.js';
import { csvLines, jsonChunks } from './data_formats.js';
import { editOptions, editsOf } from './edit_options.js';
import { limits, requireLength } from './limits.js';
import { tableLines } from './matrix_table.js';
import { modelView } from './model_view.js';
import { kernelsOption, loadKernels, outputOptions, selectionOptions } from './shared_options.js';
import { UsageError, integer, joined, nonEmpty } from './shell_options.js';
import { sentences } from './standard_input.js';
import { printable, wrap } from './terminal_text.js';
import { checkPicture, pictureOf } from './weights_picture.js';

const maxBeam = 32;
const selection = ['layer', 'head', 'pieces'];

/** @type {import('./shell_options.js').Table} */
export const table = {
  usage: ['attention-wasm translate [options] TEXT', '... | attention-wasm translate [options]'],
  about: [
    'Translates English to French with a small Transformer and shows its cross-attention: one row per French word, one ' +
      'column per English word; each cell is a weight. Each row sums to 1.',
    `Each line of TEXT is a sentence of at most ${limits.lineCharacters} characters; lines without words are skipped. ` +
      'Without TEXT, or if TEXT is -, sentences are read from standard input, and each result is written as soon as its ' +
      'line is complete.',
  ],
  groups: [
    {
      title: 'Translation:',
      options: {
        beam: {
          value: 'N',
          text: 'number of beams of the search, 1 to 32; 1 is greedy and fastest',
          default: 4,
          read: integer(1, maxBeam),
        },
        target: {
          value: 'TEXT',
          text: 'a French sentence to use instead of searching for one, to see its weights and its probability',
          read: readTarget,
          excludes: { options: ['beam'], reason: 'needs no search' },
        },
      },
    },
    {
      title: 'Changes inside the model:',
      options: editOptions(
        'The stack is written before: encoder:0.1, decoder:1, cross:2.3, "cross:<-elephant". Words are those of the English ' +
          'text; French words are given by position',
      ),
    },
    {
      title: 'Weights of the decoder:',
      options: {
        ...selectionOptions,
        pieces: {
          text:
            'weights between tokens (pieces of words) instead of words; for words, columns of a word are summed and rows ' +
            'of a word averaged',
        },
      },
    },
    { title: 'Computation:', options: kernelsOption },
    {
      title: 'Output:',
      options: {
        'text-only': {
          text: 'only the translation, one line per input line',
          isFormat: true,
          excludes: {
            options: [...selection, 'target', 'picture'],
            reason: 'writes translations only',
          },
        },
        picture: {
          value: 'FILE',
          text: 'writes the selected weights of one sentence to an SVG file',
          read: nonEmpty('a file'),
        },
        json: {
          text:
            'one line of JSON per sentence: texts, tokens with the index of their word, log probabilities, and all weights ' +
            'of encoder, decoder and cross-attention between tokens: layers × heads × rows × columns',
          isFormat: true,
          excludes: { options: selection, reason: 'writes all weights' },
        },
        csv: { text: 'the weights of one sentence as CSV with a header of words', isFormat: true },
        ...outputOptions,
      },
    },
  ],
  examples: [
    'attention-wasm translate "The pink elephant tried to get into the car"',
    'attention-wasm translate "The red car" --target "La voiture rouge" --head all',
    'attention-wasm translate "The red car is fast" --knockout "cross:<-red"',
    'attention-wasm translate --text-only < sentences.txt',
  ],
};

function readTarget(text) {
  requireLength('the target', text, limits.lineCharacters);
  if (isBlank(text)) throw new UsageError('the target has no words');
  return text;
}

/** The lines to write; screen: { paint, width }. */
export async function* lines({ values, texts, format }, screen) {
  checkPicture(values);
  const singleOption = ['target', 'picture', 'csv'].find((name) => values[name] !== undefined);
  let loaded;
  let isFirst = true;
  const all = sentences({ text: joined(texts), singleOption: singleOption && `--${singleOption}` });
  for await (const { text, where } of all) {
    if (text === '') {
      // An empty line, so that line n of the output is the translation of line n.
      if (format === 'text-only') yield '';
      continue;
    }
    loaded ??= await load(values.kernels);
    const result = withLocation(() => translate(loaded.translator, text, values, format), where);
    if (format === 'table' && !isFirst) yield '';
    isFirst = false;
    yield* written(result, { values, format, screen, mergeWords: loaded.mergeWords });
  }
}

// Imported lazily, so that --help and usage errors do not load the model.
async function load(kernels) {
  const { loadTranslator, mergeWords } = await import('attention-wasm/translator');
  return { translator: await loadTranslator({ api: await loadKernels(kernels) }), mergeWords };
}

// Sentences that are too long are usage errors.
function withLocation(compute, where) {
  try {
    return compute();
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(where + error.message);
    throw error;
  }
}

function translate(translator, text, values, format) {
  const { target } = values;
  const beam = target === undefined ? values.beam : null;
  const edits = editsIn(translator, text, values);
  const attention = format !== 'text-only';
  return { ...translator.translate(text, { beam, target, attention, edits }), edits, beam };
}

/** The edits of a request in a text. */
function editsIn(translator, text, values) {
  if (!values.ablate && !values.knockout) return [];
  const { source } = translator.encode(text, { attention: false });
  const names = [...translator.tensors.keys()];
  const [encoder, decoder] = ['encoder', 'decoder'].map(
    (stack) =>
      names.filter((name) => RegExp(`^${stack}\\.layers\\.\\d+\\.norm1\\.weight$`).test(name))
        .length,
  );
  const tokens = {
    text: source.text,
    tokens: source.tokens.map((token) => token.text),
    spans: source.tokens.map(({ special, start, end }) => (special ? [0, 0] : [start, end])),
  };
  return editsOf(values, { encoder, decoder, cross: decoder }, tokens);
}

/** The lines of a translation. */
async function* written(result, { values, format, screen, mergeWords }) {
  const view = () => viewOf(result, values, mergeWords);
  if (values.picture !== undefined) await writeFile(values.picture, pictureOf(view()));
  if (format === 'text-only') yield printable(result.text);
  else if (format === 'json') yield jsonChunks(jsonOf(result, values));
  else if (format === 'csv') yield* csvLines(view());
  else {
    const table = tableLines(view(), screen);
    yield* wrap(printable(result.text), screen.width).map(screen.paint.bold);
    yield '';
    yield* table;
  }
}

/** See matrix_table.js. */
function viewOf({ source, target, attention, logProbabilities }, values, mergeWords) {
  const unit = values.pieces ? 'piece' : 'word';
  const shown = {
    title: 'Cross-attention',
    stack: 'decoder',
    layers: attention.cross,
    rows: target,
    columns: source,
    notes: [
      `Each row is a ${unit} of the translation, each column a ${unit} of the source; each row sums to 1. </s> is the end.`,
      `Mean probability of a piece of the translation: ${meanProbability(logProbabilities)} (geometric mean).`,
    ],
  };
  return modelView(values, shown, unit, mergeWords);
}

function jsonOf({ edits, beam, attention: { encoder, decoder, cross }, ...result }, values) {
  const { text, source, target, inputs, logProbabilities } = result;
  return {
    text,
    options: { beam, target: values.target ?? null, ...(edits.length > 0 && { edits }) },
    ...{ source, target, inputs, logProbabilities },
    attention: { encoder, decoder, cross },
  };
}

function meanProbability(logProbabilities) {
  const sum = logProbabilities.reduce((total, x) => total + x, 0);
  return Number(Math.exp(sum / logProbabilities.length).toPrecision(2));
}
