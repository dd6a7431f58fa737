// Checkpoints of nn.Transformer against a float64 oracle of its layers: embeddings times √d_model plus sines and cosines,
// encoder, decoder, and logits by the embedding table.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { linear, transposed } from '../../support/js/oracle_multi_head.js';
import {
  norm,
  oracleDecoderLayer,
  oracleEncoderLayer,
} from '../../support/js/oracle_transformer.js';
import { seededWeights } from '../../support/js/seeded_weights.js';

const [width, hidden, vocabulary] = [8, 6, 7];
const config = {
  model_type: 'nn_transformer',
  ...{ vocab_size: vocabulary, d_model: width, nhead: 2, dim_feedforward: hidden },
  ...{ num_encoder_layers: 2, num_decoder_layers: 1, tie_word_embeddings: true },
  ...{ pad_token_id: 0, decoder_start_token_id: 1, eos_token_id: 2 },
};

const normShapes = (name) => ({ [`${name}.weight`]: [width], [`${name}.bias`]: [width] });
const attentionShapes = (name) => ({
  [`${name}.in_proj_weight`]: [3 * width, width],
  [`${name}.in_proj_bias`]: [3 * width],
  [`${name}.out_proj.weight`]: [width, width],
  [`${name}.out_proj.bias`]: [width],
});
const layerShapes = (prefix, attentions) => ({
  ...Object.assign({}, ...attentions.map((name) => attentionShapes(prefix + name))),
  [`${prefix}linear1.weight`]: [hidden, width],
  [`${prefix}linear1.bias`]: [hidden],
  [`${prefix}linear2.weight`]: [width, hidden],
  [`${prefix}linear2.bias`]: [width],
  ...Object.assign({}, ...[0, ...attentions].map((_, n) => normShapes(`${prefix}norm${n + 1}`))),
});
const weights = seededWeights({
  shapes: {
    'embedding.weight': [vocabulary, width],
    ...layerShapes('transformer.encoder.layers.0.', ['self_attn']),
    ...layerShapes('transformer.encoder.layers.1.', ['self_attn']),
    ...normShapes('transformer.encoder.norm'),
    ...layerShapes('transformer.decoder.layers.0.', ['self_attn', 'multihead_attn']),
    ...normShapes('transformer.decoder.norm'),
  },
});
const state = Object.fromEntries(weights);

function embedded(ids) {
  const { data } = state['embedding.weight'];
  const numbers = ids.flatMap((id, at) =>
    Array.from({ length: width }, (_, c) => {
      const angle = at / 10000 ** (Math.floor(c / 2) / (width / 2));
      const position = c % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
      return data[id * width + c] * Math.sqrt(width) + position;
    }),
  );
  return { dims: [ids.length, width], data: Float64Array.from(numbers) };
}

function expectedLogits(ids, decoderIds, normFirst) {
  const construct = (prefix) => ({ heads: 2, normFirst, prefix: `transformer.${prefix}` });
  const finalNorm = (x, side) => {
    const at = (name) => state[`transformer.${side}.norm.${name}`];
    return norm('layer', x, at('weight'), at('bias'), 1e-5);
  };
  let memory = embedded(ids);
  for (const n of [0, 1]) {
    memory = oracleEncoderLayer(state, construct(`encoder.layers.${n}.`), memory).output;
  }
  memory = finalNorm(memory, 'encoder');
  const first = construct('decoder.layers.0.');
  const { output } = oracleDecoderLayer(state, first, embedded(decoderIds), memory, {
    causal: true,
  });
  return linear(finalNorm(output, 'decoder'), transposed(state['embedding.weight'])).data;
}

describe('nn.Transformer', () => {
  for (const normFirst of [false, true]) {
    it(`gives the logits of its formulas, norm_first ${normFirst}`, async () => {
      const [ids, decoderIds] = [
        [3, 4, 6, 2],
        [1, 5, 3],
      ];
      // The default is false.
      const flag = normFirst && { norm_first: true };
      const model = await loadModel({ config: { ...config, ...flag }, weights });
      const { data } = model.run({ ids, decoderIds }, { logits: true }).logits;
      const expected = expectedLogits(ids, decoderIds, normFirst);
      assert.equal(data.length, expected.length);
      data.forEach((logit, n) => assert.ok(Math.abs(logit - expected[n]) < 1e-5, `${n}: ${logit}`));
      model.delete();
    });
  }
});
