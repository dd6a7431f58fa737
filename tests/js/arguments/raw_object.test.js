// Objects with private fields behind a proxy, as Vue's ref() and reactive() make: a sentence that says what to do.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadModel } from 'attention-wasm/models';
import { withTokens } from '../../support/js/models_with_tokens.js';

const expected = {
  name: 'TypeError',
  message: /is behind a proxy .* markRaw\(\) or shallowRef\(\)$/,
};

describe('an object behind a proxy', () => {
  it('is refused by its methods: a model', async () => {
    const model = await loadModel(withTokens('gpt2', 13));
    const proxy = new Proxy(model, {});
    for (const use of [
      () => proxy.run({ ids: [1] }),
      () => proxy.generate({ ids: [1] }),
      () => proxy.lens({}),
      () => proxy.attribute({}),
      () => proxy.norms({}),
      () => proxy.delete(),
    ]) {
      assert.throws(use, expected);
    }
    assert.equal(model.run({ ids: [1] }).ids.length, 1);
    model.delete();
  });

  it('is refused by its methods: a layer', async () => {
    const { Linear } = await loadAttention();
    const linear = Linear.fromTorch({ weight: { data: Float32Array.of(2), dims: [1, 1] } });
    const proxy = new Proxy(linear, {});
    const x = { data: Float32Array.of(3), dims: [1, 1] };
    assert.throws(() => proxy.forward(x), expected);
    assert.throws(() => proxy.delete(), expected);
    assert.deepEqual([...linear.forward(x).data], [6]);
    linear.delete();
  });
});
