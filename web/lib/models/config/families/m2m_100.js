// M2M-100 and NLLB (Fan et al., 2020): mBART with computed positions that start after the padding index, and no
// embedding norm.
import { encoderDecoderHeads } from '../head_types.js';
import { bartStacks, oldNormFields } from './bart.js';

export function m2m100(c) {
  const padding = c.integer('pad_token_id', 1, 0);
  const positions = () => ({ computed: 'fairseq', from: padding + 1, padding });
  return {
    prefix: 'model.',
    vocabulary: c.integer('vocab_size'),
    ...bartStacks(c, { positions, normFirst: true }),
    heads: encoderDecoderHeads(c, {}),
    ignoredFields: ['max_position_embeddings', ...oldNormFields],
  };
}
