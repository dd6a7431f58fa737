// The arguments that the commands with the model share: which of its weights to show, and how.

import {
  UsageError,
  parseOptions,
  readColor,
  readFormat,
  readQuestion,
  sharedOptions,
} from './shell_options.js';

const options = {
  ...sharedOptions,
  layer: { type: 'string' },
  head: { type: 'string' },
  pieces: { type: 'boolean' },
};

/**
 * The request in `args`, but for what `ownOptions` ask, which stays in `given`. formats: options that
 * exclude each other. layer and head: 'all', a number from 1, or undefined.
 */
export function readModelArguments(args, ownOptions, formats) {
  const { given, text, texts } = parseOptions(args, { ...options, ...ownOptions });
  const question = readQuestion(given);
  if (question) return question;
  const format = readFormat(given, formats);
  if (format === 'json')
    refuseTogether(given, '--json', choices, 'writes every layer, head and piece');
  return {
    shows: 'attention',
    given,
    text,
    texts,
    format,
    aboutOne: format === 'csv' ? '--csv' : undefined,
    layer: readNumberOrAll('layer', given.layer),
    head: readNumberOrAll('head', given.head),
    pieces: given.pieces ?? false,
    color: readColor(given.color),
  };
}

/** Refuses `others`, names of options that have no part in what `option` makes the command write. */
export function refuseTogether(given, option, others, reason) {
  for (const other of others) {
    if (given[other] === undefined) continue;
    throw new UsageError(`${option} ${reason} and cannot be combined with --${other}`);
  }
}

/** Options that choose from the weights. */
export const choices = Object.keys(options).filter((name) => !(name in sharedOptions));

// How many there are is known when the model is loaded.
function readNumberOrAll(name, value) {
  if (value === undefined || value === 'all') return value;
  if (/^\d+$/.test(value)) return Number(value);
  throw new UsageError(`--${name} is "${value}"; expected a whole number or "all"`);
}
