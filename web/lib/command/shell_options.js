// Parsing of command-line options shared by all commands, with usage errors.

import { parseArgs } from 'node:util';
import { suggestOption } from './suggest_option.js';

/** An error in the arguments: printed with a hint, exit code 2. */
export class UsageError extends Error {}

/** Options of every command. */
export const sharedOptions = {
  json: { type: 'boolean' },
  csv: { type: 'boolean' },
  color: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
};

/** The --help text of --color, --help and --version. */
export const outputHelp = `      --color WHEN    always, never or auto (default): on terminals with at
                      least 256 colors, unless NO_COLOR or FORCE_COLOR is set
  -h, --help          prints this text
  -V, --version       prints the version`;

/** { values, text, texts } of `args`: option values by name, and positional arguments. The last of repeated options wins. */
export function parseOptions(args, options) {
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
  const values = {};
  const texts = [];
  for (const token of tokens) {
    if (token.kind === 'positional') texts.push(token.value);
    if (token.kind === 'option') values[token.name] = readOption(token, options);
  }
  // Several positional arguments are one text, as for echo.
  return { values, texts, text: texts.length > 0 ? texts.join(' ') : undefined };
}

function readOption({ name, rawName, value }, options) {
  if (!Object.hasOwn(options, name)) {
    const suggestion = suggestOption(name, Object.keys(options));
    throw new UsageError(
      `unknown option "${rawName}"${suggestion ? `; perhaps --${suggestion}` : ''}`,
    );
  }
  if (options[name].type === 'boolean') {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value`);
    return true;
  }
  if (value === undefined) throw new UsageError(`${rawName} needs a value`);
  return value;
}

/** { shows: 'help' | 'version' } if requested, else null. */
export function readHelpRequest(values) {
  if (!values.help && !values.version) return null;
  return { shows: values.help ? 'help' : 'version' };
}

/** The requested format, one of `formats` (names of options), else 'table'. */
export function readFormat(values, formats = ['json', 'csv']) {
  const [format = 'table', another] = formats.filter((name) => values[name]);
  if (another) throw new UsageError(`--${format} and --${another} cannot be combined`);
  return format;
}

export function readInteger(name, value, min, max) {
  const number = /^\d+$/.test(value) ? Number(value) : NaN;
  if (number >= min && number <= max) return number;
  throw new UsageError(`--${name} is "${value}"; expected an integer from ${min} to ${max}`);
}

export function readNumber(name, value) {
  const number = value.trim() === '' ? NaN : Number(value);
  if (Number.isFinite(number)) return number;
  throw new UsageError(`--${name} is "${value}"; expected a number`);
}

export function readColor(value = 'auto') {
  if (['always', 'never', 'auto'].includes(value)) return value;
  throw new UsageError(`--color is "${value}"; expected always, never or auto`);
}
