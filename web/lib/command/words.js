// The command without a subcommand: attention between the words of a text, with vectors from their spelling.

import { heatmapSVG } from '../heatmap.js';
import { wordVectors } from '../text.js';
import { segmentWords } from '../text/segment_words.js';
import { csvLines, jsonLines } from './data_formats.js';
import { kinds } from './attention_kinds.js';
import { loadKernels } from './kernels.js';
import { limits, requireLength, requireProduct } from './limits.js';
import { attentionTable } from './attention_table.js';
import { UsageError } from './shell_options.js';
import { isTerminal, readInput } from './standard_input.js';

export { readArguments } from './words_arguments.js';
export { help } from './words_help.js';

/** The lines to write; screen: { paint, width }. */
export async function* lines(request, { paint, width }) {
  const { text, context } = await readTexts(request);
  const attention = await attend(request, text, context);
  if (request.format === 'json') yield* jsonLines(attention);
  else if (request.format === 'csv') yield* csvLines(attention);
  else if (request.format === 'svg')
    yield heatmapSVG(svgOptions(attention), { width: 480 }).trimEnd();
  else yield* attentionTable(attention, paint, width);
}

/** The options of heatmapSVG(). */
function svgOptions({ tokens, context, weights, options: { causal } }) {
  const columns = context ?? tokens;
  const isMasked = (_, i) => (i % columns.length > Math.floor(i / columns.length) ? 1 : 0);
  return {
    weights,
    rowLabels: tokens,
    columnLabels: columns,
    unseen: causal ? Array.from(weights.data, isMasked) : null,
  };
}

async function readTexts({ text, context }) {
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

async function attend(request, text, context) {
  const { kind, temperature, bandwidth, vectorLength, causal, heads, average } = request;
  const { dim, seed, positions } = request;
  const { scale, note: scaleNote } = request.scale ?? { scale: null };
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
  const vectors = (list) => ofLength(vectorLength, wordVectors(list, { dim, seed, positions }));
  const query = vectors(tokens);
  const key = contextTokens ? vectors(contextTokens) : query;

  const api = await loadKernels(request.kernels);
  const chosen = { kind, scale, bandwidth, temperature, vectorLength, causal };
  const { weights, scores = null } = kinds[kind].computeWeights(api, query, key, {
    ...chosen,
    heads,
    weights: average ? 'average' : true,
  });
  const options = { ...chosen, heads: heads ?? 1, average, dim, seed, positions };
  return { tokens, context: contextTokens, options, scaleNote, weights, scores };
}

// Scales word vectors, which have length 1.
function ofLength(length, { data, dims }) {
  return { data: data.map((x) => x * length), dims };
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
