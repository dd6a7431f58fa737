// The trained English–French Transformer, loaded once for each set of kernels, and the beginning of a text that it can read.

import { cutSentence } from './cut_text.js';

const loading = new Map(); // API → promise of its translator
let projections; // of the translator, the same for each API
let report; // of the latest request
let percent; // that was reported

/** Tells the latest request how much of the model has come. */
function tell({ loaded: bytes, total }) {
  const fraction = total ? bytes / total : undefined;
  const now = total ? `${Math.floor(100 * fraction)} %` : `${(bytes / 1e6).toFixed(1)} MB`;
  if (now === percent) return;
  percent = now;
  report?.({ isLoading: true, text: `Loading the model (5 MB): ${now}`, fraction });
}

/** The translator of an API, loaded once; `reportTo` is called while it loads. */
export async function loadModel(api, reportTo) {
  report = reportTo ?? report;
  if (!loading.has(api)) loading.set(api, load(api));
  try {
    return await loading.get(api);
  } catch (error) {
    loading.delete(api); // the next request tries again
    throw error;
  }
}

async function load(api) {
  const [{ loadTranslator }, { createProjections }] = await Promise.all([
    import('attention-wasm/translator'),
    import('./model_tensors.js'),
  ]);
  const translator = await loadTranslator({ api, onProgress: tell });
  projections = createProjections(translator.tensors);
  return translator;
}

/** W_O and b_O of a layer, once the translator is loaded. */
export const projectionOf = (kind, layer) => projections(kind, layer);

// Longer sentences than those of the training data are translated poorly.
export const maxTranslated = 60; // max words

const poorly = 'longer sentences than those it learned from are translated poorly';

/**
 * The beginning of a text: at most `limit` words and the model's max tokens. { text, cut }: `cut` is a sentence, or '' for
 * a text that is read whole; `of`: the name of the text in it.
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
