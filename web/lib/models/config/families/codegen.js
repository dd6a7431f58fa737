// CodeGen (Nijkamp et al., 2022): GPT-J with query, value and key fused in one matrix, in four groups.
import { causalHeads } from '../head_types.js';
import { gptjStack } from './gptj.js';

export function codegen(c) {
  const fused = (index) => ({ fused: 'attn.qkv_proj', index, of: 3, groups: 4 });
  return {
    prefix: 'transformer.',
    vocabulary: c.integer('vocab_size'),
    self: gptjStack(c, { 'self.query': fused(0), 'self.value': fused(1), 'self.key': fused(2) }),
    heads: causalHeads(c),
    ignored: /(^|\.)attn\.causal_mask$/,
    ignoredFields: ['scale_attn_weights'],
  };
}
