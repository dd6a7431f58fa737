// Reads a model's tokenizer, if there is one.
import { describe } from '../../arguments/describe.js';
import { loadFile } from '../../module/load_file.js';
import { isObject } from './fields.js';
import { TextTokens } from './text_tokens.js';

/** { description, config, components?, file? }; undefined if the model has no tokenizer. */
async function readFiles(source) {
  const description = await source.json('tokenizer.json');
  const config = (await source.json('tokenizer_config.json')) ?? {};
  if (description !== undefined) return { description, config };
  const { readVocabulary } = await loadFile(
    'models_vocabulary_files.js',
    () => import('./vocabulary_files/read_vocabulary.js'),
  );
  const read = await readVocabulary(source, config);
  return read && { ...read, config };
}

/** A TextTokens, which may have ids that the embedding of the model has not; undefined if the model has no tokenizer. */
export async function readTokenizer(source, options) {
  const files = await readFiles(source);
  if (files === undefined) return undefined;
  const { description, config, ...converted } = files;
  if (!isObject(description) || !isObject(description.model)) {
    throw new TypeError(
      `tokenizer must be a parsed tokenizer.json with a model, found ${describe(description)}`,
    );
  }
  return new TextTokens(description, config, { ...options, ...converted });
}
