// Pegasus (Zhang et al., 2019): mBART with computed positions and no embedding norm.
import { encoderDecoderHeads } from '../head_types.js';
import { bartStacks, oldNormFields } from './bart.js';
import { halves } from './marian.js';

export function pegasus(c) {
  return {
    prefix: 'model.',
    vocabulary: c.integer('vocab_size'),
    ...bartStacks(c, { positions: halves(c), normFirst: true }),
    heads: encoderDecoderHeads(c, { bias: 'final_logits_bias' }),
    ignoredFields: oldNormFields,
  };
}
