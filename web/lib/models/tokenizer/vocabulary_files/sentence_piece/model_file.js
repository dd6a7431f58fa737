// A model of SentencePiece (.model): pieces with scores, the kind of model and its normalizer. Source:
// google/sentencepiece, sentencepiece_model.proto.
import { bytes, flag, float, forEachField, integer, readMessage, text } from './protobuf.js';

const maxTokens = 2 ** 20;
const maxLength = 4096; // characters of a piece, as of any token
const unknownType = 2;

/** Types of pieces. */
export const tokenTypes = {
  normal: 1,
  unknown: unknownType,
  control: 3,
  userDefined: 4,
  unused: 5,
  byte: 6,
};

const modelTypes = ['unigram', 'bpe', 'word', 'char'];

const tokenFields = { 1: ['text', text], 2: ['score', float], 3: ['type', integer] };
const trainerFields = {
  3: ['model_type', integer],
  24: ['treat_whitespace_as_suffix', flag],
  35: ['byte_fallback', flag],
};
const normalizerFields = {
  2: ['precompiled_charsmap', bytes],
  3: ['add_dummy_prefix', flag],
  4: ['remove_extra_whitespaces', flag],
  5: ['escape_whitespaces', flag],
};

function readToken(message, index) {
  const name = `piece ${index}`;
  const read = readMessage(message, name, tokenFields);
  const { text: content = '', score = 0, type = tokenTypes.normal } = read;
  if (content === '' || content.length > maxLength) {
    throw new RangeError(
      `${name} has ${content.length} characters, expected from 1 to ${maxLength}`,
    );
  }
  if (!Object.values(tokenTypes).includes(type)) {
    throw new RangeError(`${name} has the type ${type}, expected from 1 to 6`);
  }
  return { text: content, score, type };
}

/** Throws unless the pieces are different, one is the unknown one, and byte pieces are all there or none. */
export function checkTokens(pieces, hasBytes) {
  const texts = new Set();
  for (const [index, { text: content }] of pieces.entries()) {
    if (texts.has(content)) throw new RangeError(`piece ${index}, '${content}', is there twice`);
    texts.add(content);
  }
  const count = (type) => pieces.filter((token) => token.type === type).length;
  for (const [type, name, expected] of [
    [tokenTypes.unknown, 'unknown', 1],
    [tokenTypes.byte, 'byte', hasBytes ? 256 : 0],
  ]) {
    const found = count(type);
    if (found === expected) continue;
    throw new RangeError(
      `it has ${found} ${name} pieces, expected ${expected}${name === 'byte' ? `, because byte_fallback is ${hasBytes}` : ''}`,
    );
  }
}

function modelType(number) {
  const name = modelTypes[number - 1];
  if (name !== undefined && name !== 'word') return name;
  throw new RangeError(
    `its model_type is ${name ?? number}, expected unigram, bpe or char, which are 1, 2 and 4`,
  );
}

/**
 * { type: 'unigram', 'bpe' or 'char', pieces: [{ text, score, type }] by id, hasBytes, normalizer: { map?, addsPrefix,
 * removesSpaces, escapesSpaces, isSuffix } }.
 */
export function readModelFile(file) {
  const pieces = [];
  let trainer = {};
  let normalizer = {};
  forEachField(file, 'the file', (number, value) => {
    if (number === 1) {
      if (pieces.length === maxTokens) {
        throw new RangeError(`it has more than ${maxTokens} pieces, which is the limit`);
      }
      pieces.push(readToken(bytes(value, `piece ${pieces.length}`), pieces.length));
    }
    if (number === 2) {
      trainer = readMessage(bytes(value, 'trainer_spec'), 'trainer_spec', trainerFields);
    }
    if (number === 3) {
      normalizer = readMessage(
        bytes(value, 'normalizer_spec'),
        'normalizer_spec',
        normalizerFields,
      );
    }
  });
  const hasBytes = trainer.byte_fallback ?? false;
  checkTokens(pieces, hasBytes);
  const map = normalizer.precompiled_charsmap;
  return {
    ...{ type: modelType(trainer.model_type ?? 1), pieces, hasBytes },
    normalizer: {
      map: map?.length > 0 ? map : undefined,
      addsPrefix: normalizer.add_dummy_prefix ?? true,
      removesSpaces: normalizer.remove_extra_whitespaces ?? true,
      escapesSpaces: normalizer.escape_whitespaces ?? true,
      isSuffix: trainer.treat_whitespace_as_suffix ?? false,
    },
  };
}
