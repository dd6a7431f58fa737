// mBART and mBART-50 (Liu et al., 2020): BART with the norm before each part and one more behind each stack.
import { sequenceHeads } from '../heads.js';
import { bartStacks, learned } from './bart.js';

export function mbart(c) {
  return {
    prefix: 'model.',
    vocabulary: c.whole('vocab_size'),
    ...bartStacks(c, { positions: learned(c), normFirst: true, embedNorm: true }),
    heads: sequenceHeads(c, { bias: 'final_logits_bias' }),
  };
}
