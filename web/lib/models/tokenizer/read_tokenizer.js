// Reads a model's tokenizer, if there is one, and checks it against the vocabulary size of the weights.
import { describe } from '../../arguments/describe.js';
import { isHtml } from '../sources/file_text.js';
import { isObject } from './fields.js';
import { TextTokens } from './text_tokens.js';

async function readFiles(source, type) {
  const description = await source.json('tokenizer.json');
  const config = (await source.json('tokenizer_config.json')) ?? {};
  if (description !== undefined) return { description, config };
  if (type !== 'bert') return undefined;
  const text = await source.text('vocab.txt');
  // isHtml() tests for tags, because the first token may be '<pad>'.
  if (text === undefined || isHtml(text)) return undefined;
  const { bertTokenizer } = await import('./bert_vocabulary.js');
  return { description: bertTokenizer(text, config), config };
}

export async function readTokenizer(source, { type, vocabulary }, options) {
  const files = await readFiles(source, type);
  if (files === undefined) return undefined;
  const { description, config } = files;
  if (!isObject(description) || !isObject(description.model)) {
    throw new TypeError(
      `tokenizer must be a parsed tokenizer.json with a model, found ${describe(description)}`,
    );
  }
  const tokens = new TextTokens(description, config, options);
  if (tokens.size <= vocabulary) return tokens;
  throw new RangeError(
    `the tokenizer has ids up to ${tokens.size - 1}, but the embedding of the model has ${vocabulary} rows`,
  );
}
