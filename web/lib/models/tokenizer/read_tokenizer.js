// Reads a model's tokenizer, if there is one, and checks it against the vocabulary size of the weights.
import { describe } from '../../arguments/describe.js';
import { isHtml } from '../sources/file_text.js';
import { TextTokens } from './text_tokens.js';

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

async function readDescription(source, type) {
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

const kinds = ['BPE', 'Unigram', 'WordPiece', 'WordLevel'];
const isScored = (one) => typeof one?.[0] === 'string' && Number.isFinite(one[1]);
const isPair = (merge) => merge?.length === 2 && merge.every((text) => typeof text === 'string');
const maxTokenLength = 4096; // characters

/** Throws for long tokens: a few of them could decode to gigabytes of text. */
function requireShort(tokens) {
  const long = tokens.find((token) => token.length > maxTokenLength);
  if (long === undefined) return;
  throw new RangeError(
    `tokenizer.json has a token of ${long.length} characters; the limit is ${maxTokenLength}`,
  );
}

/** Checks that merges are pairs of tokens, all written 'a b' or all ['a', 'b']. */
function requireMerges(merges) {
  if (Array.isArray(merges)) {
    const isSpelled = Array.isArray(merges[0]) ? isPair : (merge) => typeof merge === 'string';
    const wrong = merges.findIndex((merge) => !isSpelled(merge));
    if (wrong < 0) return;
    throw new RangeError(
      `merges[${wrong}] of tokenizer.json must be a pair of tokens, like those before it, found ${describe(merges[wrong])}`,
    );
  }
  throw new RangeError(`the merges of tokenizer.json must be an array, found ${describe(merges)}`);
}

/** Throws for model descriptions that the tokenizer library would accept without an error. */
function requireModel(model) {
  const { type = kinds[0], vocab } = model;
  if (!kinds.includes(type)) {
    throw new RangeError(
      `tokenizer.json has a model of type ${describe(type)}; expected ${kinds.join(', ')}`,
    );
  }
  const isList = Array.isArray(vocab) && vocab.every(isScored);
  if (isList ? vocab.length === 0 : !isObject(vocab) || Object.keys(vocab).length === 0) {
    throw new RangeError(
      'tokenizer.json must have a vocab of ids by token, or of [token, score] by id',
    );
  }
  requireShort(isList ? vocab.map(([token]) => token) : Object.keys(vocab));
  // A model without a type is BPE if it has merges.
  if ((model.type ?? (Object.hasOwn(model, 'merges') && type)) === 'BPE')
    requireMerges(model.merges);
}

/** The largest id, checked before tables of that length are allocated. */
function largestId({ model: { vocab }, added_tokens: added }) {
  const isList = Array.isArray(vocab); // an array of [token, score], indexed by id
  const ids = [
    Object.values(isList ? {} : (vocab ?? {})),
    [added ?? []].flat().map((one) => one?.id),
  ];
  return ids.flat().reduce(
    (largest, id) => {
      if (Number.isInteger(id) && id >= 0) return Math.max(largest, id);
      throw new RangeError(`tokenizer.json: invalid token id ${describe(id)}`);
    },
    isList ? vocab.length - 1 : -1,
  );
}

export async function readTokenizer(source, { type, vocabulary }) {
  const files = await readDescription(source, type);
  if (files === undefined) return undefined;
  const { description, config } = files;
  if (!isObject(description) || !isObject(description.model)) {
    throw new TypeError(
      `tokenizer must be a parsed tokenizer.json with a model, found ${describe(description)}`,
    );
  }
  requireModel(description.model);
  const largest = largestId(description);
  if (largest >= vocabulary) {
    throw new RangeError(
      `the tokenizer has ids up to ${largest}, but the embedding of the model has ${vocabulary} rows`,
    );
  }
  return new TextTokens(description, isObject(config) ? config : {}, largest + 1);
}
