// attention-wasm/models: loadModel() checks every dim of every tensor of every model of the fixture, under all accepted
// names.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { cases } from '../../support/js/models_with_tokens.js';
import { seededInput, seededWeights } from '../../support/js/seeded_weights.js';

const sourceOf = (name, more) => ({
  config: { ...cases[name].config, ...more },
  weights: seededWeights(cases[name]),
});
const empty = (dims, type = 'float32') => {
  const count = dims.reduce((product, dim) => product * dim, 1);
  const data = type === 'float32' ? new Float32Array(count) : new Uint16Array(count);
  return { data, dims, type };
};

async function run(source, input, options) {
  const model = await loadModel(source);
  try {
    return model.run(input, options);
  } finally {
    model.delete();
  }
}

// Classification heads may have any number of classes.
const isFree = (name, axis) =>
  axis === 0 &&
  /^(\w+\.)?(classifier|score|qa_outputs|(classifier|classification_head)\.out_proj)\.weight$/.test(
    name,
  );
const isUnused = (name) =>
  /position_ids$|\.attn\.(masked_)?bias$|seq_relationship|sop_classifier|mask_token|predictions\.decoder\./.test(
    name,
  );

describe('dims of tensors', () => {
  for (const name of Object.keys(cases)) {
    it(`are those of the config: ${name}`, async () => {
      const { config, weights } = sourceOf(name);
      for (const [tensor, { dims, type }] of weights) {
        if (isUnused(tensor)) continue;
        for (const axis of dims.keys()) {
          if (isFree(tensor, axis)) continue;
          const other = dims.map((dim, n) => (n === axis ? dim + 1 : dim));
          const changed = new Map(weights).set(tensor, empty(other, type));
          const loading = loadModel({ config, weights: changed });
          await assert.rejects(loading, RangeError, `${tensor} ${other}`);
        }
      }
    });
  }

  it('may have leading dims of 1 only', async () => {
    const name = 'bert.encoder.layer.0.attention.self.query.weight';
    const loading = (change) => {
      const { config, weights } = sourceOf('bert, classes');
      weights.set(name, change(weights.get(name)));
      return run({ config, weights }, cases['bert, classes'].input);
    };
    const want = await loading((tensor) => tensor);
    assert.deepEqual(await loading((tensor) => ({ ...tensor, dims: [1, 1, 8, 8] })), want);
    for (const dims of [[8, 8, 1], [64], [2, 4, 8], [1, 64], [4, 16]]) {
      const refused = loading((tensor) => ({ ...tensor, dims }));
      await assert.rejects(refused, { name: 'RangeError', message: new RegExp(name) });
    }
    for (const dims of [[-8, -8], [1.5, 2], ['8', 8], 2, undefined]) {
      const refused = loading((tensor) => ({ ...tensor, dims }));
      await assert.rejects(refused, { name: 'TypeError', message: new RegExp(name) });
    }
  });

  it('of a table with a single row are [1, width]', async () => {
    const { config, weights } = sourceOf('bert, classes');
    const name = 'bert.embeddings.token_type_embeddings.weight';
    weights.set(name, empty([1, 8]));
    const one = { config: { ...config, type_vocab_size: 1 }, weights };
    assert.ok((await run(one, { ids: [1] })).hidden);
    await assert.rejects(run(one, { ids: [1], typeIds: [1] }), /typeIds\[0\]/);
  });

  it('of position tables match the patches, also of images that are not square', async () => {
    const { config, weights } = sourceOf('vit', { image_size: [17, 8], patch_size: 4 });
    const name = 'vit.embeddings.position_embeddings';
    const of = (count) => ({ config, weights: new Map(weights).set(name, empty([1, count, 8])) });
    const pixels = { data: new Float32Array(2 * 17 * 8), dims: [2, 17, 8] };
    assert.deepEqual((await run(of(9), { pixels })).grid, [4, 2]);
    const names = { name: 'RangeError', message: new RegExp(name) };
    await assert.rejects(run(of(8), { pixels }), names);
  });

  it('of heads divide the width, and heads of keys those of queries', async () => {
    for (const [name, field, count] of [
      ['bert, classes', 'num_attention_heads', 3],
      ['llama', 'num_key_value_heads', 3],
    ]) {
      await assert.rejects(loadModel(sourceOf(name, { [field]: count })), /heads/);
    }
  });

  it('of a masked-language-modeling head match the embedding width', async () => {
    const { config, weights } = sourceOf('bert, masked words');
    const at = 'cls.predictions.transform.';
    weights.set(`${at}dense.weight`, empty([9, 8])).set(`${at}dense.bias`, empty([9]));
    for (const name of weights.keys()) {
      if (name.startsWith(`${at}LayerNorm`)) weights.set(name, empty([9]));
    }
    await assert.rejects(loadModel({ config, weights }), /dense\.weight/);
  });
});

describe('biases', () => {
  const ofQueries = /attention\.(query|key|value)\.bias$/;
  for (const [name, more, biases] of [
    ['vit', { qkv_bias: false }, ofQueries],
    ['dinov2', { qkv_bias: false }, ofQueries],
    ['gpt_neox', { attention_bias: false }, /attention\.(query_key_value|dense)\.bias$/],
    ['llama', { attention_bias: false, mlp_bias: false }, /_proj\.bias$/],
  ]) {
    it(`are absent if the config says so: ${name}`, async () => {
      const { config, weights } = sourceOf(name, more);
      const bare = new Map([...weights].filter(([tensor]) => !biases.test(tensor)));
      assert.ok((await run({ config, weights: bare }, seededInput(cases[name]))).hidden);
      if (bare.size < weights.size)
        await assert.rejects(loadModel({ config, weights }), RangeError);
    });
  }

  it('are required if the config says so', () =>
    assert.rejects(loadModel(sourceOf('qwen3', { attention_bias: true })), /_proj\.bias/));
});

describe('heads', () => {
  const logitsOf = async (source) => (await run(source, { ids: [1, 2, 3] })).logits?.dims;

  it('are the first complete one; tensors of others are ignored', async () => {
    const { config, weights } = sourceOf('bert, classes');
    const [classes] = weights.get('classifier.weight').dims;
    const bare = new Map([...weights].filter(([name]) => !name.includes('pooler')));
    const both = new Map(weights);
    both.set('qa_outputs.weight', empty([2, 8])).set('qa_outputs.bias', empty([2]));
    assert.deepEqual(await logitsOf({ config, weights }), [classes]);
    assert.deepEqual(await logitsOf({ config, weights: bare }), [3, classes]);
    assert.deepEqual(await logitsOf({ config, weights: both }), [3, 2]);
  });

  it('for language modeling are stored, tied or absent, with a warning if the config names one', async () => {
    const without = (more) => {
      const { config, weights } = sourceOf('llama', { tie_word_embeddings: false, ...more });
      weights.delete('lm_head.weight');
      return { config, weights };
    };
    assert.deepEqual(await logitsOf(sourceOf('llama')), [3, 11]);
    assert.equal(await logitsOf(without({ architectures: undefined })), undefined);
    assert.deepEqual(await logitsOf(without({ tie_word_embeddings: true })), [3, 11]);
    // Embedding models made of causal ones, such as Qwen3-Embedding-8B.
    const named = without({ architectures: ['LlamaForCausalLM'] });
    for (const options of [{}, { pooling: true }]) {
      const model = await loadModel(named, options);
      const { logits, hidden } = model.run({ ids: [1, 2, 3] });
      assert.deepEqual([logits, hidden.dims], [undefined, [3, 8]]);
      assert.match(
        model.warnings.join(),
        /^the model has no head: config\.json names LlamaForCausalLM .* no 'lm_head\.weight'$/,
      );
      assert.throws(() => model.generate({ ids: [1] }), /no language-modeling head/);
      model.delete();
    }
    const unnamed = await loadModel(without({ architectures: ['LlamaModel'] }));
    unnamed.delete();
    assert.deepEqual(unnamed.warnings, []);
  });

  it('for classification use the last end token, or the last token', async () => {
    const { ids } = { ids: [5, 6, 7, 8] };
    const logits = async (end) =>
      (await run(sourceOf('bart, classes', { eos_token_id: end }), { ids })).logits;
    const last = await logits(8);
    assert.deepEqual(await logits(9), last);
    assert.deepEqual(await logits([6, 8]), last);
    assert.notDeepEqual(await logits(6), last);
  });

  // shift_tokens_right() of Hugging Face transformers: BART puts the start token first, mBART the last token of the text
  // that is no padding, its language code.
  it('for questions and classes read the text shifted right in the decoder', async () => {
    const ids = [4, 9, 7, 3, 1];
    for (const [name, first] of [
      ['bart', 2],
      ['mbart', 3],
    ]) {
      const source = sourceOf(name);
      source.weights.set('qa_outputs.weight', {
        data: Float32Array.from({ length: 16 }, (_, n) => Math.sin(n)),
        dims: [2, 8],
      });
      source.weights.set('qa_outputs.bias', empty([2]));
      const result = await run(source, { ids });
      assert.deepEqual(result.decoderIds, [first, 4, 9, 7, 3], name);
      assert.deepEqual(result.logits.dims, [5, 2]);
      const own = await run(source, { ids, decoderIds: [first, 4, 9, 7, 3] });
      assert.deepEqual(result.logits, own.logits);
    }
    const { decoderIds } = await run(sourceOf('bart, classes'), { ids });
    assert.deepEqual(decoderIds, [2, 4, 9, 7, 3]);
  });
});

describe('names of tensors', () => {
  const found = cases['bert, masked words'];
  const renamed = (change) => ({
    config: found.config,
    weights: new Map([...seededWeights(found)].map(([name, tensor]) => [change(name), tensor])),
  });

  it('may have any prefix of a base model', async () => {
    const want = await run(renamed(String), seededInput(found));
    for (const prefix of ['', 'model.', 'transformer.', 'model.bert.']) {
      const source = renamed((name) => name.replace(/^bert\./, prefix));
      assert.deepEqual(await run(source, seededInput(found)), want, prefix);
    }
    const source = renamed((name) => name.replace(/^bert\./, 'model.transformer.'));
    await assert.rejects(loadModel(source), RangeError);
  });

  it('may be gamma and beta in norms alone', async () => {
    const source = renamed((name) => name.replace('query.weight', 'query.gamma'));
    await assert.rejects(loadModel(source), /query\.weight/);
  });

  it('that are unexpected are an error with up to three names', async () => {
    const others = async (count) => {
      const { config, weights } = renamed(String);
      weights.set('bert.embeddings.position_ids', empty([1]));
      for (let n = 0; n < count; n++) weights.set(`t${n}`, empty([1]));
      const { message } = await run({ config, weights }, seededInput(found)).catch((e) => e);
      return message?.match(/with this config\.json: (.*)$/)[1];
    };
    assert.equal(await others(0), undefined);
    assert.equal(await others(1), "'t0'");
    assert.equal(await others(3), "'t0', 't1', 't2'");
    assert.equal(await others(4), "'t0', 't1', 't2' and 1 more");
  });
});
