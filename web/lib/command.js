#!/usr/bin/env node
// The command attention-wasm: the attention weights of a text, in the terminal.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { UsageError, readArguments } from './command/arguments.js';
import { colourDepth } from './command/colour_depth.js';
import { csvLines, jsonLines } from './command/data_formats.js';
import { help } from './command/help.js';
import { kinds } from './command/kinds.js';
import { picture } from './command/picture.js';
import { palette } from './command/shade.js';
import { printable } from './command/terminal_text.js';
import { wordVectors, words } from './text.js';

const { stdin, stdout, stderr, env } = process;

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
  const { kind, temperature, bandwidth, vectorLength, causal, heads, average } = request;
  const { dim, seed, positions } = request;
  const { scale, note: scaleNote } = request.scale ?? { scale: null };
  const tokens = tokensOf('text', text);
  const contextTokens = context === undefined ? null : tokensOf('context', context);
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

function tokensOf(name, text) {
  const tokens = words(text);
  if (tokens.length === 0) throw new UsageError(`the ${name} has no words in it`);
  return tokens;
}

function lines({ format, color }, attention) {
  if (format === 'json') return jsonLines(attention);
  if (format === 'csv') return csvLines(attention);
  const columns = stdout.columns ?? Number(env.COLUMNS);
  const paint = palette(colourDepth(color, stdout.isTTY === true, env));
  return picture(attention, paint, columns > 0 ? columns : Infinity);
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
