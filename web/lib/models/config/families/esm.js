// ESM-2 and ESM-1b (Lin et al., 2022), of protein sequences: BERT with norms before the sublayers, rotary or learned
// positions, and embeddings scaled as if some tokens were masked.
import { rotaryOf } from '../rotary_frequencies.js';
import { roberta } from './roberta.js';

export function esm(c) {
  const isRotary = c.require('position_embedding_type', 'rotary', 'absolute') === 'rotary';
  c.require('is_folding_model', false);
  const { self: stack, ...described } = roberta(c, ['rotary', 'absolute']);
  const { words, positions } = stack.embed;
  const { rotary } = rotaryOf(c, stack.layers, { keyDim: stack.width / stack.heads });
  const dropout = { mask: c.integer('mask_token_id', 32, 0), fraction: 0.15 * 0.8 };
  return {
    ...described,
    prefix: 'esm.',
    self: {
      ...stack,
      ...(isRotary && { maxLength: c.integer('max_position_embeddings') }),
      embed: {
        words,
        ...(!isRotary && { positions }),
        ...(c.flag('emb_layer_norm_before', false) && { norm: 'embeddings.layer_norm' }),
        ...(c.flag('token_dropout', false) && { dropout }),
      },
      weightNames: {
        ...stack.weightNames,
        selfNorm: 'attention.LayerNorm',
        feedForwardNorm: 'LayerNorm',
      },
      norm: 'encoder.emb_layer_norm_after',
      options: { ...stack.options, normFirst: true, ...(isRotary && { rotary }) },
    },
    ignored: isRotary
      ? /contact_head\.|embeddings\.position_embeddings\.weight$/
      : /contact_head\./,
    ignoredFields: ['vocab_list', 'esmfold_config', 'type_vocab_size'],
  };
}
