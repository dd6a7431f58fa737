// Options as a shell gives them: which were given with what value, what several commands share, and
// the sentence for those that cannot be understood.

import { parseArgs } from 'node:util';
import { meantOption } from './meant_option.js';

/** The caller's mistake: shown with a hint, exit code 2. */
export class UsageError extends Error {}

/** Options that every command takes. */
export const sharedOptions = {
  json: { type: 'boolean' },
  csv: { type: 'boolean' },
  color: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
};

/** { given, text, texts } of `args`: options by name, and the rest; of an option given twice the last. */
export function parseOptions(args, options) {
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
  const given = {};
  const texts = [];
  for (const token of tokens) {
    if (token.kind === 'positional') texts.push(token.value);
    if (token.kind === 'option') given[token.name] = readOption(token, options);
  }
  // Words without quotes around them are one text, as for echo.
  return { given, texts, text: texts.length > 0 ? texts.join(' ') : undefined };
}

function readOption({ name, rawName, value }, options) {
  if (!Object.hasOwn(options, name)) {
    const meant = meantOption(name, Object.keys(options));
    throw new UsageError(`unknown option "${rawName}"${meant ? `; perhaps --${meant}` : ''}`);
  }
  if (options[name].type === 'boolean') {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value`);
    return true;
  }
  if (value === undefined) throw new UsageError(`${rawName} needs a value`);
  return value;
}

/** { shows: 'help' } or version if it was asked for, else null. */
export function readQuestion(given) {
  if (!given.help && !given.version) return null;
  return { shows: given.help ? 'help' : 'version' };
}

/** Which of the formats (names of options) was asked for; a table if none was. */
export function readFormat(given, formats = ['json', 'csv']) {
  const [format = 'table', another] = formats.filter((name) => given[name]);
  if (another) throw new UsageError(`--${format} and --${another} exclude each other`);
  return format;
}

export function readWhole(name, value, min, max) {
  const number = /^\d+$/.test(value) ? Number(value) : NaN;
  if (number >= min && number <= max) return number;
  throw new UsageError(`--${name} is "${value}"; expected a whole number from ${min} to ${max}`);
}

export function readColor(value = 'auto') {
  if (['always', 'never', 'auto'].includes(value)) return value;
  throw new UsageError(`--color is "${value}"; expected always, never or auto`);
}
