// attention-wasm/translator for browsers: the weights are fetched when a translator is loaded.
import { createTranslatorLoader } from './translator/load_translator.js';
import { fetchFile } from './translator/package_files.js';

export const loadTranslator = /* @__PURE__ */ createTranslatorLoader(fetchFile);

export { mergeWords } from './translator/merge_words.js';
