// attention-wasm/models: for each model type, the fields of published configs that are read, refused, and ignored on
// purpose; model.unknownFields names those that are none of these.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { ConfigFields } from '../../../web/lib/models/config/config_fields.js';
import { describeModel, modelTypes } from '../../../web/lib/models/config/families.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { publishedConfigs } from '../../support/js/published_configs.js';
import { seededWeights } from '../../support/js/seeded_weights.js';

/** The fields that a family reads of a config, and those it does not know. */
function fieldsOf(config) {
  const read = new Set();
  const watched = new Proxy(config, {
    getOwnPropertyDescriptor(target, name) {
      read.add(name);
      return Object.getOwnPropertyDescriptor(target, name);
    },
  });
  const c = new ConfigFields(watched);
  const { isIgnored } = describeModel(c);
  const found = [...read];
  return { read: found, unknown: c.unknown(isIgnored) };
}

describe('fields of config.json', () => {
  it('are listed for every model type', () =>
    assert.deepEqual(Object.keys(publishedConfigs).sort(), [...modelTypes].sort()));

  for (const [type, { read, refused, ignored }] of Object.entries(publishedConfigs)) {
    it(`are read, refused or ignored on purpose: ${type}`, () => {
      const config = { model_type: type, ...read, ...ignored };
      const found = fieldsOf(config);
      for (const name of Object.keys(read)) assert.ok(found.read.includes(name), `${name} is read`);
      for (const name of Object.keys(ignored)) {
        assert.ok(!found.read.includes(name) || name in refused, `${name} is not read`);
      }
      assert.deepEqual(found.unknown, []);
      for (const [name, value] of Object.entries(refused)) {
        assert.throws(() => fieldsOf({ ...config, [name]: value }), {
          name: 'RangeError',
          message: new RegExp(`^'${name}' of config\\.json`),
        });
      }
      const { unknown } = fieldsOf({ ...config, new_option: 0, absent: null });
      assert.deepEqual(unknown, ['new_option']);
    });
  }

  it('are named by the model if they are unknown, also inside other fields', async () => {
    const { config } = cases['llama, rope_scaling linear'];
    const source = {
      config: { ...config, b: 1, rope_scaling: { ...config.rope_scaling, a: 2 } },
      weights: seededWeights(cases['llama, rope_scaling linear']),
    };
    const model = await loadModel(source);
    model.delete();
    assert.deepEqual(model.unknownFields.toSorted(), ['b', 'rope_scaling.a']);
    assert.match(
      model.warnings.join(),
      /^config\.json has fields .*: rope_scaling\.a, b; results are/,
    );
    const plain = await loadModel({ ...source, config });
    plain.delete();
    assert.deepEqual([plain.unknownFields, plain.warnings], [[], []]);
  });
});
