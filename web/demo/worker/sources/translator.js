// The trained English–French Transformer, loaded once, and the beginning of a text that it can read.

let loading;
let loaded = false;
let projections; // of the loaded translator

/** Loads the translator once; `report` is called while it loads. */
export async function loadModel(api, report) {
  if (!loaded) report?.({ text: 'Fetching the model (5 MB)' });
  loading ??= Promise.all([
    import('attention-wasm/translator').then(({ loadTranslator }) =>
      loadTranslator({ attention: api }),
    ),
    import('./model_tensors.js'),
  ]).then(([translator, { createProjections }]) => {
    projections = createProjections(translator.tensors);
    return translator;
  });
  try {
    const translator = await loading;
    loaded = true;
    return translator;
  } catch (error) {
    loading = undefined; // the next request tries again
    throw error;
  }
}

/** W_O and b_O of a layer, once the translator is loaded. */
export const projectionOf = (kind, layer) => projections(kind, layer);

// Longer sentences than those of the training data are translated poorly.
export const maxTranslated = 60; // max words

/** Truncates a text to `limit` words and to the model's max tokens. */
export function beginning(translator, text, limit = Infinity) {
  const words = text.split(/(?<=\s)(?=\S)/);
  let characters = [...words.slice(0, limit).join('')];
  for (;;) {
    const truncated = characters.join('');
    // A token is at least one byte, and a UTF-16 unit at most three: so short a text cannot exceed the model's max
    // tokens.
    if (truncated.length < 160) return { text: truncated, cut: truncated !== text };
    try {
      translator.encode(truncated, { attention: false });
      return { text: truncated, cut: truncated !== text };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      characters = characters.slice(0, 0.8 * characters.length);
    }
  }
}
