// The trained English–French Transformer of the package, opened once for each set of kernels.

import { loadModel } from 'attention-wasm/models';
import { loadTranslator } from 'attention-wasm/translator';
import { createKnownWeights } from './known_weights.js';
import { read as readWith } from './model_reading.js';
import { createTranslatorTexts } from './translator_texts.js';

/** @import { AttentionApi } from 'attention-wasm' */
/** @import { LoadedModel } from 'attention-wasm/models' */
/** @import { Reading } from '../../types' */
/** @import { BuiltInModel, ReadingContext, ReportedProgress, SourceQuestion } from '../types' */
/** @typedef {(progress: ReportedProgress) => unknown} Report */

/** @type {Map<AttentionApi, Promise<BuiltInModel>>} API → promise of its model */
const loading = new Map();
/** @type {Report | undefined} */
let report; // of the latest request
/** @type {string | undefined} */
let percent; // that was reported

/**
 * Tells the latest request how much of the model has come.
 * @param {{ loaded: number, total: number | null }} progress in bytes
 */
function tell({ loaded: bytes, total }) {
  const fraction = total ? bytes / total : undefined;
  const now =
    fraction === undefined ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.floor(100 * fraction)} %`;
  if (now === percent) return;
  percent = now;
  report?.({ isLoading: true, text: `Loading the model (5 MB): ${now}`, fraction });
}

/**
 * The model of an API, loaded once; `reportTo` is called while it loads.
 * @param {AttentionApi} api
 * @param {Report} [reportTo]
 * @returns {Promise<BuiltInModel>}
 */
export async function builtInModel(api, reportTo) {
  report = reportTo ?? report;
  const opened = loading.get(api) ?? load(api);
  loading.set(api, opened);
  try {
    return await opened;
  } catch (error) {
    loading.delete(api); // the next request tries again
    throw error;
  }
}

/**
 * @param {AttentionApi} api
 * @returns {Promise<BuiltInModel>}
 */
async function load(api) {
  const translator = await loadTranslator({ api, onProgress: tell, loadModel });
  const model = /** @type {LoadedModel} */ (translator.model);
  const { description } = model;
  return {
    ...{ model, description, translator, isNaming: true },
    texts: createTranslatorTexts(translator, description),
    known: createKnownWeights(api, translator.tensors),
  };
}

/**
 * @param {SourceQuestion} question
 * @param {ReadingContext} context
 * @returns {Promise<Reading>}
 */
export async function read(question, context) {
  const opened = await builtInModel(context.api, context.report);
  await context.step();
  return readWith(opened, question, context);
}
