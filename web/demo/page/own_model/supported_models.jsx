// Collapsed help text: supported models and files.

import { supportedTypes } from '../../../lib/models/config/supported_types.js';

/** The names of all models: a list of each kind, pictures last. */
const modelNames = () =>
  Object.values(supportedTypes)
    .map((names) => Object.values(names).join(', '))
    .join('; ');

export const SupportedModels = () => (
  <details class="formats">
    <summary>What can be opened</summary>
    <p>
      A trained Transformer as <code>save_pretrained()</code> writes it: <code>config.json</code>,{' '}
      <code>model.safetensors</code> or its shards and their index, <code>tokenizer.json</code> (or
      the files of the tokenizer that it is made from: <code>tokenizer.model</code>,{' '}
      <code>spiece.model</code>, <code>vocab.json</code> with <code>merges.txt</code>,{' '}
      <code>vocab.txt</code>). Without a tokenizer you write ids.
    </p>
    <p>{`${modelNames()} for pictures. Not pickles (.bin), GGUF or ONNX.`}</p>
    <p>
      Of a tokenizer of another kind{' '}
      <code>AutoTokenizer.from_pretrained(folder).save_pretrained(folder)</code> makes
      tokenizer.json; Marian’s and M2M-100’s are in the repositories made for transformers.js.
    </p>
    <p>
      An address is that of the folder, on a server that lets other pages read it, or{' '}
      <code>OWNER/NAME</code> of a repository of the Hugging Face hub. The page connects to that
      server only to fetch the model: the server learns that you fetch it, and none of your texts.
      int8 keeps one byte of each number, for models that have no room otherwise.
    </p>
    <p>
      Files stay on your machine. Nothing is kept for your next visit unless you ask for it; then
      this browser keeps it for this page, until you remove it or clear what pages have stored.
    </p>
  </details>
);
