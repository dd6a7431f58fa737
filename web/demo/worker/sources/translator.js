// The trained English–French Transformer, loaded once for each set of kernels, and the beginning of a text that it can read.

import { cutSentence } from './cut_text.js';

/** @import { AttentionApi } from 'attention-wasm' */
/** @import { Translator } from 'attention-wasm/translator' */
/** @import { ReportedProgress } from '../types' */
/** @import { createProjections } from './model_tensors.js' */
/** @typedef {(progress: ReportedProgress) => unknown} Report */

/** @type {Map<AttentionApi, Promise<Translator>>} API → promise of its translator */
const loading = new Map();
/** @type {ReturnType<typeof createProjections>} of the translator, the same for each API */
let projections;
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
 * The translator of an API, loaded once; `reportTo` is called while it loads.
 * @param {AttentionApi} api
 * @param {Report} [reportTo]
 * @returns {Promise<Translator>}
 */
export async function loadModel(api, reportTo) {
  report = reportTo ?? report;
  const translator = loading.get(api) ?? load(api);
  loading.set(api, translator);
  try {
    return await translator;
  } catch (error) {
    loading.delete(api); // the next request tries again
    throw error;
  }
}

/** @param {AttentionApi} api */
async function load(api) {
  const [{ loadTranslator }, { createProjections }] = await Promise.all([
    import('attention-wasm/translator'),
    import('./model_tensors.js'),
  ]);
  const translator = await loadTranslator({ api, onProgress: tell });
  projections = createProjections(translator.tensors);
  return translator;
}

/**
 * W_O and b_O of a layer, once the translator is loaded.
 * @param {'encoder' | 'decoder' | 'cross'} kind
 * @param {number} layer
 */
export const projectionOf = (kind, layer) => projections(kind, layer);

// Longer sentences than those of the training data are translated poorly.
export const maxTranslated = 60; // max words

const poorly = 'longer sentences than those it learned from are translated poorly';

/**
 * The beginning of a text: at most `limit` words and the model's max tokens. { text, cut }: `cut` is a sentence, or '' for
 * a text that is read whole.
 * @param {Translator} translator
 * @param {string} text
 * @param {{ limit?: number, of?: string }} [more] `of`: the name of the text in the sentence
 */
export function beginning(translator, text, { limit = Infinity, of } = {}) {
  const words = text.split(/(?<=\s)(?=\S)/);
  const first = words.slice(0, limit).join('');
  const cutWords =
    words.length > limit ? cutSentence(limit, words.length, poorly, { of, unit: 'words' }) : '';
  let characters = [...first];
  let why = ''; // the model's limit
  for (;;) {
    const truncated = characters.join('');
    const cut = why
      ? cutSentence(truncated.length, text.length, why, { of, unit: 'characters' })
      : cutWords;
    // A token is at least one byte, and a UTF-16 unit at most three: so short a text cannot exceed the model's max
    // tokens.
    if (truncated.length < 160) return { text: truncated, cut };
    try {
      translator.encode(truncated, { attention: false });
      return { text: truncated, cut };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      why ||= error.message;
      characters = characters.slice(0, 0.8 * characters.length);
    }
  }
}
