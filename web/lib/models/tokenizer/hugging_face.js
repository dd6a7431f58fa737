// Tokenizers shared by attention-wasm/translator and attention-wasm/models, built as one file.
/*! @huggingface/tokenizers, Apache License 2.0, https://github.com/huggingface/tokenizers.js */
export { BPE, Tokenizer } from '@huggingface/tokenizers';
