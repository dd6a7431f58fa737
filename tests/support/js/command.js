// Runs the command as a shell does, and parses its output.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './package.js';

export const program = join(root, 'web/built/command.js');

/** Runs before the program, as `first`: a terminal of so many columns. */
export const terminal = (columns) =>
  `for (const s of ['stdin', 'stdout']) process[s].isTTY = true; process.stdout.columns = ${columns};`;

const refuseModule = `export async function resolve(name, context, next) {
  if (/^attention-wasm(\\/|$)/.test(name)) throw new Error('attention-wasm was imported');
  return next(name, context);
}`;

/** Runs before the program: a package without its module. */
export const withoutModule = `import { register } from 'node:module';
register('data:text/javascript,${encodeURIComponent(refuseModule).replaceAll("'", '%27')}');`;

/**
 * Arguments of spawn(); `first` is source code that runs before the program.
 *
 * @type {(args: string[], options?: { env?: NodeJS.ProcessEnv, first?: string }) => [string, string[], { env: NodeJS.ProcessEnv }]}
 */
export const invoke = (args, { env = {}, first = '' } = {}) => [
  process.execPath,
  [
    ...(first ? ['--import', `data:text/javascript,${encodeURIComponent(first)}`] : []),
    program,
    ...args,
  ],
  { env: { PATH: process.env.PATH, TERM: 'xterm-256color', ...env } },
];

/** { code, out, err } of the command. */
export function command(args, { input = '', ...options } = {}) {
  const [node, parameters, settings] = invoke(args, options);
  const result = spawnSync(node, parameters, {
    ...settings,
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  assert.equal(result.signal, null);
  return { code: result.status, out: result.stdout, err: result.stderr };
}

/** The output of a successful run. */
export function printed(args, options) {
  const { code, out, err } = command(args, options);
  assert.equal(err, '');
  assert.equal(code, 0);
  return out;
}

/** (args, message, options): expects exit code 2 with this message; `hint` is the line after it. */
export const refusing = (hint) => (args, sentence, options) => {
  const expected = { code: 2, out: '', err: `attention-wasm: ${sentence}\n${hint}\n` };
  assert.deepEqual(command(args, options), expected);
};

/** RFC 4180: fields in quotes may hold commas, ends of lines and doubled quotes. */
export function parseCsv(text) {
  let record = [];
  const records = [record];
  const field = /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/gy;
  while (field.lastIndex < text.length) {
    const [, quoted, plain, end] = field.exec(text) ?? [];
    record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\n') records.push((record = []));
  }
  return records.slice(0, -1);
}

/** Width in terminal columns, by Unicode script; independent of the program's own method. */
export function columnsOf(line) {
  return [
    ...line
      .normalize('NFC')
      .replace(/\u200e/g, '')
      .replace(
        /\p{RI}{2}|\p{Extended_Pictographic}(\ufe0f|\p{EMod})?(\u200d\p{ExtPict}\ufe0f?)*/gu,
        '##',
      )
      .replace(
        /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}，。]/gu,
        '##',
      )
      .replace(/\p{Mn}/gu, ''),
  ].length;
}

/** Text without color codes. */
export const stripped = (text) => text.replace(/\x1b\[[\d;]*m/g, ''); // eslint-disable-line no-control-regex

/** Lines of the parts between empty lines. */
export const blocksOf = (out) =>
  out
    .trimEnd()
    .split('\n\n')
    .map((block) => block.split('\n'));
