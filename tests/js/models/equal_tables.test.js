// attention-wasm/models: token embeddings that a file has under several names: each use has its own, equal ones are one
// table; biases of language-modeling heads; and the position at which a decoder classifies.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { explainBitDifference, explainDifference } from '../../support/js/compare.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { seededInput, seededNumbers, seededWeights } from '../../support/js/seeded_weights.js';

/** A case whose config and weights are changed. */
function sourceOf(name, change = () => {}, more = {}) {
  const weights = seededWeights(cases[name]);
  change(weights);
  return { config: { ...cases[name].config, ...more }, weights };
}

async function run(source, input) {
  const model = await loadModel(source);
  try {
    return { ...model.run(input), bytes: model.memoryBytes };
  } finally {
    model.delete();
  }
}

const other = (name, dims) => ({
  data: Float32Array.from(
    seededNumbers(
      name,
      dims.reduce((a, b) => a * b),
    ),
  ),
  dims,
});

/** hidden · tableᵀ · scale + bias, in float64. */
function logitsOf({ data: x, dims: [n, d] }, { data: table, dims: [rows] }, { scale = 1, bias }) {
  const data = Float64Array.from({ length: n * rows }, (_, at) => {
    const [row, token] = [Math.floor(at / rows), at % rows];
    let sum = bias?.data[token] ?? 0;
    for (let c = 0; c < d; c++) sum += scale * x[row * d + c] * table[token * d + c];
    return sum;
  });
  return { data, dims: [n, rows] };
}

// name, the head's own table and bias, config, scale of its input
const heads = [
  ['llama, bfloat16, tied', 'lm_head', { tie_word_embeddings: true }],
  ['gpt2', 'lm_head', {}],
  ['gpt_neo', 'lm_head', {}],
  ['bart', 'lm_head', {}],
  ['t5', 'lm_head', {}, 8 ** -0.5],
  ['bert, masked words', 'cls.predictions.decoder', {}],
];

// The head's name for the table of the input, _tied_weights_keys of Hugging Face transformers.
const sharedNames = {
  'lm_head.decoder': ['roberta, masked words', 'camembert', 'roberta-prelayernorm', 'mpnet', 'esm'],
  'cls.predictions.decoder': ['bert, masked words', 'deberta-v2'],
  'predictions.decoder': ['albert'],
  vocab_projector: ['distilbert, masked words'],
  generator_lm_head: ['electra, generator'],
  decoder: ['modernbert'],
  embed_out: ['gpt_neox'],
  lm_head: [
    ...[
      'gpt2',
      'gpt_neo',
      'llama, bfloat16, tied',
      'qwen2',
      'qwen3',
      'gemma',
      'gemma2',
      'gemma3_text',
    ],
    ...[
      'granite',
      'smollm3',
      'starcoder2',
      'cohere',
      'opt',
      'bloom',
      'falcon',
      'mpt',
      'gpt_bigcode',
    ],
    ...['bart', 'mbart', 'marian', 'pegasus', 'm2m_100', 't5'],
  ],
};
const inputTable =
  /(^|\.)(shared|wte|embed_in|(embed_tokens|word_embeddings|tok_embeddings))\.weight$/;

// safetensors' save_model() writes one of the tensors that share memory, and names the others in the metadata.
describe('a table that the head and the input share', () => {
  for (const [head, names] of Object.entries(sharedNames)) {
    for (const name of names) {
      it(`may have only the name of the head: ${name}`, async () => {
        const tied = { tie_word_embeddings: true };
        const source = sourceOf(name, (weights) => weights.delete(`${head}.weight`), tied);
        const input = seededInput(cases[name]);
        const plain = await run(source, input);
        assert.ok(plain.logits, 'it has a head');
        const { config, weights } = source;
        const tables = [...weights.keys()].filter((key) => inputTable.test(key));
        const renamed = new Map([...weights].filter(([key]) => !tables.includes(key)));
        renamed.set(`${head}.weight`, weights.get(tables[0]));
        assert.deepEqual(await run({ config, weights: renamed }, input), plain);
        const metadata = { format: 'pt', [tables[0]]: `${head}.weight` };
        const file = writeSafetensors(renamed, { metadata });
        assert.deepEqual(await run({ config, weights: file }, input), plain);
      });
    }
  }

  it('needs its name in the metadata where the config unties them', async () => {
    const { config, weights } = sourceOf('llama, bfloat16, tied');
    const table = weights.get('model.embed_tokens.weight');
    weights.delete('model.embed_tokens.weight');
    weights.set('lm_head.weight', table);
    const untied = { ...config, tie_word_embeddings: false };
    await assert.rejects(run({ config: untied, weights }, { ids: [1] }), /'embed_tokens\.weight'/);
    const metadata = { 'model.embed_tokens.weight': 'lm_head.weight' };
    const file = writeSafetensors(weights, { metadata });
    assert.ok((await run({ config: untied, weights: file }, { ids: [1] })).logits);
  });
});

describe('a head with a table of its own', () => {
  for (const [name, head, more, scale] of heads) {
    it(`has it, whatever the config says of tying: ${name}`, async () => {
      const count = cases[name].config.vocab_size;
      const own = other('head', [count, 8]);
      const input = seededInput(cases[name]);
      const plain = await run(sourceOf(name, undefined, more), input);
      const change = (weights) => weights.set(`${head}.weight`, own);
      const result = await run(sourceOf(name, change, more), input);
      assert.equal(explainBitDifference(result.hidden, plain.hidden), '');
      assert.ok(result.bytes > plain.bytes);
      if (name.startsWith('bert')) {
        assert.notEqual(explainDifference(result.logits, plain.logits, 0.1), '');
        return;
      }
      const bias = seededWeights(cases[name]).get('final_logits_bias');
      const want = logitsOf(result.hidden, own, { scale, bias });
      assert.equal(explainDifference(result.logits, want, 1e-5), '');
    });

    it(`shares the memory of an equal one: ${name}`, async () => {
      const input = seededInput(cases[name]);
      const plain = await run(sourceOf(name, undefined, more), input);
      const change = (weights) => {
        const table = [...weights].find(([key]) =>
          /(shared|wte|(embed_tokens|word_embeddings))\.weight$/.test(key),
        )[1];
        weights.set(`${head}.weight`, { ...table, data: table.data.slice() });
      };
      assert.deepEqual(await run(sourceOf(name, change, more), input), plain);
    });
  }
});

describe('encoder and decoder with tables of their own', () => {
  for (const name of ['bart', 't5']) {
    it(`embed with them: ${name}`, async () => {
      const { config, input } = cases[name];
      const prefix = name === 'bart' ? 'model.' : '';
      const at = (side) => `${prefix}${side}.embed_tokens.weight`;
      const dims = [config.vocab_size, 8];
      const [encoder, decoder] = [other('encoder', dims), other('decoder', dims)];
      const both = (weights) => weights.set(at('encoder'), encoder).set(at('decoder'), decoder);
      const alone = (side, table) => (weights) =>
        weights.delete(`${prefix}shared.weight`) && weights.set(at(side), table);
      // The encoder's output depends on its own table only, as if that were the shared one.
      const want = await run(sourceOf(name, alone('encoder', encoder)), input);
      const got = await run(
        sourceOf(name, (weights) => weights.delete(`${prefix}shared.weight`) && both(weights)),
        input,
      );
      assert.equal(explainBitDifference(got.encoderHidden, want.encoderHidden), '');
      assert.notEqual(explainDifference(got.hidden, want.hidden, 0.01), '');
      // A shared table of other numbers, which nothing uses, is an error.
      await assert.rejects(loadModel(sourceOf(name, both)), {
        name: 'RangeError',
        message:
          /^tensors '.*(shared|embed_tokens)\.weight' and '.*shared\.weight' differ, but this/,
      });
      const halfOwn = (weights) => weights.set(at('encoder'), encoder);
      const half = await run(sourceOf(name, halfOwn), input);
      assert.equal(explainBitDifference(half.encoderHidden, want.encoderHidden), '');
    });
  }
});

describe('a bias of the language-modeling head', () => {
  it('is added to the logits', async () => {
    for (const [name, head] of [
      ['llama', 'lm_head'],
      ['llama, bfloat16, tied', 'lm_head'],
      ['gpt2', 'lm_head'],
      ['gpt_neox', 'embed_out'],
      ['t5', 'lm_head'],
    ]) {
      const input = seededInput(cases[name]);
      const bias = other('bias', [11]);
      const { logits } = await run(sourceOf(name), input);
      const change = (weights) => weights.set(`${head}.bias`, bias);
      const want = logits.data.map((x, at) => x + bias.data[at % 11]);
      const got = await run(sourceOf(name, change), input);
      assert.equal(
        explainDifference(got.logits, { data: want, dims: logits.dims }, 1e-6),
        '',
        name,
      );
    }
  });

  it('of another length is refused', () =>
    assert.rejects(
      loadModel(sourceOf('llama', (weights) => weights.set('lm_head.bias', other('b', [12])))),
      /'lm_head\.bias' has dims \[12\]; config\.json requires \[11\]/,
    ));
});

describe('a decoder that classifies a text', () => {
  const name = 'gpt2, classes, scaled by layer';
  const logits = async (ids, more) => (await run(sourceOf(name, undefined, more), { ids })).logits;

  it('does so at the last token that is no padding, wherever padding stands', async () => {
    const padding = { pad_token_id: 0 };
    const want = await logits([1, 5, 3]);
    assert.deepEqual(await logits([1, 5, 3, 0, 0], padding), want);
    assert.deepEqual(await logits([0, 1, 5, 0, 3], padding), await logits([0, 1, 5, 0, 3]));
    assert.deepEqual(await logits([0, 0], padding), await logits([0]));
    assert.notDeepEqual(await logits([1, 5, 3, 0, 0]), want);
    assert.deepEqual(await logits([1, 5, 3], { pad_token_id: -1 }), want);
  });

  it('attributes the logits of that token', async () => {
    const model = await loadModel(sourceOf(name, undefined, { pad_token_id: 0 }));
    const result = model.run({ ids: [1, 5, 3, 0, 0] }, { attribution: true });
    const { position, total, parts } = model.attribute(result, { token: 1 });
    model.delete();
    const sum = parts.reduce((all, { value }) => all + value, 0);
    assert.equal(position, 2);
    assert.ok(Math.abs(sum - total) < 1e-5 && !parts.some(({ source }) => source === 'edits'));
  });
});
