// The files of a trained model, as attention-wasm/models and transformers read them.

import { writeSafetensors } from 'attention-wasm/safetensors';

/** tokenizer.json for tokens of one character; longer ones are special tokens such as <s>. */
const tokenizerOf = (tokens) => ({
  added_tokens: tokens
    .map((content, id) => ({ id, content, special: true, normalized: false }))
    .filter(({ content }) => [...content].length > 1),
  normalizer: null,
  pre_tokenizer: null,
  post_processor: null,
  decoder: { type: 'Fuse' },
  model: {
    type: 'BPE', // without merges: each character is a token
    vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
    merges: [],
    unk_token: null,
  },
});

/**
 * Files of the result of save(): { file name: text or bytes }. `ends`: the first token, which begins what a decoder
 * writes, also ends it.
 */
export function filesOf({ config, weights }, { name, tokens, ends }) {
  const named = {
    ...config,
    ...(config.is_encoder_decoder && { decoder_start_token_id: 0 }),
    ...(ends && { eos_token_id: 0 }),
    _name_or_path: name,
  };
  return {
    'config.json': JSON.stringify(named, null, 2),
    'model.safetensors': writeSafetensors(weights),
    'tokenizer.json': JSON.stringify(tokenizerOf(tokens), null, 2),
  };
}
