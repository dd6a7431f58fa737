// The tokenizer that lies beside a model, if one does, checked against the vocabulary that the weights have.
import { describe } from '../../arguments/describe.js';
import { isHtml } from '../sources/file_text.js';
import { TextTokens } from './text_tokens.js';

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

async function describedBy(source, type) {
  const description = await source.json('tokenizer.json');
  const config = (await source.json('tokenizer_config.json')) ?? {};
  if (description !== undefined) return { description, config };
  if (type !== 'bert') return undefined;
  const text = await source.text('vocab.txt');
  // The first token may well be '<pad>'.
  if (text === undefined || isHtml(text)) return undefined;
  const { bertTokenizer } = await import('./bert_vocabulary.js');
  return { description: bertTokenizer(text, config), config };
}

const kinds = ['BPE', 'Unigram', 'WordPiece', 'WordLevel'];
const isScored = (one) => typeof one?.[0] === 'string' && Number.isFinite(one[1]);
const isPair = (merge) => merge?.length === 2 && merge.every((piece) => typeof piece === 'string');
const longestToken = 4096; // characters

/** Refuses tokens so long that a few of them are a text of gigabytes. */
function requireShort(tokens) {
  const long = tokens.find((token) => token.length > longestToken);
  if (long === undefined) return;
  throw new RangeError(
    `tokenizer.json has a token of ${long.length} characters, but may have ${longestToken}`,
  );
}

/** Pairs of pieces, all spelled 'a b' or all ['a', 'b']. */
function requireMerges(merges) {
  if (Array.isArray(merges)) {
    const isSpelled = Array.isArray(merges[0]) ? isPair : (merge) => typeof merge === 'string';
    const wrong = merges.findIndex((merge) => !isSpelled(merge));
    if (wrong < 0) return;
    throw new RangeError(
      `merges[${wrong}] of tokenizer.json must be two pieces, as those before it, found ${describe(merges[wrong])}`,
    );
  }
  throw new RangeError(`the merges of tokenizer.json must be an array, found ${describe(merges)}`);
}

/** Refuses what the tokenizers would make something of all the same. */
function requireModel(model) {
  const { type = kinds[0], vocab } = model;
  if (!kinds.includes(type)) {
    throw new RangeError(
      `tokenizer.json has a model of type ${describe(type)}, but this reads ${kinds.join(', ')}`,
    );
  }
  const isList = Array.isArray(vocab) && vocab.every(isScored);
  if (isList ? vocab.length === 0 : !isObject(vocab) || Object.keys(vocab).length === 0) {
    throw new RangeError(
      'tokenizer.json must have a vocab of ids by token, or of [token, score] by id',
    );
  }
  requireShort(isList ? vocab.map(([token]) => token) : Object.keys(vocab));
  // A model of no type is one of merges if it has some.
  if ((model.type ?? (Object.hasOwn(model, 'merges') && type)) === 'BPE')
    requireMerges(model.merges);
}

/** Of all tokens, before tables as long as that are made of them. */
function largestId({ model: { vocab }, added_tokens: added }) {
  const isList = Array.isArray(vocab); // [token, score] by id
  const ids = [
    Object.values(isList ? {} : (vocab ?? {})),
    [added ?? []].flat().map((one) => one?.id),
  ];
  return ids.flat().reduce(
    (largest, id) => {
      if (Number.isInteger(id) && id >= 0) return Math.max(largest, id);
      throw new RangeError(`tokenizer.json has the id ${describe(id)}, which is none`);
    },
    isList ? vocab.length - 1 : -1,
  );
}

export async function readTokenizer(source, { type, vocabulary }) {
  const described = await describedBy(source, type);
  if (described === undefined) return undefined;
  const { description, config } = described;
  if (!isObject(description) || !isObject(description.model)) {
    throw new TypeError(
      `tokenizer must be what a tokenizer.json holds, with a model, found ${describe(description)}`,
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
