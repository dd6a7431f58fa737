// Options shared by translate, encode and model: the selection of weights.

import {
  UsageError,
  parseOptions,
  readColor,
  readFormat,
  readHelpRequest,
  sharedOptions,
} from './shell_options.js';
import { kernelsOption, readKernels } from './kernels.js';
import { weightOptions } from './model_help.js';

/**
 * The request in `args`. Values of `ownOptions` are returned unread in `values`. formats: mutually exclusive options.
 * layer and head: 'all', a number from 1, or undefined.
 */
export function readModelArguments(args, ownOptions, formats) {
  const { values, text, texts } = parseOptions(args, {
    ...sharedOptions,
    ...weightOptions,
    ...kernelsOption,
    ...ownOptions,
  });
  const helpRequest = readHelpRequest(values);
  if (helpRequest) return helpRequest;
  const format = readFormat(values, formats);
  if (format === 'json') refuseTogether(values, '--json', selectionOptions, 'writes all weights');
  return {
    shows: 'attention',
    values,
    text,
    texts,
    format,
    singleOption: format === 'csv' ? '--csv' : undefined,
    layer: readNumberOrAll('layer', values.layer),
    head: readNumberOrAll('head', values.head),
    pieces: values.pieces ?? false,
    kernels: readKernels(values.kernels),
    color: readColor(values.color),
  };
}

/** Throws if one of `others`, names of options, is combined with `option`. */
export function refuseTogether(values, option, others, reason) {
  for (const other of others) {
    if (values[other] === undefined) continue;
    throw new UsageError(`${option} ${reason} and cannot be combined with --${other}`);
  }
}

/** Options that select weights. */
export const selectionOptions = Object.keys(weightOptions);

// The upper limit is known only after loading the model.
function readNumberOrAll(name, value) {
  if (value === undefined || value === 'all') return value;
  if (/^\d+$/.test(value)) return Number(value);
  throw new UsageError(`--${name} is "${value}"; expected an integer or "all"`);
}
