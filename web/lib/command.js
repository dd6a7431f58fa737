#!/usr/bin/env node
// The command attention-wasm: attention weights in the terminal; of the words of a text or, by
// `translate` and `encode`, of a small Transformer that reads it, or by `model` of one's own.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { colourDepth } from './command/colour_depth.js';
import * as encode from './command/encode.js';
import * as model from './command/own_model.js';
import { palette } from './command/shade.js';
import { UsageError } from './command/shell_options.js';
import { printable } from './command/terminal_text.js';
import * as translate from './command/translate.js';
import * as words from './command/words.js';

const { stdout, stderr, env } = process;
const subcommands = { __proto__: null, translate, encode, model };

// What the engine says where an array, a buffer or a string has no room.
const engineMemory = /^(Array buffer allocation failed|Invalid (array|typed array|string) length)/;

const args = process.argv.slice(2);
const [first, ...rest] = args;
const subcommand = subcommands[first];
// A word alone has nothing to read but itself; whoever says this one wants another answer.
const asked = args.length === 1 && first === 'help' ? ['--help'] : args;

stdout.on('error', (error) => {
  fail(error);
  process.exit();
});

try {
  await (subcommand ? run(subcommand, rest) : run(words, asked));
} catch (error) {
  fail(error);
}

// A command: { help, readArguments(args), lines(request, screen) }; a line is a string or an iterable of its pieces.
async function run({ help, readArguments, lines }, args) {
  const request = readArguments(args);
  if (request.shows === 'help') return write([help.trimEnd()]);
  if (request.shows === 'version') return write([version()]);
  return write(lines(request, screenFor(request)));
}

function version() {
  const manifest = new URL('../../package.json', import.meta.url);
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}

function screenFor({ color }) {
  const columns = stdout.columns ?? Number(env.COLUMNS);
  return {
    paint: palette(colourDepth(color, stdout.isTTY === true, env)),
    width: columns > 0 ? columns : Infinity,
  };
}

async function write(linesToWrite) {
  for await (const line of linesToWrite) {
    if (typeof line !== 'string') for (const piece of line) await writeText(piece);
    await writeText(typeof line === 'string' ? `${line}\n` : '\n');
  }
}

async function writeText(text) {
  if (!stdout.write(text)) await once(stdout, 'drain');
}

function fail(error) {
  if (error.code === 'EPIPE') return; // the reader (`| head`) has seen enough
  const isUsage = error instanceof UsageError;
  const isMemory = error instanceof RangeError && engineMemory.test(error.message);
  const message = isMemory ? 'there is not enough memory for this' : error.message;
  const sentence = message.replace(/^attention-wasm /, ''); // "attention-wasm needs …"
  stderr.write(`attention-wasm: ${printable(sentence)}\n`);
  if (isUsage) stderr.write(`Try 'attention-wasm ${subcommand ? `${first} ` : ''}--help'.\n`);
  process.exitCode = isUsage ? 2 : 1;
}
