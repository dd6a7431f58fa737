// Pegasus (Zhang et al., 2019): mBART with computed positions and no norm of embeddings.
import { sequenceHeads } from '../heads.js';
import { bartStacks } from './bart.js';
import { halves } from './marian.js';

export function pegasus(c) {
  return {
    prefix: 'model.',
    vocabulary: c.whole('vocab_size'),
    ...bartStacks(c, { positions: halves(c), normFirst: true }),
    heads: sequenceHeads(c, { bias: 'final_logits_bias' }),
  };
}
