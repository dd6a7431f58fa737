// Checkpoints of nn.Transformer against a float64 oracle of its layers: embeddings times √d_model plus sines and cosines,
// encoder, decoder, and logits by the embedding table.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { nnTransformer } from '../../support/js/nn_transformer_case.js';
import { linear, transposed } from '../../support/js/oracle_multi_head.js';
import {
  norm,
  oracleDecoderLayer,
  oracleEncoderLayer,
} from '../../support/js/oracle_transformer.js';
import { seededWeights } from '../../support/js/seeded_weights.js';

const { config } = nnTransformer;
const { d_model: width } = config;
const weights = seededWeights(nnTransformer);
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
      const { ids, decoderIds } = nnTransformer.input;
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
