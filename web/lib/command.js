#!/usr/bin/env node
// The command attention-wasm: prints attention weights between the words of a text, or with `translate` and `model` those of
// a Transformer.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { getSystemErrorMap } from 'node:util';
import { helpText } from './command/help_text.js';
import * as model from './command/model.js';
import { colorDepth, palette } from './command/terminal_colors.js';
import { UsageError, readArguments } from './command/shell_options.js';
import { printable } from './command/terminal_text.js';
import * as translate from './command/translate.js';
import * as words from './command/words.js';

const { stdout, stderr, env } = process;
const subcommands = { __proto__: null, translate, model };

// Error messages of engines for arrays, buffers and strings that cannot be allocated.
const engineMemory = /^(Array buffer allocation failed|Invalid (array|typed array|string) length)/;

const args = process.argv.slice(2);
const [first, ...rest] = args;
const subcommand = subcommands[first];
// `attention-wasm help` means --help: a text of one word has nothing to attend to but itself.
const wordsArguments = args.length === 1 && first === 'help' ? ['--help'] : args;

stdout.on('error', (error) => {
  fail(error);
  process.exit();
});

try {
  await (subcommand ? run(subcommand, rest) : run(words, wordsArguments));
} catch (error) {
  fail(error);
}

// A command: { table, lines(request, screen) }; a line is a string or an iterable of chunks.
async function run({ table, lines }, args) {
  const request = readArguments(table, args);
  if (request.shows === 'help') return write([helpText(table)]);
  if (request.shows === 'version') return write([version()]);
  return write(lines(request, screenFor(request.values.color)));
}

function version() {
  const manifest = new URL('../../package.json', import.meta.url);
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}

function screenFor(color) {
  const columns = stdout.columns ?? Number(env.COLUMNS);
  return {
    paint: palette(colorDepth(color, stdout.isTTY === true, env)),
    width: columns > 0 ? columns : Infinity,
    warn: (message) => stderr.write(`attention-wasm: warning: ${printable(message)}\n`),
  };
}

async function write(linesToWrite) {
  for await (const line of linesToWrite) {
    if (typeof line !== 'string') for (const chunk of line) await writeText(chunk);
    await writeText(typeof line === 'string' ? `${line}\n` : '\n');
  }
}

async function writeText(text) {
  if (!stdout.write(text)) await once(stdout, 'drain');
}

/** The message of an error of the operating system, such as "picture.svg: permission denied"; undefined for others. */
function systemMessage({ errno, path }) {
  const [, reason] = getSystemErrorMap().get(errno) ?? [];
  return reason && [path, reason].filter(Boolean).join(': ');
}

function fail(error) {
  if (error.code === 'EPIPE') return; // the reader closed the pipe, as `| head` does
  const isUsage = error instanceof UsageError;
  const isMemory = error instanceof RangeError && engineMemory.test(error.message);
  const message = isMemory ? 'out of memory' : (systemMessage(error) ?? error.message);
  const text = message.replace(/^attention-wasm /, ''); // "attention-wasm needs …"
  stderr.write(`attention-wasm: ${printable(text)}\n`);
  if (isUsage) stderr.write(`Try 'attention-wasm ${subcommand ? `${first} ` : ''}--help'.\n`);
  process.exitCode = isUsage ? 2 : 1;
}
