// mBART and mBART-50 (Liu et al., 2020): BART with pre-norm layers and a final norm after each stack.
import { encoderDecoderHeads } from '../head_types.js';
import { bartStacks, learned, oldNormFields } from './bart.js';

export function mbart(c) {
  return {
    prefix: 'model.',
    vocabulary: c.integer('vocab_size'),
    ...bartStacks(c, { positions: learned(c), normFirst: true, embedNorm: true }),
    heads: encoderDecoderHeads(c, { bias: 'final_logits_bias' }),
    shiftsLast: true, // the language code at the end of a text comes first when it is shifted right
    ignoredFields: oldNormFields,
  };
}
