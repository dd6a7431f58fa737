// Runs the translator for every sentence of a request and formats the results as lines.

import { writeFile } from 'node:fs/promises';
import { jsonChunks } from './data_formats.js';
import { loadKernels } from './kernels.js';
import { modelCsv, modelTable } from './model_table.js';
import { sentences } from './standard_input.js';
import { UsageError } from './shell_options.js';
import { selectWeights } from './select_weights.js';
import { printable } from './terminal_text.js';
import { pictureOfWeights } from './weights_picture.js';

/**
 * model: {
 *   compute(translator, text, request): the result for a sentence;
 *   opening(result): lines above the table;
 *   attention(result): { title, stack, layers, rows, columns, notes(unit) }, see model_table.js;
 *   values(result, request): the object for --json
 * }; screen: { paint, width }.
 */
export async function* translatorOutput(model, request, screen) {
  const isTable = request.format === 'table';
  let loaded;
  let isFirst = true;
  for await (const { text, where } of sentences(request)) {
    if (text === '') {
      // An empty line, so that line n of the output is the translation of line n.
      if (request.format === 'text-only') yield '';
      continue;
    }
    loaded ??= await load(request);
    const result = withLocation(() => model.compute(loaded.translator, text, request), where);
    if (request.picture !== undefined) {
      const selected = selectWeights(request, model.attention(result), loaded.mergeWords);
      await writeFile(request.picture, pictureOfWeights(selected));
    }
    if (isTable && !isFirst) yield '';
    isFirst = false;
    yield* formats[request.format](result, { model, request, screen, ...loaded });
  }
}

// Imported lazily, so that --help and usage errors do not load the model.
async function load({ kernels }) {
  const { loadTranslator, mergeWords } = await import('attention-wasm/translator');
  return { translator: await loadTranslator({ api: await loadKernels(kernels) }), mergeWords };
}

// Sentences that are too long are usage errors.
function withLocation(compute, where) {
  try {
    return compute();
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(where + error.message);
    throw error;
  }
}

const formats = {
  'text-only': ({ text }) => [printable(text)],
  json: (result, { model, request }) => [jsonChunks(model.values(result, request))],
  csv: (result, { model, request, mergeWords }) =>
    modelCsv(selectWeights(request, model.attention(result), mergeWords), request),
  *table(result, { model, request, screen, mergeWords }) {
    const attention = model.attention(result);
    const selected = selectWeights(request, attention, mergeWords);
    yield* model.opening(result, screen);
    yield* modelTable(selected, request, attention, screen);
  },
};
