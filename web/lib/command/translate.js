// `attention-wasm translate`: English to French, with cross-attention of each French word.

import { isBlank } from '../text/segment_words.js';
import { editOptions, editsOf, readEditOptions } from './edit_options.js';
import { translatorOutput } from './translator_output.js';
import { limits, requireLength } from './limits.js';
import { selectionOptions, readModelArguments, refuseTogether } from './model_arguments.js';
import { UsageError, readInteger } from './shell_options.js';
import { printable, wrap } from './terminal_text.js';
import { defaults } from './model_help.js';
import { checkPicture } from './weights_picture.js';

export { translateHelp as help } from './model_help.js';

const maxBeam = 32;

const options = {
  beam: { type: 'string' },
  target: { type: 'string' },
  'text-only': { type: 'boolean' },
  picture: { type: 'string' },
  ...editOptions,
};

export function readArguments(args) {
  const request = readModelArguments(args, options, ['json', 'csv', 'text-only']);
  if (request.shows !== 'attention') return request;
  const { values } = request;
  const { target, picture } = values;
  checkPicture(values, request);
  if (values['text-only']) {
    refuseTogether(
      values,
      '--text-only',
      [...selectionOptions, 'target', 'picture'],
      'writes translations only',
    );
  }
  if (target !== undefined) {
    refuseTogether(values, '--target', ['beam'], 'needs no search');
    requireLength('the target', target, limits.lineCharacters);
    if (isBlank(target)) throw new UsageError('the target has no words');
  }
  const single = target === undefined ? picture && '--picture' : '--target';
  return {
    ...request,
    singleOption: single ?? request.singleOption,
    target,
    picture,
    edits: readEditOptions(values),
    beam:
      target === undefined ? readInteger('beam', values.beam ?? defaults.beam, 1, maxBeam) : null,
  };
}

export const lines = (request, screen) => translatorOutput(model, request, screen);

/** The edits of a request in a text. */
function editsIn(translator, text, items) {
  if (items.length === 0) return [];
  const { source } = translator.encode(text, { attention: false });
  const layers = [...translator.tensors.keys()].filter((name) =>
    /^decoder\.layers\.\d+\.norm1\.weight$/.test(name),
  ).length;
  const written = {
    text: source.text,
    tokens: source.tokens.map((token) => token.text),
    spans: source.tokens.map(({ special, start, end }) => (special ? [0, 0] : [start, end])),
  };
  return editsOf(items, { layers, stacks: ['encoder', 'decoder', 'cross'] }, written);
}

const model = {
  compute(translator, text, { beam, target, format, edits: items }) {
    const edits = editsIn(translator, text, items);
    const attention = format !== 'text-only';
    return { ...translator.translate(text, { beam, target, attention, edits }), edits };
  },

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
    { text, source, target, inputs, logProbabilities, attention, edits },
    { beam, ...request },
  ) => ({
    text,
    options: { beam, target: request.target ?? null, ...(edits.length > 0 && { edits }) },
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
