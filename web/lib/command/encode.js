// `attention-wasm encode`: how the words of an English sentence attend to each other in the model.

import { explainedSentences } from './explained_sentences.js';
import { readModelArguments } from './model_arguments.js';

export { help } from './encode_help.js';

export const readArguments = (args) => readModelArguments(args, {}, ['json', 'csv']);

export const lines = (request, screen) => explainedSentences(model, request, screen);

const model = {
  ask: (translator, text) => translator.encode(text),

  opening: () => [],

  attention: ({ source, attention }) => ({
    title: 'Self-attention',
    stack: 'encoder',
    layers: attention.encoder,
    rows: source,
    columns: source,
    notes: (unit) => [
      `Each row is a ${unit} reading, each column a ${unit} read; a row sums to 1. </s> is the end.`,
    ],
  }),

  values: ({ source, attention }) => ({
    source,
    attention: { encoder: attention.encoder },
  }),
};
