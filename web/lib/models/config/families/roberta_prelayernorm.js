// RoBERTa-PreLayerNorm (Ott et al., 2019): RoBERTa with norms before the sublayers and after the last layer.
import { roberta } from './roberta.js';

export function robertaPrelayernorm(c) {
  const described = roberta(c);
  const stack = described.self;
  return {
    ...described,
    prefix: 'roberta_prelayernorm.',
    self: {
      ...stack,
      weightNames: {
        ...stack.weightNames,
        selfNorm: 'attention.LayerNorm',
        feedForwardNorm: 'intermediate.LayerNorm',
      },
      norm: 'LayerNorm',
      options: { ...stack.options, normFirst: true },
    },
  };
}
