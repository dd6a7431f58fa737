// Reads the vocabulary of a folder without tokenizer.json: vocab.txt, vocab.json with merges.txt, or a SentencePiece model.
// The class of the tokenizer says which, and how a text becomes words and a template.
import { messageOf } from '../../../arguments/message_of.js';
import { byteRanges } from '../../../safetensors/byte_ranges.js';
import { isHtml, isHtmlBytes } from '../../sources/file_text.js';
import { isObject } from '../fields.js';
import { bertTokenizer, esmTokenizer } from './bert_vocabulary.js';
import { bytePairForms, bytePairTokenizer } from './byte_pair_forms.js';
import { sentencePieceComponents, sentencePieceTokenizer } from './sentence_piece/convert.js';
import { sentencePieceForms } from './sentence_piece/forms.js';
import { tokenizerClass } from './tokenizer_class.js';

const maxFileBytes = 2 ** 24; // the largest published ones have some 5 MB

/** Functions of the text of vocab.txt and the files of SpecialTokens, by class. */
const wordForms = {
  BertTokenizer: bertTokenizer,
  DistilBertTokenizer: bertTokenizer,
  ElectraTokenizer: bertTokenizer,
  EsmTokenizer: esmTokenizer,
};

/** Tokenizer classes that are read without a tokenizer.json. */
export const tokenizerClasses = [
  ...Object.keys(wordForms),
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
    throw new RangeError(`${name} cannot be used: ${messageOf(cause)}`, { cause });
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

async function readWords(source, config, form) {
  const text = await textOf(source, 'vocab.txt');
  if (text === undefined) return undefined;
  const files = await tokenFiles(source, config);
  return { description: named('vocab.txt', () => form(text, files)), file: 'vocab.txt' };
}

/** @type {[forms: object, read: Function, fileOf: Function][]} */
const readers = [
  [wordForms, readWords, () => 'vocab.txt'],
  [bytePairForms, readBytePairs, () => 'vocab.json or merges.txt'],
  [sentencePieceForms, readSentencePiece, ({ file }) => file],
];

/** { description: a tokenizer.json, components?, file } of a folder, or { missing }: what it lacks, as a part of a sentence. */
export async function readVocabulary(source, config) {
  const name = tokenizerClass(config, source.config);
  if (name === undefined) {
    return { missing: 'tokenizer.json is missing, and no file names a tokenizer_class' };
  }
  for (const [forms, read, fileOf] of readers) {
    if (!Object.hasOwn(forms, name)) continue;
    const found = await read(source, config, Reflect.get(forms, name));
    if (found !== undefined) return found;
    return {
      missing: `tokenizer.json is missing, and so is ${fileOf(Reflect.get(forms, name))} of ${name}`,
    };
  }
  return {
    missing: `tokenizer.json is missing; without one, the tokenizer_class '${name.slice(0, 60)}' is not read, but these: ${tokenizerClasses.join(', ')}`,
  };
}
