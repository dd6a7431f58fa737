// attention-wasm/models: the vector of a sentence encoder, as modules.json and the folders it names describe it, compared
// with float64 sums over the hidden vectors; and what is refused.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { explainDifference } from '../../support/js/compare.js';
import { cases, withTokens } from '../../support/js/models_with_tokens.js';
import { seededWeights } from '../../support/js/seeded_weights.js';

const kind = (name, path) => ({ type: `sentence_transformers.models.${name}`, path });
const newer = (name, path) => ({
  type: `sentence_transformers.sentence_transformer.modules.${name.toLowerCase()}.${name}`,
  path,
});
const both = [kind('Transformer', ''), kind('Pooling', '1_Pooling')];
const mean = { pooling_mode_mean_tokens: true, pooling_mode_cls_token: false };
const ids = [3, 7, 1, 5];

function fileOf(path, content) {
  const bytes = ArrayBuffer.isView(content) ? content : JSON.stringify(content);
  const file = new File([bytes], path.split('/').at(-1));
  return Object.defineProperty(file, 'webkitRelativePath', { value: `my-encoder/${path}` });
}

/** A folder of BERT with a pooler. others: { path: JSON or bytes }. */
function folderOf(modules, pooling, others = {}) {
  const { config, weights } = withTokens('bert, classes', 13);
  const files = {
    'config.json': config,
    'model.safetensors': writeSafetensors(weights),
    ...(modules !== undefined && { 'modules.json': modules }),
    ...(pooling !== undefined && { '1_Pooling/config.json': pooling }),
    ...others,
  };
  return Object.entries(files).map(([path, content]) => fileOf(path, content));
}

async function run(source, options = { pooling: true }) {
  const model = await loadModel(source, options);
  try {
    return model.run({ ids });
  } finally {
    model.delete();
  }
}

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const rowsOf = ({ data, dims: [n, d] }) =>
  Array.from({ length: n }, (_, row) => Array.from(data.slice(row * d, (row + 1) * d)));
const columns = (rows, of) => rows[0].map((_, c) => of(rows.map((row) => row[c])));

// Definitions in sentence-transformers' documentation of Pooling, in its order of concatenation.
const poolers = {
  cls: (rows) => rows[0],
  max: (rows) => columns(rows, (numbers) => Math.max(...numbers)),
  mean: (rows) => columns(rows, (numbers) => sum(numbers) / 4),
  mean_sqrt_len_tokens: (rows) => columns(rows, (numbers) => sum(numbers) / 2),
  weightedmean: (rows) => columns(rows, ([a, b, c, d]) => (a + 2 * b + 3 * c + 4 * d) / 10),
  lasttoken: (rows) => rows[3],
};
const flags = Object.fromEntries(
  Object.keys(poolers).map((mode) => [
    mode,
    `pooling_mode_${['cls'].includes(mode) ? 'cls_token' : mode}`.replace(
      /(max|mean|weightedmean)$/,
      '$1_tokens',
    ),
  ]),
);

const assertPooled = ({ pooled }, want, what) =>
  assert.equal(explainDifference(pooled, { data: want, dims: [want.length] }, 1e-6), '', what);

describe('a sentence encoder', () => {
  it('pools by each mode, named by a flag or by one field', async () => {
    for (const [mode, pool] of Object.entries(poolers)) {
      for (const [modules, config] of [
        [both, { word_embedding_dimension: 8, [flags[mode]]: true }],
        [[newer('Transformer', ''), newer('Pooling', '1_Pooling')], { pooling_mode: mode }],
      ]) {
        const result = await run(folderOf(modules, config));
        assertPooled(result, pool(rowsOf(result.hidden)), mode);
      }
    }
  });

  it('concatenates several modes in one order, however they are listed', async () => {
    const names = ['lasttoken', 'mean', 'cls', 'weightedmean', 'max', 'mean_sqrt_len_tokens'];
    for (const config of [
      Object.fromEntries(names.map((name) => [flags[name], true])),
      { pooling_mode: names },
    ]) {
      const result = await run(folderOf(both, config));
      const rows = rowsOf(result.hidden);
      assertPooled(
        result,
        Object.values(poolers).flatMap((pool) => pool(rows)),
      );
    }
  });

  it('applies dense layers and normalization in the order of the modules', async () => {
    const { hidden } = await run(folderOf(both, mean));
    const pooled = poolers.mean(rowsOf(hidden));
    const weight = Float32Array.from({ length: 3 * 8 }, (_, i) => Math.sin(i));
    const bias = Float32Array.of(0.5, -0.25, 0.125);
    const tensors = {
      'linear.weight': { data: weight, dims: [3, 8] },
      'linear.bias': { data: bias, dims: [3] },
    };
    const sizes = { in_features: 8, out_features: 3 };
    const denseOf = (config, weights = tensors) => ({
      '2_Dense/config.json': { ...sizes, ...config },
      '2_Dense/model.safetensors': writeSafetensors(weights),
    });
    const product = (x, b = bias) =>
      [0, 1, 2].map((out) => sum(x.map((a, c) => a * weight[8 * out + c])) + (b ? b[out] : 0));
    const normal = (x) => x.map((a) => a / Math.hypot(...x));
    const dense = kind('Dense', '2_Dense');
    const normalize = kind('Normalize', '3_Normalize');
    const torch = (name) => `torch.nn.modules.activation.${name}`;
    const { 'linear.weight': alone } = tensors;
    for (const [more, files, want] of [
      [[normalize], {}, normal(pooled)],
      [[dense], denseOf({ activation_function: torch('Tanh') }), product(pooled).map(Math.tanh)],
      [[dense], denseOf({}), product(pooled).map(Math.tanh)],
      [
        [kind('Dropout', '4_Dropout'), dense],
        denseOf({ activation_function: 'torch.nn.modules.linear.Identity' }),
        product(pooled),
      ],
      [
        [dense, normalize],
        denseOf({ bias: false, activation_function: torch('ReLU') }, { 'linear.weight': alone }),
        normal(product(pooled, null).map((x) => Math.max(x, 0))),
      ],
      [
        [normalize, dense],
        denseOf({ activation_function: torch('Sigmoid') }),
        product(normal(pooled)).map((x) => 1 / (1 + Math.exp(-x))),
      ],
      [
        [dense],
        denseOf({ activation_function: torch('SiLU') }),
        product(pooled).map((x) => x / (1 + Math.exp(-x))),
      ],
    ]) {
      assertPooled(
        await run(folderOf([...both, ...more], mean, files)),
        want,
        JSON.stringify(more),
      );
    }
  });

  it('keeps its head, whose input is the pooler', async () => {
    const { logits } = await run(folderOf(both, mean));
    const alone = await run(folderOf(both, mean), {});
    assert.deepEqual(logits, alone.logits);
    assert.notDeepEqual(alone.pooled, (await run(folderOf(both, mean))).pooled);
    assert.deepEqual(await run(folderOf(undefined)), alone);
  });

  it('may be a decoder', async () => {
    const { config, shapes } = cases.qwen3;
    const files = folderOf(both, { pooling_mode: 'lasttoken' }, { 'config.json': config });
    const weights = writeSafetensors(seededWeights({ shapes }));
    const source = files.map((file) =>
      file.name === 'model.safetensors' ? fileOf('model.safetensors', weights) : file,
    );
    const result = await run(source);
    assertPooled(result, poolers.lasttoken(rowsOf(result.hidden)));
    assert.equal((await run(source, {})).pooled, undefined);
  });

  it('is refused by a sentence that names what is not supported', async () => {
    const dense = kind('Dense', '2_Dense');
    const config = { in_features: 8, out_features: 3 };
    const tensor = (...dims) => ({ data: new Float32Array(dims.reduce((a, b) => a * b)), dims });
    const weights = (found) => ({ '2_Dense/model.safetensors': writeSafetensors(found) });
    const withDense = (more, files = {}) => [
      [...both, dense],
      mean,
      { '2_Dense/config.json': { ...config, ...more }, ...files },
    ];
    for (const [modules, pooling, files, sentence] of [
      [{}, mean, {}, /^modules\.json is an object, expected an array/],
      [[null], mean, {}, /type of module 0 of modules\.json is undefined, expected 'Transformer'/],
      [
        both.slice(0, 1),
        mean,
        {},
        /type of module 1 of modules\.json is undefined, expected 'Pool/,
      ],
      [[both[0], kind('WeightedLayerPooling', 'x')], mean, {}, /is 'WeightedLayerPooling'/],
      [[...both, kind('LSTM', '2_LSTM')], mean, {}, /type of module 2 of modules\.json is 'LSTM'/],
      [both, undefined, {}, /^missing file 1_Pooling\/config\.json, of module 1 of modules\.json/],
      [both, {}, {}, /^module 1 of modules\.json has no pooling mode/],
      [both, { pooling_mode_other: true }, {}, /pooling mode .* is 'pooling_mode_other', expected/],
      [
        both,
        { pooling_mode: 'first' },
        {},
        /pooling mode of module 1 .* is 'first', expected one of/,
      ],
      [both, { pooling_mode: ['mean', 7] }, {}, /pooling mode of module 1 .* is 7/],
      [both, { pooling_mode_mean_tokens: 1 }, {}, /'pooling_mode_mean_tokens' of 1_Pooling/],
      ...['../p', '\\\\host\\p', '%2e%2e/p', '/p', '', 7].map((path) => [
        [both[0], kind('Pooling', path)],
        mean,
        {},
        /^the path of module 1 of modules\.json is /,
      ]),
      [...withDense({ activation_function: 'a.Softplus' }), /'activation_function' .* 'Softplus'/],
      [...withDense({ in_features: 7 }), /'in_features' of 2_Dense\/config\.json must be 8/],
      [...withDense({ module_input_name: 'token_embeddings' }), /'module_input_name' of 2_Dense/],
      [...withDense({}), /^missing 2_Dense\/model\.safetensors of the 5 selected files; .*\.bin/],
      [
        ...withDense({}, weights({ 'linear.weight': tensor(3, 7), 'linear.bias': tensor(3) })),
        /'linear\.weight' of module 2 .* has dims 3×7, its config\.json requires 3×8/,
      ],
      [
        ...withDense({}, weights({ 'linear.weight': tensor(3, 8) })),
        /'linear\.bias' of module 2 .* has no such tensor/,
      ],
    ]) {
      const source = folderOf(modules, pooling, files);
      await assert.rejects(run(source), (error) => {
        assert.match(error.message, sentence);
        return error.name === 'RangeError' || /^missing 2_Dense/.test(error.message);
      });
      assert.ok((await run(source, { pooling: false })).pooled);
    }
  });

  describe('with a sentence_bert_config.json', () => {
    const vocab = Object.fromEntries(
      ['?', 'a', 'B', 'σ', 'ς', 'i\u0307', 'b'].map((t, id) => [t, id]),
    );
    const tokenizer = {
      pre_tokenizer: { type: 'WhitespaceSplit' },
      model: { type: 'WordLevel', vocab, unk_token: '?' },
    };
    const open = (fields, options) =>
      loadModel(
        folderOf(both, mean, {
          'tokenizer.json': tokenizer,
          'sentence_bert_config.json': fields,
        }),
        options ?? { pooling: true },
      );

    it('cuts texts to max_seq_length where truncate asks for it', async () => {
      const model = await open({ max_seq_length: 3 });
      assert.equal(model.run('a a a a a').ids.length, 5);
      assert.equal(model.run('a a a a a', { truncate: true }).ids.length, 3);
      assert.equal(model.run('a a a a a', { truncate: true, maxInput: 2 }).ids.length, 2);
      model.delete();
    });

    // Transformer of sentence-transformers: where max_seq_length is None, the smaller of max_position_embeddings of the config
    // and model_max_length of the tokenizer.
    it('cuts texts to model_max_length where max_seq_length is null or missing', async () => {
      const none = 1e30; // VERY_LARGE_INTEGER of transformers
      const { max_position_embeddings: positions } = withTokens('bert, classes', 13).config;
      for (const [fields, maximum, expected] of [
        [{ max_seq_length: null }, 4, 4],
        [{}, 4, 4],
        [undefined, 4, 4],
        [{ max_seq_length: 5 }, 4, 5],
        [{ max_seq_length: 3 }, 4, 3],
        [{ max_seq_length: null }, none, positions],
        [{ max_seq_length: null }, undefined, positions],
      ]) {
        const files = {
          'tokenizer.json': tokenizer,
          ...(fields && { 'sentence_bert_config.json': fields }),
          'tokenizer_config.json': { model_max_length: maximum },
        };
        const model = await loadModel(folderOf(both, mean, files), { pooling: true });
        const text = 'a '.repeat(positions + 9);
        const { length } = model.run(text, { truncate: true }).ids;
        assert.equal(length, expected, JSON.stringify([fields, maximum]));
        model.delete();
      }
      const wrong = {
        'tokenizer.json': tokenizer,
        'tokenizer_config.json': { model_max_length: -1 },
      };
      await assert.rejects(loadModel(folderOf(both, mean, wrong), { pooling: true }), {
        name: 'RangeError',
        message: /'model_max_length' of tokenizer_config\.json must be an integer from 1/,
      });
      const unpooled = await loadModel(folderOf(both, mean, wrong), { pooling: false });
      unpooled.delete();
    });

    it('has the texts in lower case, as of Python, if do_lower_case is true', async () => {
      const lower = await open({ max_seq_length: null, do_lower_case: true });
      const { ids: found, spans } = lower.run('A B Σ aΣ İ İ b');
      assert.deepEqual(found, [1, 6, 3, 0, 5, 5, 6]);
      assert.deepEqual(spans.slice(-3), [
        [9, 10],
        [11, 12],
        [13, 14],
      ]);
      assert.deepEqual(lower.tokenizer.encode('B').ids, [6]);
      lower.delete();
      for (const [fields, options] of [
        [{ do_lower_case: false }],
        [{ do_lower_case: true }, { pooling: false }],
      ]) {
        const model = await open(fields, options);
        assert.deepEqual(model.run('a B').ids, [1, 2]);
        model.delete();
      }
    });

    it('is refused with other values', async () => {
      for (const fields of [{ max_seq_length: 0 }, { max_seq_length: '9' }, { do_lower_case: 1 }]) {
        await assert.rejects(open(fields), {
          name: 'RangeError',
          message: new RegExp(`'${Object.keys(fields)[0]}' of sentence_bert_config\\.json must be`),
        });
      }
    });
  });

  // The names and their order: Transformer.load() of sentence-transformers.
  it('reads the older names of sentence_bert_config.json, the first that is there', async () => {
    const kinds = ['bert', 'roberta', 'distilbert', 'camembert', 'albert', 'xlm-roberta', 'xlnet'];
    const vocab = { '?': 0, a: 1, B: 2, b: 3 };
    const tokenizer = {
      pre_tokenizer: { type: 'WhitespaceSplit' },
      model: { type: 'WordLevel', vocab, unk_token: '?' },
    };
    for (const [n, one] of kinds.entries()) {
      const first = { max_seq_length: 2, do_lower_case: true };
      const files = { 'tokenizer.json': tokenizer, [`sentence_${one}_config.json`]: first };
      for (const later of kinds.slice(n + 1)) {
        files[`sentence_${later}_config.json`] = { max_seq_length: 1, do_lower_case: false };
      }
      const model = await loadModel(folderOf(both, mean, files), { pooling: true });
      assert.deepEqual(model.run('B a a', { truncate: true }).ids, [3, 1], one);
      model.delete();
    }
  });

  describe('with prompts', () => {
    // [CLS] q : a b [SEP]
    const vocab = { '[CLS]': 0, '[SEP]': 1, 'q:': 2, a: 3, b: 4, 'd:': 5, '?': 6 };
    const special = { special: true, normalized: false, single_word: false };
    const tokenizer = {
      added_tokens: ['[CLS]', '[SEP]'].map((content, id) => ({ id, content, ...special })),
      pre_tokenizer: { type: 'WhitespaceSplit' },
      model: { type: 'WordLevel', vocab, unk_token: '?' },
      post_processor: {
        type: 'BertProcessing',
        ...{ sep: ['[SEP]', 1], cls: ['[CLS]', 0] },
      },
    };
    const prompts = { query: 'q: ', document: 'd: ', none: '' };
    const open = (config, pooling = mean) =>
      loadModel(
        folderOf(both, pooling, {
          'tokenizer.json': tokenizer,
          'config_sentence_transformers.json': config,
        }),
        { pooling: true },
      );
    const query = { prompts, default_prompt_name: 'query' };

    it('puts the requested one or that of default_prompt_name before the text', async () => {
      const model = await open(query);
      const idsOf = (input, options) => model.run(input, options).ids;
      assert.deepEqual(idsOf('a b'), [0, 2, 3, 4, 1]);
      assert.deepEqual(idsOf('a b', { prompt: 'document' }), [0, 5, 3, 4, 1]);
      for (const prompt of [false, 'none'])
        assert.deepEqual(idsOf('a b', { prompt }), [0, 3, 4, 1]);
      assert.deepEqual(idsOf(['a', 'b']), [0, 2, 3, 1, 4, 1]);
      assert.deepEqual(idsOf({ ids: [3] }), [3]);
      assert.throws(() => model.run({ ids: [3] }, { prompt: 'query' }), /the input is ids/);
      assert.throws(() => model.run('a', { prompt: 'toString' }), {
        name: 'RangeError',
        message: "prompt must be 'query', 'document', 'none' or false, found 'toString'",
      });
      model.delete();
      const plain = await open({ prompts });
      assert.deepEqual(plain.run('a b').ids, [0, 3, 4, 1]);
      plain.delete();
      const without = await open({});
      assert.throws(() => without.run('a', { prompt: 'query' }), /the model has no prompts/);
      without.delete();
      for (const wrong of [{ prompts: { a: 7 } }, { prompts, default_prompt_name: 'x' }]) {
        await assert.rejects(open(wrong), /of config_sentence_transformers\.json is/);
      }
    });

    it('is read by encode() as by run()', async () => {
      const model = await open(query);
      for (const [input, options] of [
        ['a b'],
        ['a b', { prompt: 'document' }],
        ['a b', { prompt: false }],
        [['a', 'b']],
        ['a b a b', { truncate: true, maxInput: 4 }],
        [{ ids: [3, 4] }],
      ]) {
        const { ids, tokens, spans, parts } = model.run(input, options);
        const { prompt, typeIds: _, ...encoded } = model.encode(input, options);
        assert.deepEqual(encoded, { ids, tokens, spans, parts });
        const isText = input.ids === undefined && options?.prompt !== false;
        assert.equal(prompt, isText ? prompts[options?.prompt ?? 'query'] : '');
      }
      const long = 'a '.repeat(99);
      assert.throws(() => model.run(long), RangeError);
      assert.equal(model.encode(long).ids.length, 102);
      assert.throws(() => model.encode({ ids: [3] }, { prompt: 'query' }), /the input is ids/);
      assert.throws(() => model.encode('a', { attentions: true }), {
        name: 'TypeError',
        message: /attentions/,
      });
      model.delete();
      assert.throws(() => model.encode('a'), /the model was deleted/);
    });

    it('has the spans of the text, and empty ones in the prompt', async () => {
      const model = await open(query);
      assert.deepEqual(model.run('a b').spans, [
        [0, 0],
        [0, 0],
        [0, 1],
        [2, 3],
        [3, 3],
      ]);
      const { spans, parts } = model.run(['a', ' b']);
      assert.deepEqual(spans, [
        [0, 0],
        [0, 0],
        [0, 1],
        [1, 1],
        [1, 2],
        [2, 2],
      ]);
      assert.deepEqual(parts, [0, 0, 0, 0, 1, 1]);
      model.delete();
    });

    // Pooling.forward() of sentence-transformers: the mask of the tokens of the prompt alone, less a special one at the end.
    it('leaves it out of pooling with include_prompt: false', async () => {
      const poolings = {
        cls: (rows) => rows[2],
        mean: (rows) => columns(rows.slice(2), (numbers) => sum(numbers) / 3),
        max: (rows) => columns(rows.slice(2), (numbers) => Math.max(...numbers)),
        weightedmean: (rows) => columns(rows.slice(2), ([a, b, c]) => (3 * a + 4 * b + 5 * c) / 12),
        lasttoken: (rows) => rows[4],
      };
      for (const [mode, pool] of Object.entries(poolings)) {
        const model = await open(query, { pooling_mode: mode, include_prompt: false });
        const result = model.run('a b');
        assertPooled(result, pool(rowsOf(result.hidden)), mode);
        model.delete();
      }
      const model = await open(query, { pooling_mode: 'mean', include_prompt: false });
      const plain = model.run('a b', { prompt: false });
      assertPooled(plain, poolers.mean(rowsOf(plain.hidden)));
      model.delete();
      const including = await open(query);
      const result = including.run('a b');
      assertPooled(
        result,
        columns(rowsOf(result.hidden), (numbers) => sum(numbers) / 5),
      );
      including.delete();
    });
  });
});
