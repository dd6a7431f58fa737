// attention-wasm/translator for Node.js: the weights are read from the package's files.
import { readFile } from 'node:fs/promises';
import { createTranslatorLoader } from './load_translator.js';
import { fetchFile } from './package_files.js';

export const loadTranslator = /* @__PURE__ */ createTranslatorLoader((url) =>
  url.protocol === 'file:' ? readFile(url) : fetchFile(url),
);

export { mergeWords } from './merge_words.js';
