// Every sentence of a request given to the model, and what it gave as lines to write.

import { jsonPieces, matricesAsCsv } from './data_formats.js';
import { modelPicture } from './model_picture.js';
import { sentences } from './sentences.js';
import { UsageError } from './shell_options.js';
import { shownWeights } from './shown_weights.js';
import { printable } from './terminal_text.js';

/**
 * model: {
 *   ask(translator, text, request): what it gives;
 *   and of that:
 *   opening(result): lines above the picture;
 *   attention(result): { title, stack, layers, rows, columns, notes(unit) }, see model_picture.js;
 *   values(result, request): what JSON says
 * }; screen: { paint, width }.
 */
export async function* explainedSentences(model, request, screen) {
  const isTable = request.format === 'table';
  let loaded;
  let isFirst = true;
  for await (const { text, where } of sentences(request)) {
    if (text === '') {
      // So that line n of the output stays the translation of line n.
      if (request.format === 'text-only') yield '';
      continue;
    }
    loaded ??= await load();
    const result = asked(() => model.ask(loaded.translator, text, request), where);
    if (isTable && !isFirst) yield '';
    isFirst = false;
    yield* formats[request.format](result, { model, request, screen, ...loaded });
  }
}

// Imported here, so that --help and mistakes are answered without loading the model.
async function load() {
  const { loadTranslator, mergeWords } = await import('attention-wasm/translator');
  return { translator: await loadTranslator(), mergeWords };
}

// A sentence too long is the caller's mistake.
function asked(ask, where) {
  try {
    return ask();
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(where + error.message);
    throw error;
  }
}

const formats = {
  'text-only': ({ text }) => [printable(text)],
  json: (result, { model, request }) => [jsonPieces(model.values(result, request))],
  *csv(result, { model, request, mergeWords }) {
    const shown = shownWeights(request, model.attention(result), mergeWords);
    const keys = ['layer', 'head'].filter((name) => request[name] === 'all');
    yield* matricesAsCsv({
      header: [...keys, shown.unit],
      rows: shown.rows,
      columns: shown.columns,
      matrices: shown.matrices.map((matrix) => ({
        keys: keys.map((name) => matrix[name]),
        data: matrix.data,
      })),
    });
  },
  *table(result, { model, request, screen, mergeWords }) {
    const attention = model.attention(result);
    const shown = shownWeights(request, attention, mergeWords);
    yield* model.opening(result, screen);
    yield* modelPicture(shown, request, attention, screen);
  },
};
