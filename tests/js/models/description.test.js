// model.description of every model type: what the papers and configs say that it computes.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { modelTypes } from '../../../web/lib/models/config/families.js';
import { factsOf, typesWithFacts } from '../../support/js/model_facts.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { nnTransformer } from '../../support/js/nn_transformer_case.js';
import { seededWeights } from '../../support/js/seeded_weights.js';

const normFirst = { ...nnTransformer.config, norm_first: true };
const all = {
  ...cases,
  nn_transformer: nnTransformer,
  'nn_transformer, norm_first': { ...nnTransformer, config: normFirst },
};

async function descriptionOf({ config, ...one }) {
  const model = await loadModel({ config, weights: seededWeights(one) });
  const { description } = model;
  model.delete();
  return description;
}

/** Numbers to nine digits: what the library computes in another order differs in the last bits. */
const rounded = (facts) =>
  JSON.parse(
    JSON.stringify(facts, (_, value) =>
      typeof value === 'number' ? Number(value.toPrecision(9)) : value,
    ),
  );

/** Facts of the stack that hold for all layers. */
function ofStack({ norm, norms, epsilon, normBias, normOffset, finalNorm, ...rest }) {
  const { queryKeyNorm, parallel, activation, gated, residualScale, softcap } = rest;
  return {
    ...{ norm, norms, epsilon, normBias, normOffset, finalNorm },
    ...{ queryKeyNorm, parallel, activation, gated, residualScale, softcap },
  };
}

const ofLayer = ({ norms, window, rotary, softcap, slopes }) => ({
  ...{ norms, window, rotary, softcap, slopes: slopes?.length },
});

describe('the description', () => {
  it('has expected facts and a tiny model for every model type', () => {
    assert.deepEqual(typesWithFacts.toSorted(), modelTypes.toSorted());
    const types = new Set(Object.values(all).map(({ config }) => config.model_type));
    assert.deepEqual([...types].sort(), modelTypes.toSorted());
  });

  for (const [name, one] of Object.entries(all)) {
    it(`says what the model computes: ${name}`, async () => {
      const description = await descriptionOf(one);
      const expected = factsOf(one.config);
      assert.deepEqual(Object.keys(description), Object.keys(expected));
      for (const [stack, { layer = () => ({}), ...facts }] of Object.entries(expected)) {
        const { layers, ...found } = description[stack];
        assert.deepEqual(rounded(ofStack(found)), rounded(ofStack(facts)), stack);
        layers.forEach((foundLayer, n) => {
          const own = { norms: facts.norms, ...layer(n) };
          assert.deepEqual(rounded(ofLayer(foundLayer)), rounded(own), `${stack} ${n}`);
        });
      }
    });
  }

  it('is plain data, the same for a model on a pool', async () => {
    const { loadAttentionPool } = await import('attention-wasm/pool');
    const pool = await loadAttentionPool({ workers: 1 });
    try {
      const { config, ...rest } = cases.gemma2;
      const model = await loadModel({ config, weights: seededWeights(rest) }, { pool });
      assert.deepEqual(structuredClone(model.description), await descriptionOf(cases.gemma2));
      model.delete();
    } finally {
      await pool.close();
    }
  });

  it('has the rotation of each layer type of rope_parameters', async () => {
    const { config, ...rest } = cases.gemma3_text;
    const { rope_theta: _, rope_local_base_freq: __, ...others } = config;
    const byLayer = {
      ...others,
      layer_types: ['sliding_attention', 'full_attention', 'sliding_attention'],
      rope_parameters: {
        full_attention: { rope_type: 'linear', factor: 8, rope_theta: 1000 },
        sliding_attention: { rope_type: 'default', rope_theta: 10 },
      },
    };
    const { layers } = (await descriptionOf({ config: byLayer, ...rest })).self;
    const found = layers.map(({ rotary: { theta, scaling, frequencies } }) => ({
      ...{ theta, scaling, frequencies },
    }));
    const local = { theta: 10, scaling: undefined, frequencies: [1, 10 ** -0.5] };
    const scaling = { type: 'linear', factor: 8 };
    const global = { theta: 1000, scaling, frequencies: [1 / 8, 1000 ** -0.5 / 8] };
    assert.deepEqual(rounded(found), rounded([local, global, local]));
  });
});
