// `attention-wasm encode`: encoder self-attention of English sentences.

import { translatorOutput } from './translator_output.js';
import { readModelArguments } from './model_arguments.js';

export { encodeHelp as help } from './model_help.js';

export const readArguments = (args) => readModelArguments(args, {}, ['json', 'csv']);

export const lines = (request, screen) => translatorOutput(model, request, screen);

const model = {
  compute: (translator, text) => translator.encode(text),

  opening: () => [],

  attention: ({ source, attention }) => ({
    title: 'Self-attention',
    stack: 'encoder',
    layers: attention.encoder,
    rows: source,
    columns: source,
    notes: (unit) => [
      `Each row is a query ${unit}, each column a key ${unit}; each row sums to 1. </s> is the end.`,
    ],
  }),

  values: ({ source, attention }) => ({
    source,
    attention: { encoder: attention.encoder },
  }),
};
