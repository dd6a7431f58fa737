// Marian, the architecture of OPUS-MT (Junczys-Dowmunt et al., 2018): BART with sinusoidal positions and no embedding
// norm.
import { encoderDecoderHeads } from '../head_types.js';
import { bartStacks, oldNormFields } from './bart.js';

/** Sinusoidal positions, computed if the file has none: sines in the first half, cosines in the second. */
export const halves = (c) => (side) => ({
  computed: 'halves',
  name: `${side}.embed_positions`,
  count: c.integer('max_position_embeddings'),
});

export function marian(c) {
  const shared = c.flag('share_encoder_decoder_embeddings', true);
  return {
    prefix: 'model.',
    vocabulary: c.integer('vocab_size'),
    decoderVocabulary: c.integer('decoder_vocab_size', c.integer('vocab_size')),
    ...bartStacks(c, { positions: halves(c), separate: !shared }),
    heads: encoderDecoderHeads(c, { bias: 'final_logits_bias' }),
    ignoredFields: oldNormFields,
  };
}
