// `attention-wasm translate`: English to French, and where the model looked for every word it wrote.

import { isBlank } from '../text/segment_words.js';
import { explainedSentences } from './explained_sentences.js';
import { limits, requireLength } from './limits.js';
import { choices, readModelArguments, refuseTogether } from './model_arguments.js';
import { UsageError, readWhole } from './shell_options.js';
import { printable, wrap } from './terminal_text.js';
import { defaults } from './translate_help.js';

export { help } from './translate_help.js';

const widestBeam = 32;

const options = {
  beam: { type: 'string' },
  target: { type: 'string' },
  'text-only': { type: 'boolean' },
};

export function readArguments(args) {
  const request = readModelArguments(args, options, ['json', 'csv', 'text-only']);
  if (request.shows !== 'attention') return request;
  const { given } = request;
  const { target } = given;
  if (given['text-only']) {
    refuseTogether(given, '--text-only', [...choices, 'target'], 'writes translations alone');
  }
  if (target !== undefined) {
    refuseTogether(given, '--target', ['beam'], 'leaves nothing to search for');
    requireLength('the target', target, limits.lineCharacters);
    if (isBlank(target)) throw new UsageError('the target has no words in it');
  }
  return {
    ...request,
    aboutOne: target === undefined ? request.aboutOne : '--target',
    target,
    beam:
      target === undefined ? readWhole('beam', given.beam ?? defaults.beam, 1, widestBeam) : null,
  };
}

export const lines = (request, screen) => explainedSentences(model, request, screen);

const model = {
  ask: (translator, text, { beam, target, format }) =>
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
      `Each row is a ${unit} of the translation just before it is written, each column a ${unit} ` +
        'read; a row sums to 1. </s> is the end.',
      'The model gave the pieces of the translation a probability of ' +
        `${likely(logProbabilities)} each (geometric mean).`,
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

function likely(logProbabilities) {
  const sum = logProbabilities.reduce((total, x) => total + x, 0);
  return Number(Math.exp(sum / logProbabilities.length).toPrecision(2));
}
