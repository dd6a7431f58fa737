// Reads a model's tokenizer, if there is one.
import { describe } from '../../arguments/describe.js';
import { loadFile } from '../../module/load_file.js';
import { contradictions } from './contradictions.js';
import { isObject } from './fields.js';
import { TextTokens } from './text_tokens.js';

/** { description, components?, file? }, or { missing }: what is missing, as a part of a sentence. */
async function readFiles(source, description, config) {
  if (description !== undefined) return { description };
  if (!source.isFolder) return { missing: undefined };
  const { readVocabulary } = await loadFile(
    'models_vocabulary_files.js',
    () => import('./vocabulary_files/read_vocabulary.js'),
  );
  return readVocabulary(source, config);
}

/**
 * { tokenizer, config }: a TextTokens, which may have ids that the embedding of the model has not, and tokenizer_config.json;
 * { missing } if there is none: what a folder lacks, as a part of a sentence. What did not prevent reading is added to the
 * warnings of the source.
 */
export async function readTokenizer(source, options) {
  const own = await source.json('tokenizer.json');
  const config = (await source.json('tokenizer_config.json')) ?? {};
  const { missing, ...files } = await readFiles(source, own, config);
  const { description, ...converted } = files;
  if (description === undefined) {
    if (missing)
      source.warnings.push(`the model has no tokenizer, so its input is { ids }: ${missing}`);
    return { missing };
  }
  if (!isObject(description) || !isObject(description.model)) {
    throw new TypeError(
      `tokenizer must be a parsed tokenizer.json with a model, found ${describe(description)}`,
    );
  }
  const tokenizer = new TextTokens(description, config, { ...options, ...converted });
  if (own !== undefined) {
    source.warnings.push(...contradictions(description, config, tokenizer));
  }
  return { tokenizer, config };
}
