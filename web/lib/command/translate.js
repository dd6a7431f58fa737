// `attention-wasm translate`: English to French, with cross-attention of each French word.

import { isBlank } from '../text/segment_words.js';
import { translatorOutput } from './translator_output.js';
import { limits, requireLength } from './limits.js';
import { selectionOptions, readModelArguments, refuseTogether } from './model_arguments.js';
import { UsageError, readInteger } from './shell_options.js';
import { printable, wrap } from './terminal_text.js';
import { defaults } from './model_help.js';

export { translateHelp as help } from './model_help.js';

const maxBeam = 32;

const options = {
  beam: { type: 'string' },
  target: { type: 'string' },
  'text-only': { type: 'boolean' },
};

export function readArguments(args) {
  const request = readModelArguments(args, options, ['json', 'csv', 'text-only']);
  if (request.shows !== 'attention') return request;
  const { values } = request;
  const { target } = values;
  if (values['text-only']) {
    refuseTogether(
      values,
      '--text-only',
      [...selectionOptions, 'target'],
      'writes translations only',
    );
  }
  if (target !== undefined) {
    refuseTogether(values, '--target', ['beam'], 'needs no search');
    requireLength('the target', target, limits.lineCharacters);
    if (isBlank(target)) throw new UsageError('the target has no words');
  }
  return {
    ...request,
    singleOption: target === undefined ? request.singleOption : '--target',
    target,
    beam:
      target === undefined ? readInteger('beam', values.beam ?? defaults.beam, 1, maxBeam) : null,
  };
}

export const lines = (request, screen) => translatorOutput(model, request, screen);

const model = {
  compute: (translator, text, { beam, target, format }) =>
    translator.translate(text, { beam, target, attention: format !== 'text-only' }),

  *opening({ text }, { paint, width }) {
    yield* wrap(printable(text), width).map(paint.bold);
    yield '';
  },

  attention: ({ source, target, attention, logProbabilities }) => ({
    title: 'Cross-attention',
    stack: 'decoder',
    layers: attention.cross,
    rows: target,
    columns: source,
    notes: (unit) => [
      `Each row is a ${unit} of the translation, each column a ${unit} of the source; each row sums to 1. ` +
        '</s> is the end.',
      `Mean probability of a piece of the translation: ${meanProbability(logProbabilities)} (geometric mean).`,
    ],
  }),

  values: (
    { text, source, target, inputs, logProbabilities, attention },
    { beam, ...request },
  ) => ({
    text,
    options: { beam, target: request.target ?? null },
    source,
    target,
    inputs,
    logProbabilities,
    attention: {
      encoder: attention.encoder,
      decoder: attention.decoder,
      cross: attention.cross,
    },
  }),
};

function meanProbability(logProbabilities) {
  const sum = logProbabilities.reduce((total, x) => total + x, 0);
  return Number(Math.exp(sum / logProbabilities.length).toPrecision(2));
}
