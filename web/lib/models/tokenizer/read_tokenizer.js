// Reads a model's tokenizer, if there is one, and checks it against the vocabulary size of the weights.
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

export async function readTokenizer(source, { vocabulary }, options) {
  const files = await readFiles(source);
  if (files === undefined) return undefined;
  const { description, config, ...converted } = files;
  if (!isObject(description) || !isObject(description.model)) {
    throw new TypeError(
      `tokenizer must be a parsed tokenizer.json with a model, found ${describe(description)}`,
    );
  }
  const tokens = new TextTokens(description, config, { ...options, ...converted });
  if (tokens.size <= vocabulary) return tokens;
  throw new RangeError(
    `the tokenizer has ids up to ${tokens.size - 1}, but the embedding of the model has ${vocabulary} rows`,
  );
}
