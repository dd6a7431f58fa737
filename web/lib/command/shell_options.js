// Reads the arguments of a command by its table, with usage errors.

import { parseArgs } from 'node:util';
import { suggestOption } from './suggest_option.js';

/** An error in the arguments: printed with a hint, exit code 2. */
export class UsageError extends Error {}

/**
 * An option. Without `value`, it is a flag.
 *
 * @typedef {object} Option
 * @property {string} [short] its one-character name
 * @property {string} [value] the name of its value in the help
 * @property {string} text what it does
 * @property {unknown} [default] the value without the option; the help names it
 * @property {Function} [read] (text, name): the checked value; throws a UsageError
 * @property {boolean} [isFormat] whether it is an output format, of which one is allowed
 * @property {{ options: string[], reason: string }} [excludes] options that it cannot be combined with
 */

/**
 * A command. Arguments, errors and help are made from it.
 *
 * @typedef {object} Table
 * @property {string[]} usage lines
 * @property {string[]} about paragraphs
 * @property {{ title: string, rows?: [string, string][], options?: Record<string, Option> }[]} groups rows: other entries,
 *   as commands
 * @property {string[]} examples
 */

/**
 * All options of a command by name.
 *
 * @param {Table} table
 * @returns {Record<string, Option>}
 */
export const optionsOf = ({ groups }) =>
  Object.assign({}, ...groups.map(({ options }) => options ?? {}));

/**
 * The request in `args`: shows is 'help', 'version' or 'result'; format is the name of an option, or 'table'; texts are the
 * positional arguments; values are those of options by name, with defaults. The last of repeated options wins.
 *
 * @param {Table} table
 * @param {string[]} args
 */
export function readArguments(table, args) {
  const options = optionsOf(table);
  const { tokens } = parseArgs({
    args,
    options: nodeOptions(options),
    strict: false,
    tokens: true,
  });
  const texts = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const written = Object.fromEntries(
    tokens.flatMap((token) =>
      token.kind === 'option' ? [[token.name, readToken(token, options)]] : [],
    ),
  );
  const names = Object.keys(written);
  const request = { format: 'table', texts, values: written };
  if (written.help) return { ...request, shows: 'help' };
  if (written.version) return { ...request, shows: 'version' };
  const [format = 'table', another] = names.filter((name) => options[name].isFormat);
  if (another) throw new UsageError(`--${format} and --${another} cannot be combined`);
  for (const name of names) {
    const { options: others = [], reason } = options[name].excludes ?? {};
    const other = others.find((one) => names.includes(one));
    if (!other) continue;
    throw new UsageError(`--${name} ${reason} and cannot be combined with --${other}`);
  }
  const values = Object.entries(options).map(([name, { read, ...option }]) => {
    if (!names.includes(name)) return [name, option.default];
    return [name, read ? read(written[name], name) : written[name]];
  });
  return { ...request, shows: 'result', format, values: Object.fromEntries(values) };
}

const nodeOptions = (options) =>
  Object.fromEntries(
    Object.entries(options).map(([name, { value, short }]) => {
      /** @type {'string' | 'boolean'} */
      const type = value ? 'string' : 'boolean';
      return [name, { type, ...(short && { short }) }];
    }),
  );

function readToken({ name, rawName, value }, options) {
  if (!Object.hasOwn(options, name)) {
    const suggestion = suggestOption(name, Object.keys(options));
    throw new UsageError(
      `unknown option "${rawName}"${suggestion ? `; perhaps --${suggestion}` : ''}`,
    );
  }
  if (!options[name].value) {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value`);
    return true;
  }
  if (value === undefined) throw new UsageError(`${rawName} needs a value`);
  return value;
}

/** Several positional arguments as one text, as for echo; undefined without any. */
export const joined = (texts) => (texts.length > 0 ? texts.join(' ') : undefined);

/**
 * The error of a wrong value.
 *
 * @param {string} name
 * @param {string} text
 * @param {string} expected
 */
export const wrongValue = (name, text, expected) =>
  new UsageError(`--${name} is "${text}"; expected ${expected}`);

/** Reads an integer from min to max. */
export const integer = (min, max) => (text, name) => {
  const number = /^\d+$/.test(text) ? Number(text) : NaN;
  if (number >= min && number <= max) return number;
  throw wrongValue(name, text, `an integer from ${min} to ${max}`);
};

/** Reads an integer or "all". The upper limit is known only after loading the model. */
export const integerOrAll = (text, name) => {
  if (text === 'all') return text;
  if (/^\d+$/.test(text)) return Number(text);
  throw wrongValue(name, text, 'an integer or "all"');
};

/** Reads one of these names. */
export const oneOf =
  (...names) =>
  (text, name) => {
    if (names.includes(text)) return text;
    throw wrongValue(name, text, `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`);
  };

/** Reads a text that must not be empty. */
export const nonEmpty = (noun) => (text, name) => {
  if (text !== '') return text;
  throw wrongValue(name, text, noun);
};
