// StarCoder and SantaCoder (Li et al., 2023): GPT-2 whose heads share one key/value head, with matrices out × in.
import { causalHeads } from '../head_types.js';
import { gpt2 } from './gpt2.js';

export function gptBigcode(c) {
  const described = gpt2(c);
  const { heads, weightNames } = described.self;
  const isMultiQuery = c.flag('multi_query', true);
  const fused = (index, units) =>
    isMultiQuery
      ? { fused: 'attn.c_attn', index, units, of: heads + 2 }
      : { fused: 'attn.c_attn', index: index === 0 ? 0 : index - heads + 1, of: 3, groups: heads };
  return {
    ...described,
    self: {
      ...described.self,
      kvHeads: isMultiQuery ? 1 : heads,
      inByOut: false,
      weightNames: {
        ...weightNames,
        'self.query': fused(0, heads),
        'self.key': fused(heads, 1),
        'self.value': fused(heads + 1, 1),
      },
      options: {
        ...described.self.options,
        activation: c.activation('activation_function', 'gelu_pytorch_tanh'),
      },
      optionsOf: undefined,
    },
    heads: causalHeads(c),
    ignoredFields: [
      ...['attention_softmax_in_fp32', 'scale_attention_softmax_in_fp32', 'inference_runner'],
      ...['max_batch_size', 'max_sequence_length', 'pad_key_length', 'pre_allocate_kv_cache'],
      ...['validate_runner_input', 'attn_impl', 'reorder_and_upcast_attn'],
    ],
  };
}
