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

/** Refuses what the tokenizers would make something of all the same. */
function requireModel({ type = kinds[0], vocab }) {
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
