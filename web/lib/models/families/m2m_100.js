// M2M-100 and NLLB (Fan et al., 2020): mBART with computed positions that count from behind the padding, and no norm
// of embeddings.
import { sequenceHeads } from '../heads.js';
import { bartStacks } from './bart.js';

export function m2m100(c) {
  const padding = c.whole('pad_token_id', 1, 0);
  const positions = () => ({ computed: 'fairseq', from: padding + 1, padding });
  return {
    prefix: 'model.',
    vocabulary: c.whole('vocab_size'),
    ...bartStacks(c, { positions, normFirst: true }),
    heads: sequenceHeads(c, {}),
  };
}
