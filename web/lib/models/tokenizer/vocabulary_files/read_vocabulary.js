// Reads the vocabulary of a folder without tokenizer.json: vocab.txt, vocab.json with merges.txt, or a SentencePiece model.
// The class of the tokenizer says which, and how a text becomes words and a template.
import { byteRanges } from '../../../safetensors/byte_ranges.js';
import { isHtml, isHtmlBytes } from '../../sources/file_text.js';
import { isObject } from '../fields.js';
import { bertTokenizer } from './bert_vocabulary.js';
import { bytePairForms, bytePairTokenizer } from './byte_pair_forms.js';
import { sentencePieceComponents, sentencePieceTokenizer } from './sentence_piece/convert.js';
import { sentencePieceForms } from './sentence_piece/forms.js';
import { tokenizerClass } from './tokenizer_class.js';

const maxFileBytes = 2 ** 24; // the largest published ones have some 5 MB

const bertClasses = ['BertTokenizer', 'DistilBertTokenizer', 'ElectraTokenizer'];
const modelFiles = [
  ...new Set(Object.values(sentencePieceForms).map(({ file }) => file)),
  'spiece.model',
];

/** Tokenizer classes that are read without a tokenizer.json. */
export const tokenizerClasses = [
  ...bertClasses,
  ...Object.keys(bytePairForms),
  ...Object.keys(sentencePieceForms),
];

/** The text of a file; undefined if it is missing or a server sent a page instead. */
async function textOf(source, name) {
  const text = await source.text(name);
  return text === undefined || isHtml(text) ? undefined : text;
}

/** The bytes of a file, as textOf(). */
async function bytesOf(source, name) {
  const file = await source.bytes(name);
  if (file === undefined) return undefined;
  const { size, read } = await byteRanges(file);
  if (size > maxFileBytes) {
    throw new RangeError(`${name} has ${size} bytes; the limit is ${maxFileBytes}`);
  }
  const bytes = await read(0, size);
  return isHtmlBytes(bytes) ? undefined : bytes;
}

/** An object of a JSON file; {} if it is missing. */
async function objectOf(source, name) {
  const value = (await source.json(name)) ?? {};
  if (isObject(value)) return value;
  throw new RangeError(`${name} must be an object`);
}

/** What the classes' special tokens depend on. */
const tokenFiles = async (source, config) => ({
  config,
  map: await objectOf(source, 'special_tokens_map.json'),
  added: await objectOf(source, 'added_tokens.json'),
});

/** use(), whose errors name the file. */
function named(name, use) {
  try {
    return use();
  } catch (cause) {
    throw new RangeError(`${name} cannot be used: ${cause.message}`, { cause });
  }
}

async function readBytePairs(source, config, form) {
  const text = await textOf(source, 'merges.txt');
  const vocab = text === undefined ? undefined : await source.json('vocab.json');
  if (vocab === undefined) return undefined;
  const files = await tokenFiles(source, config);
  return {
    description: named('vocab.json', () => bytePairTokenizer(form, vocab, text, files)),
    file: 'vocab.json',
  };
}

async function readSentencePiece(source, config, form) {
  const bytes = await bytesOf(source, form.file);
  if (bytes === undefined) return undefined;
  const files = await tokenFiles(source, config);
  return {
    description: named(form.file, () => sentencePieceTokenizer(bytes, form, files)),
    components: sentencePieceComponents,
    file: form.file,
  };
}

async function readBert(source, config) {
  const text = await textOf(source, 'vocab.txt');
  return text === undefined
    ? undefined
    : { description: bertTokenizer(text, config), file: 'vocab.txt' };
}

/** Throws if the folder has a vocabulary, of which nothing says how to use it. */
async function refuseUnknown(source, name) {
  for (const file of ['merges.txt', 'vocab.txt']) {
    if ((await textOf(source, file)) !== undefined) refuse(name, file);
  }
  for (const file of modelFiles) {
    if ((await source.bytes(file)) !== undefined) refuse(name, file);
  }
}

function refuse(name, file) {
  throw new RangeError(
    `${file} is of the tokenizer_class '${name.slice(0, 60)}', which needs a tokenizer.json; without one, these are read: ${tokenizerClasses.join(', ')}`,
  );
}

/** { description: a tokenizer.json, components?, file } of a folder; undefined if it has no vocabulary. */
export async function readVocabulary(source, config) {
  const name = tokenizerClass(config, source.config);
  if (name === undefined) return undefined;
  if (bertClasses.includes(name)) return readBert(source, config);
  if (Object.hasOwn(bytePairForms, name)) return readBytePairs(source, config, bytePairForms[name]);
  if (Object.hasOwn(sentencePieceForms, name)) {
    return readSentencePiece(source, config, sentencePieceForms[name]);
  }
  return refuseUnknown(source, name);
}
