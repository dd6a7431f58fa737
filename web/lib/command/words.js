// The command without a name: attention between the words of a text, with vectors from their spelling.

import { lexicalScale, wordVectors } from '../text.js';
import { segmentWords } from '../text/segment_words.js';
import { csvLines, jsonLines } from './data_formats.js';
import { limits, requireLength, requireProduct } from './limits.js';
import { tableLines } from './matrix_table.js';
import { kernelsOption, loadKernels, outputOptions } from './shared_options.js';
import { UsageError, integer, joined, wrongValue } from './shell_options.js';
import { isTerminal, readInput } from './standard_input.js';
import { pictureOf } from './weights_picture.js';

const maxDim = 65536;
const maxSeed = 2 ** 32 - 1;

/** @type {import('./shell_options.js').Table} */
export const table = {
  usage: [
    'attention-wasm [options] TEXT',
    '... | attention-wasm [options]',
    'attention-wasm translate [options] TEXT',
    'attention-wasm model [options] FOLDER TEXT',
  ],
  about: [
    'Shows the attention between the words of TEXT: one row per query word, one column per key word; each cell is a weight. ' +
      'Each row sums to 1. Without TEXT, or if TEXT is -, the text is read from standard input. It may have at most ' +
      `${limits.characters} characters and ${limits.words} words, and all heads together at most ${limits.weights} weights.`,
    'Word vectors are computed from spelling (character n-grams): equal words attend to each other most, similar ones ' +
      '(uncle, uncles) more than others. They do not represent meaning.',
  ],
  groups: [
    {
      title:
        'Two commands show the attention of Transformers, each with its own --help. A command must be the first argument.',
      rows: [
        ['translate', 'English to French: cross-attention of each French word'],
        ['model', 'attention of your own trained model, or of the translator'],
      ],
    },
    {
      title: 'Attention:',
      options: {
        context: {
          short: 'c',
          value: 'TEXT',
          text: 'cross-attention: the words of the first text attend to those of this one, or of standard input if -',
        },
        causal: {
          text: 'a word attends only to itself and the words before it',
          excludes: { options: ['context'], reason: 'applies to self-attention' },
        },
        scale: {
          value: 'N',
          text:
            `factor on query · key. Default: ${lexicalScale} times the number of heads, which makes equal words stand out; ` +
            '"default" is 1/√d as in the Transformer, which gives vectors of length 1 almost uniform weights',
          read: readScale,
        },
        heads: {
          value: 'N',
          text: 'splits the vectors into N heads, with a matrix for each',
          read: integer(1, maxDim),
        },
        average: { text: 'shows the mean of the heads' },
      },
    },
    {
      title: 'Vectors:',
      options: {
        // 256 instead of the 64 of wordVectors(): unrelated words have a random similarity of about 1/√dim, which should
        // not be visible in a table.
        dim: {
          value: 'N',
          text: 'numbers in each; the fewer, the more chance likeness',
          default: 256,
          read: integer(1, maxDim),
        },
        seed: {
          value: 'N',
          text: 'another set of vectors',
          default: 0,
          read: integer(0, maxSeed),
        },
      },
    },
    { title: 'Computation:', options: kernelsOption },
    {
      title: 'Output:',
      options: {
        json: {
          text: 'tokens, options, weights and scores as JSON. Masked words have the score null',
          isFormat: true,
        },
        csv: { text: 'the weights as CSV with a header of words', isFormat: true },
        svg: { text: 'the weights as an SVG image', isFormat: true },
        ...outputOptions,
      },
    },
  ],
  examples: [
    'attention-wasm "Zuko made his uncle tea"',
    'attention-wasm "made tea" --context "Zuko made his uncle tea"',
    'attention-wasm --causal --json < poem.txt',
    'attention-wasm --svg "Zuko made his uncle tea" > tea.svg',
    'attention-wasm translate "The red car is fast"',
  ],
};

/** A number in the range of float32, or "default". */
function readScale(text, name) {
  const isNumber = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text);
  if (text === 'default') return text;
  if (isNumber && Number.isFinite(Math.fround(Number(text)))) return Number(text);
  throw wrongValue(name, text, 'a number or "default"');
}

/** The lines to write; screen: { paint, width }. */
export async function* lines({ values, texts, format }, screen) {
  const settings = settingsOf(values);
  if (format === 'svg' && settings.heads !== undefined && !settings.average) {
    throw new UsageError('--svg draws one matrix: add --average to --heads');
  }
  const { text, context } = await readTexts(joined(texts), values.context);
  const attention = await attend(settings, text, context);
  if (format === 'json') yield* jsonLines(attention);
  else if (format === 'csv') yield* csvLines(viewOf(attention));
  else if (format === 'svg') yield pictureOf(viewOf(attention)).trimEnd();
  else yield* tableLines(viewOf(attention), screen);
}

/** Each head has 1/heads of a vector's numbers, and about that fraction of its squared length. */
function settingsOf({ scale, heads, causal = false, average = false, dim, seed, kernels }) {
  const count = heads ?? 1;
  if (dim % count !== 0) throw new UsageError(`--dim ${dim} is not a multiple of --heads ${count}`);
  const headDim = dim / count;
  const isDefault = scale === 'default';
  return {
    ...{ heads, causal, average, dim, seed, kernels },
    scale: isDefault ? 1 / Math.sqrt(headDim) : (scale ?? lexicalScale * count),
    scaleNote: isDefault ? ` (1/√${headDim})` : '',
  };
}

async function readTexts(text, context) {
  if (text === '-' && context === '-') {
    throw new UsageError('text and context cannot both come from standard input');
  }
  if (text === undefined && context === '-') {
    throw new UsageError('missing text; standard input is the context');
  }
  if (text === undefined && isTerminal()) throw new UsageError('missing text');
  if (context === '-') return { text, context: await readInput('the context') };
  const isInput = text === undefined || text === '-';
  return { text: isInput ? await readInput('the text') : text, context };
}

async function attend({ scaleNote, kernels, ...settings }, text, context) {
  const { scale, causal, heads, average, dim, seed } = settings;
  const tokens = tokensOf('the text', text, dim);
  const contextTokens = context === undefined ? null : tokensOf('the context', context, dim);
  requireProduct(
    [
      [heads ?? 1, heads > 1 ? 'heads' : 'head'],
      [tokens.length, 'words'],
      [(contextTokens ?? tokens).length, 'words'],
    ],
    limits.weights,
    'weights',
  );
  const query = wordVectors(tokens, { dim, seed });
  const key = contextTokens ? wordVectors(contextTokens, { dim, seed }) : query;

  const { attention } = await loadKernels(kernels);
  const { weights, scores } = attention(query, key, key, {
    ...{ scale, heads, causal },
    weights: average ? 'average' : true,
    scores: 'biased',
  });
  const options = { scale, causal, heads: heads ?? 1, average, dim, seed };
  return { tokens, context: contextTokens, options, scaleNote, weights, scores };
}

function tokensOf(name, text, dim) {
  requireLength(name, text);
  const tokens = [];
  for (const word of segmentWords(text, 'en')) {
    tokens.push(word);
    if (tokens.length > limits.words) {
      throw new UsageError(`${name} has more words than the limit of ${limits.words}`);
    }
  }
  if (tokens.length === 0) throw new UsageError(`${name} has no words`);
  const sizes = [
    [text.length, 'characters'],
    [dim, 'numbers (--dim)'],
  ];
  requireProduct(sizes, limits.spelling, 'steps');
  return tokens;
}

/** See matrix_table.js. */
function viewOf({ tokens, context, options, scaleNote, weights: { data, dims } }) {
  const columns = context ?? tokens;
  const size = tokens.length * columns.length;
  const count = data.length / size;
  const perHead = dims.length === 3;
  return {
    heading: heading(tokens, context, options, scaleNote),
    unit: 'word',
    rows: tokens,
    columns,
    matrices: Array.from({ length: count }, (_, head) => ({
      title: perHead ? `Head ${head + 1} of ${count}` : '',
      keys: perHead ? { head: head + 1 } : {},
      data: data.subarray(head * size, (head + 1) * size),
    })),
    causal: options.causal,
    notes: [
      'Each row is a query word, each column a key word; each row sums to 1.',
      'Words are compared by spelling (character n-grams), not by meaning.',
    ],
  };
}

function heading(tokens, context, { scale, causal, heads, average }, scaleNote) {
  const count = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`;
  const words = (list) => count(list.length, 'word');
  const self = causal ? 'Causal self-attention' : 'Self-attention';
  const title = context ? 'Cross-attention' : self;
  const facts = [
    context ? `${words(tokens)} attending to ${words(context)}` : words(tokens),
    `scale ${Number(scale.toPrecision(6))}${scaleNote}`,
  ];
  if (average) facts.push(`mean of ${count(heads, 'head')}`);
  return `${title}: ${facts.join(', ')}`;
}
