// attention-wasm/models: the option attentionTerms. Values are those of captures, which edits.test.js compares with float64.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { explainDifference } from '../../support/js/compare.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { seededInput, seededWeights } from '../../support/js/seeded_weights.js';

async function withModel(name, use) {
  const { config } = cases[name];
  const model = await loadModel({ config, weights: seededWeights(cases[name]) });
  try {
    use(model, seededInput(cases[name]));
  } finally {
    model.delete();
  }
}

describe('attentionTerms', () => {
  it('add up to the scores, whose softmax the weights are', () =>
    withModel('deberta-v2', (model, input) => {
      const options = { attentionTerms: true, attentions: true, capture: ['scores'] };
      const { attentionTerms, attentions, captured } = model.run(input, options);
      assert.equal(attentionTerms.length, 2);
      attentionTerms.forEach(({ contentContent, contentPosition, positionContent }, layer) => {
        const { data, dims } = contentContent;
        assert.deepEqual(dims, [2, 10, 10]);
        const scores = data.map((x, at) => x + contentPosition.data[at] + positionContent.data[at]);
        const own = captured.find((one) => one.at === 'scores' && one.layer === layer).tensor;
        assert.equal(explainDifference({ data: scores, dims }, own, 1e-6), '');
        const weights = Float64Array.from(scores, (score, at) => {
          const from = at - (at % 10);
          const powers = scores.slice(from, from + 10).map(Math.exp);
          return Math.exp(score) / powers.reduce((a, b) => a + b);
        });
        const want = { data: weights, dims };
        assert.equal(explainDifference(attentions.self[layer], want, 1e-6), '');
      });
    }));

  it('are those of the requested layers and of the terms that the model has', () =>
    withModel('deberta-v2, one term', (model, input) => {
      const { attentionTerms } = model.run(input, { attentionTerms: [1] });
      assert.equal(attentionTerms.length, 1);
      assert.deepEqual(Object.keys(attentionTerms[0]), ['contentContent', 'positionContent']);
      const capture = ['content_position'];
      assert.throws(() => model.run(input, { capture }), /^RangeError: capture\[0\]\.at/);
      assert.throws(() => model.run(input, { attentionTerms: [2] }), RangeError);
      assert.equal('attentionTerms' in model.run(input, { attentionTerms: false }), false);
    }));

  it('are refused by models that have none', () =>
    withModel('bert, masked words', (model, input) => {
      assert.throws(() => model.run(input, { attentionTerms: true }), {
        name: 'RangeError',
        message: /^attentionTerms needs .* 'bert'/,
      });
      assert.throws(() => model.run(input, { attentionTerms: 'all' }), TypeError);
    }));
});
