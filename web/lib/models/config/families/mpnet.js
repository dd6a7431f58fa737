// MPNet (Song et al., 2020): BERT with position biases by bucket of distance that all layers share, and no token types.
import { roberta } from './roberta.js';

export function mpnet(c) {
  const { heads, self: stack, ...described } = roberta(c);
  const { types: _, ...embed } = stack.embed;
  // The position of the first token is 2, whatever the padding id is.
  Object.assign(embed.positions, { from: 2, padding: 1 });
  return {
    ...described,
    prefix: 'mpnet.',
    self: {
      ...stack,
      embed,
      weightNames: {
        ...stack.weightNames,
        'self.query': 'attention.attn.q',
        'self.key': 'attention.attn.k',
        'self.value': 'attention.attn.v',
        'self.output': 'attention.attn.o',
        selfNorm: 'attention.LayerNorm',
      },
      shared: { 'self.relativeBias': 'encoder.relative_attention_bias' },
      buckets: c.integer('relative_attention_num_buckets', 32),
      options: {
        ...stack.options,
        relativePositions: { maxDistance: 128, bidirectional: true },
      },
    },
    heads,
  };
}
