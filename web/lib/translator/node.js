// attention-wasm/translator for Node.js: the weights are read from the package's files.
import { readFile } from 'node:fs/promises';
import { createTranslatorLoader } from './load_translator.js';
import { fetchFile } from './package_files.js';

async function readWhole(url, onChunk) {
  const bytes = await readFile(url);
  onChunk?.(bytes.length, bytes.length);
  return bytes;
}

export const loadTranslator = /* @__PURE__ */ createTranslatorLoader((url, onChunk) =>
  url.protocol === 'file:' ? readWhole(url, onChunk) : fetchFile(url, onChunk),
);

export { mergeWords } from './merge_words.js';
