// The tokenizers that translator and models share, in a file of their own: a page that uses both has them once.
/*! @huggingface/tokenizers, Apache License 2.0, https://github.com/huggingface/tokenizers.js */
export { Tokenizer } from '@huggingface/tokenizers';
