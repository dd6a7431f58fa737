// Objects with private fields behind a proxy, as Vue's ref() and reactive() make: a sentence that says what to do.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadModel, sweep } from 'attention-wasm/models';
import { loadAttentionPool } from 'attention-wasm/pool';
import { loadTraining } from 'attention-wasm/training';
import { loadTranslator } from 'attention-wasm/translator';
import { byteLevel, withTokens } from '../../support/js/models_with_tokens.js';

const sentence = /is behind a proxy .* markRaw\(\) or shallowRef\(\)$/;
const expected = { name: 'TypeError', message: sentence };

const tensor = (...dims) => ({
  data: Float32Array.from({ length: dims.reduce((a, b) => a * b) }, (_, at) => Math.sin(at)),
  dims,
});
const square = tensor(2, 2);
const weights = { query: square, key: square, value: square, output: square };
const stateOf = (part) => ({
  [`${part}.in_proj_weight`]: tensor(6, 2),
  [`${part}.out_proj.weight`]: square,
});
const encoderState = {
  ...stateOf('self_attn'),
  ...{ 'linear1.weight': square, 'linear2.weight': square },
  ...{ 'norm1.weight': tensor(2), 'norm2.weight': tensor(2) },
};
const decoderState = { ...encoderState, ...stateOf('multihead_attn'), 'norm3.weight': tensor(2) };
const general = {
  self: weights,
  ...{ selfNorm: tensor(2), feedForwardNorm: tensor(2), widen: square, narrow: square },
};
const sizes = { kind: 'decoder', vocabulary: 3, width: 2, layers: 1, heads: 1, context: 4 };

/** Functions that use each method and getter of an object's classes on `receiver`, by name. */
function usesOf(object, receiver) {
  const uses = new Map();
  let prototype = Object.getPrototypeOf(object);
  for (; prototype !== Object.prototype; prototype = Object.getPrototypeOf(prototype)) {
    for (const name of Reflect.ownKeys(prototype)) {
      const { get } = Object.getOwnPropertyDescriptor(prototype, name);
      if (name === 'constructor' || uses.has(name)) continue;
      uses.set(name, get ? () => receiver[name] : () => receiver[name]());
    }
  }
  return uses;
}

describe('an object behind a proxy', () => {
  const objects = {};
  let pool;

  before(async () => {
    pool = await loadAttentionPool({ workers: 2 });
    const api = await loadAttention();
    const { Linear, KeyValueCache, TransformerLayer } = api;
    const { TrainableTransformer } = await loadTraining();
    const source = withTokens('gpt2', 257, byteLevel([]));
    const model = await loadModel(source);
    const layersOf = ({
      MultiHeadAttention,
      TransformerEncoderLayer,
      TransformerDecoderLayer,
    }) => ({
      attention: MultiHeadAttention.fromWeights(weights, { heads: 1 }),
      encoder: TransformerEncoderLayer.fromTorch(encoderState, { heads: 1 }),
      decoder: TransformerDecoderLayer.fromTorch(decoderState, { heads: 1 }),
    });
    const pooled = Object.entries(layersOf(pool)).map(([name, layer]) => [`pooled ${name}`, layer]);
    Object.assign(objects, {
      model,
      tokenizer: model.tokenizer,
      'pooled model': await loadModel(source, { pool }),
      linear: Linear.fromTorch({ weight: square }),
      cache: new KeyValueCache({ keyDim: 2, capacity: 4 }),
      layer: TransformerLayer.fromWeights(general, { heads: 1 }),
      ...layersOf(api),
      ...Object.fromEntries(pooled),
      trainer: new TrainableTransformer(sizes),
      translator: await loadTranslator(),
    });
  });

  after(async () => {
    for (const object of Object.values(objects)) object.delete?.();
    await pool.close();
  });

  it('is refused by every method and getter', async () => {
    for (const [noun, object] of Object.entries(objects)) {
      const uses = usesOf(object, new Proxy(object, {}));
      assert.ok(uses.size > 2, noun);
      for (const [name, use] of uses) {
        await assert.rejects(async () => use(), expected, `${noun}: ${String(name)}`);
      }
    }
  });

  it('is refused where it is an argument', async () => {
    const { model, cache, attention, decoder } = objects;
    const proxy = new Proxy(cache, {});
    await assert.rejects(
      sweep(new Proxy(model, {}), 'a', { edit: () => [], metric: () => 0 }),
      expected,
    );
    assert.throws(() => attention.forward(square, undefined, { cache: proxy }), expected);
    assert.throws(() => attention.forward(square, proxy), expected);
    assert.throws(() => decoder.forward(square, proxy), expected);
  });

  it('is unchanged by that', async () => {
    const { model, linear, translator, trainer } = objects;
    const x = { data: Float32Array.of(1, 0), dims: [1, 2] };
    assert.deepEqual([...linear.forward(x).data], [0, Math.fround(Math.sin(2))]);
    assert.deepEqual(model.run('a').ids, model.tokenizer.encode('a').ids);
    assert.equal(translator.translate('cat', { beam: 1 }).source.text, 'cat');
    assert.deepEqual(trainer.run([1]).logits.dims, [1, 3]);
    assert.deepEqual((await objects['pooled model'].run('a')).ids, model.run('a').ids);
  });
});
