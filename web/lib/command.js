#!/usr/bin/env node
// The command attention-wasm: the attention weights of a text, in the terminal.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { UsageError, help, readArguments } from './command/arguments.js';
import { colourDepth } from './command/colour_depth.js';
import { csvLines, jsonLines } from './command/data_formats.js';
import { matrixTable } from './command/matrix_table.js';
import { palette } from './command/shade.js';
import { printable, wrap } from './command/terminal_text.js';
import { wordVectors, words } from './text.js';

const { stdin, stdout, stderr, env } = process;

const notes = [
  'Each row is a word reading, each column a word read; a row sums to 1.',
  'Words are compared by spelling (character n-grams), not by meaning.',
];

stdout.on('error', (error) => {
  fail(error);
  process.exit();
});

try {
  await run(readArguments(process.argv.slice(2)));
} catch (error) {
  fail(error);
}

async function run(request) {
  if (request.shows === 'help') return write([help.trimEnd()]);
  if (request.shows === 'version') return write([version()]);
  const { text, context } = await readTexts(request);
  const attention = await attend(request, text, context);
  return write(lines(request, attention));
}

function version() {
  const manifest = new URL('../../package.json', import.meta.url);
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}

async function readTexts({ text, context }) {
  if (text === '-' && context === '-') {
    throw new UsageError('only one of the two texts can come from standard input');
  }
  if (text === undefined && context === '-') {
    throw new UsageError('no text given: standard input is the context');
  }
  if (text === undefined && stdin.isTTY) throw new UsageError('no text given');
  const fromInput = text === undefined || text === '-' || context === '-' ? await readInput() : '';
  return {
    text: text === undefined || text === '-' ? fromInput : text,
    context: context === '-' ? fromInput : context,
  };
}

async function readInput() {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stdin) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

async function attend(request, text, context) {
  const { causal, heads, average, dim, seed, positions } = request;
  const { scale } = request.scale;
  const tokens = tokensOf('text', text);
  const contextTokens = context === undefined ? null : tokensOf('context', context);
  const query = wordVectors(tokens, { dim, seed, positions });
  const key = contextTokens ? wordVectors(contextTokens, { dim, seed, positions }) : query;

  // Imported here, so that --help and mistakes are answered without loading the module.
  const { loadAttention } = await import('attention-wasm');
  const { attention } = await loadAttention();
  const { weights, scores } = attention(query, key, key, {
    heads,
    scale,
    causal,
    weights: average ? 'average' : true,
    scores: 'biased',
  });
  const options = { scale, causal, heads: heads ?? 1, average, dim, seed, positions };
  return { tokens, context: contextTokens, options, weights, scores };
}

function tokensOf(name, text) {
  const tokens = words(text);
  if (tokens.length === 0) throw new UsageError(`the ${name} has no words in it`);
  return tokens;
}

function lines({ format, color, scale }, attention) {
  if (format === 'json') return jsonLines(attention);
  if (format === 'csv') return csvLines(attention);
  const columns = stdout.columns ?? Number(env.COLUMNS);
  const paint = palette(colourDepth(color, stdout.isTTY === true, env));
  return picture(attention, scale.note, paint, columns > 0 ? columns : Infinity);
}

function* picture(attention, scaleNote, paint, width) {
  const { tokens, context, weights, scores } = attention;
  const columns = context ?? tokens;
  const size = tokens.length * columns.length;
  const count = weights.data.length / size;
  const perHead = weights.dims.length === 3;

  yield* wrap(heading(attention, scaleNote), width).map(paint.bold);
  for (let head = 0; head < count; ++head) {
    yield '';
    if (perHead) yield `Head ${head + 1} of ${count}`;
    const at = (i, j) => i * columns.length + j;
    const matrix = {
      rows: tokens,
      columns,
      weight: (i, j) => weights.data[head * size + at(i, j)],
      // All heads see the same words.
      visible: (i, j) => scores.data[at(i, j)] !== -Infinity,
    };
    yield* matrixTable(matrix, paint, width);
  }
  yield '';
  for (const sentence of notes) yield* wrap(sentence, width).map(paint.dim);
}

function heading({ tokens, context, options }, scaleNote) {
  const count = (list) => `${list.length} ${list.length === 1 ? 'word' : 'words'}`;
  const { scale, causal, heads, average, positions } = options;
  const kind = context ? 'Cross-attention' : causal ? 'Causal self-attention' : 'Self-attention';
  const parts = [context ? `${count(tokens)} reading ${count(context)}` : count(tokens)];
  parts.push(`scale ${Number(scale.toPrecision(6))}${scaleNote}`);
  if (average) parts.push(`mean of ${heads} ${heads === 1 ? 'head' : 'heads'}`);
  if (positions) parts.push('with positions');
  return `${kind}: ${parts.join(', ')}`;
}

async function write(linesToWrite) {
  for (const line of linesToWrite) {
    if (!stdout.write(`${line}\n`)) await once(stdout, 'drain');
  }
}

function fail(error) {
  if (error.code === 'EPIPE') return; // the reader (`| head`) has seen enough
  const isUsage = error instanceof UsageError;
  const sentence = error.message.replace(/^attention-wasm /, ''); // "attention-wasm needs …"
  stderr.write(`attention-wasm: ${printable(sentence)}\n`);
  if (isUsage) stderr.write("Try 'attention-wasm --help'.\n");
  process.exitCode = isUsage ? 2 : 1;
}
