// Marian, as the OPUS-MT models have it (Junczys-Dowmunt et al., 2018): BART with the sines and cosines of the
// first Transformer for positions, and no norm of embeddings.
import { sequenceHeads } from '../heads.js';
import { bartStacks } from './bart.js';

/** Positions that are computed where the file has none: sines in the first half, cosines in the second. */
export const halves = (c) => (side) => ({
  computed: 'halves',
  name: `${side}.embed_positions`,
  count: c.whole('max_position_embeddings'),
});

export function marian(c) {
  const shared = c.flag('share_encoder_decoder_embeddings', true);
  return {
    prefix: 'model.',
    vocabulary: c.whole('vocab_size'),
    decoderVocabulary: c.whole('decoder_vocab_size', c.whole('vocab_size')),
    ...bartStacks(c, { positions: halves(c), separate: !shared }),
    heads: sequenceHeads(c, { bias: 'final_logits_bias' }),
  };
}
