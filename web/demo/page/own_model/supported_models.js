// Collapsed help text: supported models and files.

import { supportedTypes } from '../../../lib/models/config/supported_types.js';
import { element } from '../element.js';

const code = (text) => element('code', {}, text);

/** The names of all models: a list of each kind, pictures last. */
const modelNames = () =>
  Object.values(supportedTypes)
    .map((names) => Object.values(names).join(', '))
    .join('; ');

export const supportedModels = () =>
  element(
    'details',
    { class: 'formats' },
    element('summary', {}, 'What can be opened'),
    element(
      'p',
      {},
      'A trained Transformer as ',
      code('save_pretrained()'),
      ' writes it: ',
      code('config.json'),
      ', ',
      code('model.safetensors'),
      ' or its shards and their index, ',
      code('tokenizer.json'),
      ' (or the files of the tokenizer that it is made from: ',
      code('tokenizer.model'),
      ', ',
      code('spiece.model'),
      ', ',
      code('vocab.json'),
      ' with ',
      code('merges.txt'),
      ', ',
      code('vocab.txt'),
      '). Without a tokenizer you write ids.',
    ),
    element('p', {}, `${modelNames()} for pictures. Not pickles (.bin), GGUF or ONNX.`),
    element(
      'p',
      {},
      'Of a tokenizer of another kind ',
      code('AutoTokenizer.from_pretrained(folder).save_pretrained(folder)'),
      ' makes tokenizer.json; Marian’s and M2M-100’s are in the repositories made for transformers.js.',
    ),
    element(
      'p',
      {},
      'An address is that of the folder, on a server that lets other pages read it, or ',
      code('OWNER/NAME'),
      ' of a repository of the Hugging Face hub. The page connects to that server only to fetch the model: ',
      'the server learns that you fetch it, and none of your texts. ',
      'int8 keeps one byte of each number, for models that have no room otherwise.',
    ),
    element(
      'p',
      {},
      'Files stay on your machine. Nothing is kept for your next visit unless you ask for it; ',
      'then this browser keeps it for this page, until you remove it or clear what pages have stored.',
    ),
  );
