// The command itself: how the words of a text attend to each other, their vectors made of spelling.

import { wordVectors } from '../text.js';
import { segmentWords } from '../text/segment_words.js';
import { csvLines, jsonLines } from './data_formats.js';
import { kinds } from './kinds.js';
import { limits, requireLength, requireProduct } from './limits.js';
import { picture } from './picture.js';
import { UsageError } from './shell_options.js';
import { isTyped, readInput } from './standard_input.js';

export { readArguments } from './arguments.js';
export { help } from './help.js';

/** The lines to write; screen: { paint, width }. */
export async function* lines(request, { paint, width }) {
  const { text, context } = await readTexts(request);
  const attention = await attend(request, text, context);
  if (request.format === 'json') yield* jsonLines(attention);
  else if (request.format === 'csv') yield* csvLines(attention);
  else yield* picture(attention, paint, width);
}

async function readTexts({ text, context }) {
  if (text === '-' && context === '-') {
    throw new UsageError('only one of the two texts can come from standard input');
  }
  if (text === undefined && context === '-') {
    throw new UsageError('no text given: standard input is the context');
  }
  if (text === undefined && isTyped()) throw new UsageError('no text given');
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

  // Imported here, so that --help and mistakes are answered without loading the module.
  const { loadAttention } = await import('attention-wasm');
  const chosen = { kind, scale, bandwidth, temperature, vectorLength, causal };
  const { weights, scores = null } = kinds[kind].weigh(await loadAttention(), query, key, {
    ...chosen,
    heads,
    weights: average ? 'average' : true,
  });
  const options = { ...chosen, heads: heads ?? 1, average, dim, seed, positions };
  return { tokens, context: contextTokens, options, scaleNote, weights, scores };
}

// Word vectors have length 1.
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
  if (tokens.length === 0) throw new UsageError(`${name} has no words in it`);
  const sizes = [
    [text.length, 'characters'],
    [dim, 'numbers (--dim)'],
  ];
  requireProduct(sizes, limits.spelling, 'steps');
  return tokens;
}
