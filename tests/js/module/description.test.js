// Names that the module describes, and their other copies: the types of the manual, and what JavaScript adds to them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { ConfigFields } from '../../../web/lib/models/config/config_fields.js';
import { axesOf } from '../../../web/lib/models/inside/hook_points.js';
import { root } from '../../support/js/package.js';

const api = await loadAttention();
const { enums } = api[Symbol.for('attention-wasm')].heap;
const namesOf = (type) => Object.keys(enums[type]);

/** Names between quotes in the first match of a pattern in a declaration. */
function quoted(file, pattern) {
  const [, text] = pattern.exec(readFileSync(join(root, 'web/lib/types', file), 'utf8'));
  return Array.from(text.matchAll(/['`](\w+)['`]/g), ([, name]) => name);
}

describe('names that the module describes', () => {
  it('are the types of the manual', () => {
    const { precomputed: _, ...similarities } = enums.Similarity;
    const layerTypes = 'layers/transformer_layer.d.ts';
    for (const [type, file, pattern, expected = namesOf(type)] of [
      ['Activation', layerTypes, /activation\?: (.*);/],
      ['Activation', 'models.d.ts', /readonly activation: (.*);/],
      [
        'Similarity',
        'attention/kernel_attention.d.ts',
        /type Similarity =([^;]*)/,
        Object.keys(similarities),
      ],
      ['FeatureMap', 'attention/linear_attention.d.ts', /type FeatureMap = (.*);/],
      ['Stage', 'attention/scaled_dot_product.d.ts', /type ScoreStage = (.*);/],
      ['NumberType', 'layers/linear.d.ts', /type\?: (.*);/],
    ]) {
      assert.deepEqual(quoted(file, pattern), expected, `${type} in ${file}`);
    }
    const only = quoted('models.d.ts', /type HookPoint =([^;]*)/);
    const editable = quoted('models.d.ts', /type EditableHookPoint =([^;]*)/);
    assert.deepEqual([...editable, ...only], namesOf('HookPoint'));
    const table = quoted('models.d.ts', /( \* \| `resid_pre`[^]*?)\n \*\//);
    assert.deepEqual(
      table.filter((name) => namesOf('HookPoint').includes(name)),
      namesOf('HookPoint'),
    );
  });

  it('are the stages of scores that a call accepts', () => {
    const x = { data: new Float32Array(1), dims: [1, 1] };
    assert.throws(() => api.attention(x, x, x, { scores: 'none' }), {
      message: `scores must be ${namesOf('Stage')
        .map((name) => `'${name}', `)
        .join('')
        .slice(0, -2)} or false, found 'none'`,
    });
  });

  it('are the hook points whose axes JavaScript knows', () => {
    for (const name of namesOf('HookPoint')) assert.ok(axesOf(name).length >= 1, name);
  });

  it('are the activations of layers that a config names', () => {
    const c = new ConfigFields({ x: 'none' });
    let spellings;
    assert.throws(
      () => c.activation('x'),
      ({ message }) => {
        spellings = /one of (.*), found/.exec(message)[1].split(', ');
        return true;
      },
    );
    const names = spellings.map((x) => new ConfigFields({ x }).activation('x'));
    assert.deepEqual([...new Set(names)].sort(), namesOf('Activation').sort());
  });
});
