// attention-wasm/models: defaults of missing config fields, as in the config classes of Hugging Face's transformers
// (https://huggingface.co/docs/transformers/main_classes/configuration), and limits of their values.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ConfigFields } from '../../../web/lib/models/config/config_fields.js';
import { describeModel } from '../../../web/lib/models/config/families.js';

/** Minimal sizes for every family, under all of their field names. */
const sizes = {
  ...{ vocab_size: 9, hidden_size: 12, num_hidden_layers: 4, num_attention_heads: 3 },
  ...{ max_position_embeddings: 16, intermediate_size: 20, embedding_size: 12 },
};
const sequences = {
  ...{ vocab_size: 9, d_model: 12, max_position_embeddings: 16, num_hidden_layers: 2 },
  ...{ encoder_attention_heads: 3, decoder_attention_heads: 3 },
  ...{ encoder_ffn_dim: 20, decoder_ffn_dim: 24 },
};
const t5 = { vocab_size: 9, d_model: 16, num_layers: 3, num_heads: 2, d_kv: 6, d_ff: 20 };

const without = (fields, ...names) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
const described = (type, fields) =>
  describeModel(new ConfigFields({ ...fields, model_type: type }));

/** The value of a description at a path such as 'self.embed.types.count'. */
const at = (description, path) =>
  path.split('.').reduce((value, name) => value?.[name], description);

/** [family, config, { path: value }] */
const cases = [
  [
    'bert',
    sizes,
    { 'self.embed.types.count': 2, 'self.options': { activation: 'gelu', epsilon: 1e-12 } },
  ],
  ['roberta', sizes, { 'self.embed.positions.from': 2, 'self.embed.positions.padding': 1 }],
  [
    'roberta',
    { ...sizes, pad_token_id: 0 },
    {
      'self.embed.positions.from': 1,
      'self.embed.positions.padding': 0,
      'self.embed.positions.count': 16,
    },
  ],
  ['electra', sizes, { 'self.embed.width': 12, 'self.embed.project': undefined }],
  [
    'electra',
    without(sizes, 'embedding_size'),
    { 'self.embed.width': 12, 'self.embed.project': undefined },
  ],
  [
    'electra',
    { ...sizes, embedding_size: 4 },
    { 'self.embed.width': 4, 'self.embed.project': 'embeddings_project' },
  ],
  ['albert', sizes, { 'self.layers': 4, 'self.embed.width': 12 }],
  [
    'gpt2',
    sizes,
    {
      'self.feedForwardWidth': 48,
      'self.options.scale': Math.sqrt(3 / 12),
      'self.options.epsilon': 1e-5,
    },
  ],
  ['gpt2', { ...sizes, scale_attn_weights: false }, { 'self.options.scale': 1 }],
  [
    'gpt_neo',
    { ...without(sizes, 'intermediate_size') },
    {
      'self.feedForwardWidth': 48,
      'self.options.scale': 1,
      'self.options.activation': 'gelu_tanh',
    },
  ],
  [
    'gpt_neox',
    { ...sizes, hidden_size: 24 },
    { 'self.options.rotary.width': 2, 'self.withoutBias': [], 'self.options.parallel': true },
  ],
  [
    'llama',
    sizes,
    {
      'self.keyDim': 4,
      'self.kvHeads': 3,
      'self.options.rotary.width': 4,
      'self.options.epsilon': 1e-6,
    },
  ],
  [
    'llama',
    { ...sizes, head_dim: 8 },
    { 'self.keyDim': 8, 'self.options.rotary.frequencies': [1, 0.1, 0.01, 0.001] },
  ],
  ['qwen3', sizes, { 'self.keyDim': 128, 'self.options.rotary.width': 128 }],
  ['phi', sizes, { 'self.kvHeads': 3, 'self.options.rotary.width': 2 }],
  ['llama', sizes, { 'self.embed.words': 'embed_tokens' }],
  [
    'llama',
    { ...sizes, tie_word_embeddings: true },
    { 'self.embed.words': 'embed_tokens|lm_head' },
  ],
  ['mistral', sizes, { 'self.windowOf': undefined }],
  [
    'smollm3',
    sizes,
    { 'self.options.rotary.theta': 2e6, 'self.embed.words': 'embed_tokens|lm_head' },
  ],
  ['bart', sequences, { 'encoder.embed.positions.count': 18, 'decoder.embed.positions.from': 2 }],
  [
    'bart',
    sequences,
    {
      'encoder.embed.scale': 1,
      'encoder.embed.norm': 'encoder.layernorm_embedding',
      'encoder.norm': undefined,
    },
  ],
  ['bart', { ...sequences, scale_embedding: true }, { 'encoder.embed.scale': Math.sqrt(12) }],
  ['bart', { ...sequences, normalize_embedding: false }, { 'encoder.embed.norm': undefined }],
  ['mbart', sequences, { 'decoder.norm': 'decoder.layer_norm', 'decoder.options.normFirst': true }],
  [
    'm2m_100',
    sequences,
    { 'encoder.embed.positions': { computed: 'fairseq', from: 2, padding: 1 } },
  ],
  [
    'm2m_100',
    { ...sequences, pad_token_id: 0 },
    { 'encoder.embed.positions': { computed: 'fairseq', from: 1, padding: 0 } },
  ],
  [
    'marian',
    sequences,
    {
      decoderVocabulary: 9,
      'encoder.embed.words': 'encoder.embed_tokens|shared|decoder.embed_tokens|lm_head',
    },
  ],
  [
    'marian',
    { ...sequences, share_encoder_decoder_embeddings: false, decoder_vocab_size: 7 },
    {
      decoderVocabulary: 7,
      'encoder.embed.words': 'encoder.embed_tokens',
      'decoder.embed.words': 'decoder.embed_tokens|lm_head',
    },
  ],
  [
    't5',
    t5,
    {
      ...{
        'encoder.buckets': 32,
        'encoder.layers': 3,
        'decoder.layers': 3,
        'encoder.causal': false,
      },
      ...{
        'decoder.causal': true,
        'encoder.options.relativePositions': { maxDistance: 128, bidirectional: true },
      },
      ...{ 'decoder.options.relativePositions.bidirectional': false, 'encoder.options.scale': 1 },
      ...{ 'encoder.options.activation': 'relu', 'encoder.options.epsilon': 1e-6 },
    },
  ],
  ['t5', { ...t5, num_decoder_layers: 2 }, { 'encoder.layers': 3, 'decoder.layers': 2 }],
  [
    't5',
    { ...t5, architectures: ['T5EncoderModel'] },
    { 'self.layers': 3, heads: [], encoder: undefined },
  ],
  [
    'vit',
    sizes,
    {
      ...{
        'self.patches.image': [224, 224],
        'self.patches.patch': [16, 16],
        'self.patches.channels': 3,
      },
      ...{ 'pooler.rows': 12, 'pooler.activation': 'tanh', 'self.withoutBias': [] },
    },
  ],
  [
    'dinov2',
    without(sizes, 'intermediate_size'),
    { 'self.feedForwardWidth': 48, 'self.withoutBias': [], 'self.options.epsilon': 1e-6 },
  ],
  // floor(2/3 · 40) = 26, rounded up to a multiple of 8.
  [
    'dinov2',
    { ...sizes, hidden_size: 10, use_swiglu_ffn: true },
    { 'self.feedForwardWidth': 32, 'self.options.activation': 'silu' },
  ],
  ['dinov2', { ...sizes, use_swiglu_ffn: true, mlp_ratio: 2 }, { 'self.feedForwardWidth': 16 }],
];

describe('a config and its defaults', () => {
  for (const [type, fields, wanted] of cases) {
    it(`has its default: ${type}, ${Object.keys(wanted).join(', ')}`, () => {
      const description = described(type, fields);
      for (const [path, value] of Object.entries(wanted)) {
        const got = at(description, path);
        if (path.endsWith('frequencies')) {
          value.forEach((x, n) => assert.ok(Math.abs(got[n] - x) < 1e-15, `${got}`));
        } else assert.deepEqual(got, value, path);
      }
    });
  }

  it('scales T5’s logits by 1/√d if the embedding is shared', () => {
    const stepOf = (more) => described('t5', { ...t5, ...more }).heads.at(-1).steps[0];
    assert.equal(stepOf({}).scale, 0.25);
    assert.equal(stepOf({ tie_word_embeddings: false }).scale, 1);
    assert.equal(stepOf({ scale_decoder_outputs: false }).scale, 1);
    const both = { tie_word_embeddings: false, scale_decoder_outputs: true };
    assert.equal(stepOf(both).scale, 0.25);
  });

  it('gives ALBERT one group of layers, or num_hidden_groups', () => {
    const places = (more, layers) => {
      const { self } = described('albert', { ...sizes, ...more });
      assert.equal(self.layers, layers);
      return Array.from({ length: layers }, (_, n) => self.layerPrefix(n).match(/\d+/g).join('.'));
    };
    assert.deepEqual(places({}, 4), ['0.0', '0.0', '0.0', '0.0']);
    assert.deepEqual(places({ num_hidden_groups: 2 }, 4), ['0.0', '0.0', '1.0', '1.0']);
    assert.deepEqual(places({ num_hidden_groups: 2, inner_group_num: 2 }, 8), [
      '0.0',
      '0.1',
      '0.0',
      '0.1',
      '1.0',
      '1.1',
      '1.0',
      '1.1',
    ]);
  });

  it('scales GPT-2’s scores by 1/√d, and by the layer number if configured', () => {
    const scales = (more) => {
      const { optionsOf } = described('gpt2', { ...sizes, ...more }).self;
      return [0, 1, 2].map((n) => optionsOf(n).scale);
    };
    assert.deepEqual(scales({}), [undefined, undefined, undefined]);
    assert.deepEqual(scales({ scale_attn_by_inverse_layer_idx: true }), [0.5, 0.25, 0.5 / 3]);
  });

  it('gives windows to layers from an index on, or to named layers', () => {
    const windows = (type, more) => {
      const { windowOf } = described(type, { ...sizes, num_hidden_layers: 30, ...more }).self;
      return windowOf && [0, 1, 27, 28, 29].map((n) => windowOf(n));
    };
    const [none, some] = [undefined, [3, 0]];
    const sliding = { sliding_window: 4, use_sliding_window: true };
    assert.deepEqual(windows('mistral', { sliding_window: 4 }), [some, some, some, some, some]);
    assert.equal(windows('qwen2', { sliding_window: 4 }), undefined);
    assert.equal(windows('qwen2', { use_sliding_window: true }), undefined);
    assert.equal(windows('gemma2', { sliding_window: null }), undefined);
    assert.deepEqual(windows('gemma2', {})[0], [4095, 0]);
    assert.deepEqual(windows('qwen2', sliding), [none, none, none, some, some]);
    const first = (max_window_layers) => windows('qwen3', { ...sliding, max_window_layers });
    assert.deepEqual(first(0), [some, some, some, some, some]);
    assert.deepEqual(first(1), [none, some, some, some, some]);
    const kinds = Array.from({ length: 30 }, (_, n) => (n % 2 ? 'sliding' : 'full') + '_attention');
    assert.deepEqual(windows('qwen2', { ...sliding, layer_types: kinds }), [
      none,
      some,
      some,
      none,
      some,
    ]);
    const few = { ...sliding, layer_types: kinds.slice(1) };
    assert.throws(() => windows('qwen2', few), /'layer_types' of config\.json must name 30 layers/);
  });

  // configuration_smollm3.py and modeling_smollm3.py of transformers.
  it('gives windows of SmolLM3 to the layers without rotary positions, or to named layers', () => {
    const layersOf = (more) => {
      const fields = { ...sizes, num_hidden_layers: 5, sliding_window: 4, ...more };
      const { windowOf, optionsOf } = described('smollm3', fields).self;
      return [0, 1, 2, 3, 4].map((n) => [
        windowOf?.(n)?.[0] ?? 0,
        Number(!Object.hasOwn(optionsOf(n) ?? {}, 'rotary')),
      ]);
    };
    const use_sliding_window = true;
    const plain = [1, 1, 1, 0, 1].map((rotary) => [0, rotary]);
    assert.deepEqual(layersOf({}), plain);
    assert.deepEqual(layersOf({ sliding_window: null, use_sliding_window }), plain);
    assert.deepEqual(
      layersOf({ use_sliding_window, max_window_layers: 0 }),
      [0, 0, 0, 3, 0].map((window, n) => [window, plain[n][1]]),
    );
    const no_rope_layers = [0, 1, 1, 1, 0, 0, 1]; // at least as many as layers
    assert.deepEqual(
      layersOf({ use_sliding_window, no_rope_layers }),
      [3, 0, 0, 0, 3].map((window, n) => [window, no_rope_layers[n]]),
    );
    const layer_types = [1, 0, 0, 1, 0].map((local) => `${local ? 'sliding' : 'full'}_attention`);
    assert.deepEqual(
      layersOf({ use_sliding_window, layer_types }).map(([window]) => window),
      [3, 0, 0, 3, 0],
    );
    assert.deepEqual(layersOf({ layer_types }), plain);
    for (const wrong of [[1, 1, 1, 1], [1, 1, 1, 1, 2], []]) {
      assert.throws(() => layersOf({ no_rope_layers: wrong }), /'no_rope_layers' .* 5 layers/);
    }
  });

  // default_theta of configuration_gemma3.py and configuration_modernbert.py of transformers 5, which also fills in a missing
  // layer type; configuration_modernbert.py of transformers 4 for 'local_rope_theta'.
  it('gives each layer type its theta: Gemma 3 and ModernBERT', () => {
    const thetasOf = (type, more) => {
      const { self } = described(type, { ...sizes, ...more });
      return [0, 1, 2, 3].map((n) => (self.optionsOf?.(n)?.rotary ?? self.options.rotary).theta);
    };
    const rope_type = 'default';
    const bare = { full_attention: { rope_type }, sliding_attention: { rope_type } };
    const [full, sliding] = [bare, bare].map((types, n) =>
      Object.fromEntries(Object.entries(types).slice(n, n + 1)),
    );
    const own = { rope_type, rope_theta: 500 };
    for (const [type, more, [global, local], fields] of [
      [
        'gemma3_text',
        { sliding_window_pattern: 3 },
        [1e6, 1e4],
        ['rope_theta', 'rope_local_base_freq'],
      ],
      ['modernbert', {}, [16e4, 1e4], ['global_rope_theta', 'local_rope_theta']],
    ]) {
      const expected = (g, l) => (type === 'modernbert' ? [g, l, l, g] : [l, l, g, l]);
      const thetas = (others) => thetasOf(type, { ...more, ...others });
      assert.deepEqual(thetas({}), expected(global, local), type);
      const layer_types = [1, 0, 1, 1].map((is) => `${is ? 'sliding' : 'full'}_attention`);
      for (const rope_parameters of [bare, full, sliding]) {
        assert.deepEqual(thetas({ rope_parameters }), expected(global, local), type);
        assert.deepEqual(thetas({ rope_parameters, layer_types }), [local, global, local, local]);
        const both = { [fields[0]]: 300, [fields[1]]: 200 };
        assert.deepEqual(thetas({ rope_parameters, ...both }), expected(300, 200), type);
      }
      const named = { ...bare, sliding_attention: own };
      assert.deepEqual(thetas({ rope_parameters: named }), expected(global, 500), type);
      assert.deepEqual(
        thetas({ rope_parameters: { ...bare, full_attention: own } }),
        expected(500, local),
      );
    }
    assert.deepEqual(thetasOf('modernbert', { local_rope_theta: null }), Array(4).fill(16e4));
  });

  // int(head_dim * partial_rotary_factor), and rotary_dim as it is.
  it('rotates a whole number of dimensions, rounded once', () => {
    const widthOf = (type, head, more) => {
      const fields = { ...sizes, hidden_size: 3 * head, head_dim: head, ...more };
      return described(type, fields).self.options.rotary.width;
    };
    for (const type of ['gptj', 'codegen']) {
      for (let head = 2; head <= 256; head++) {
        for (let rotary_dim = 2; rotary_dim <= head; rotary_dim += 2) {
          assert.equal(widthOf(type, head, { rotary_dim }), rotary_dim);
        }
      }
    }
    // int(100 * 0.29), int(100 * 0.58), int(80 * 0.35) and int(50 * 0.3) in Python
    for (const [head, factor, width] of [
      [100, 0.58, 57],
      [80, 0.35, 28],
      [50, 0.28, 14],
    ]) {
      for (const type of ['gpt_neox', 'phi', 'stablelm', 'llama', 'phi3']) {
        const name = type === 'gpt_neox' ? 'rotary_pct' : 'partial_rotary_factor';
        const of = () => widthOf(type, head, { [name]: factor });
        if (width % 2 === 0) assert.equal(of(), width, type);
        else assert.throws(of, new RegExp(`found ${width}$`), type);
      }
    }
  });

  it('gives GPT-Neo the layers of attention_types, of known kinds', () => {
    const kindsOf = (attention_types) =>
      [0, 1, 2, 3].map((n) => described('gpt_neo', { ...sizes, attention_types }).self.windowOf(n));
    const [none, some] = [undefined, [255, 0]];
    assert.deepEqual(kindsOf([[['local'], 4]]), [some, some, some, some]);
    assert.deepEqual(kindsOf([[['global', 'local'], 2]]), [none, some, none, some]);
    assert.deepEqual(kindsOf(undefined), [none, some, none, some]);
    const local = (count) => [['local'], count];
    for (const wrong of [[7], [local(3)], [local(1e9)], [[['near'], 4]], [local(9), local(3)]]) {
      assert.throws(() => kindsOf(wrong), { name: 'RangeError', message: /'attention_types'/ });
    }
    const four = { ...sizes, attention_types: [local(4)], window_size: 3 };
    assert.deepEqual(described('gpt_neo', four).self.windowOf(3), [2, 0]);
  });

  it('is refused with unsupported values', () => {
    for (const [type, more, name] of [
      ['bert', { is_decoder: true }, 'is_decoder'],
      ['bert', { position_embedding_type: 'relative_key' }, 'position_embedding_type'],
      ['gpt2', { add_cross_attention: true }, 'add_cross_attention'],
      ['phi', { qk_layernorm: true }, 'qk_layernorm'],
      ['bert', { architectures: 'BertModel' }, 'architectures'],
      ['vit', { image_size: '2' }, 'image_size'],
    ]) {
      assert.throws(() => described(type, { ...sizes, ...more }), {
        name: 'RangeError',
        message: new RegExp(`'${name}'`),
      });
    }
    const both = { ...sequences, add_final_layer_norm: true };
    assert.throws(() => described('bart', both), /'add_final_layer_norm'/);
  });

  it('classifies each token', () => {
    const { heads } = described('gpt2', {
      ...sizes,
      architectures: ['GPT2ForTokenClassification'],
    });
    assert.equal(heads.find(({ steps }) => steps[0].linear === 'score').on, 'tokens');
  });
});

describe('a config field', () => {
  /** For each kind of field: accepted values at its limits, and refused values beyond them. */
  const limits = [
    ['whole', (c) => c.integer('x'), [1, 2 ** 31 - 1], [0, 2 ** 31, 1.5, '1', true]],
    ['whole from 0', (c) => c.integer('x', 5, 0), [0, 1], [-1, -0.5]],
    ['layers', (c) => c.layers('x'), [1, 4096], [0, 4097]],
    ['number', (c) => c.number('x'), [0, 3e38], [-1e-9, 4e38, Infinity, NaN, '0']],
    ['number above 0', (c) => c.positive('x'), [2 ** -126, 3e38], [0, 2 ** -127, -1, 4e38]],
    [
      'sides',
      (c) => c.sides('x'),
      [[1, 2 ** 31 - 1]],
      [0, 1.5, '1', 2 ** 31, [1], [1, 0], [1, 1, 1]],
    ],
    ['flag', (c) => c.flag('x'), [true, false], [0, 'true']],
    ['list', (c) => c.list('x'), [[], [1]], ['', {}]],
    ['numbers', (c) => c.numbers('x', 2), [[0, 1]], [[1], [1, 2, 3], [1, -1], '12']],
    ['ids', (c) => c.ids('x').length, [], [-1, 1.5, [1, -1], '1']],
    ['activation', (c) => c.activation('x'), ['relu'], ['RELU', 'tanh', 0]],
    [
      'activation of a pooler',
      (c) => c.activation('x', 'tanh', true),
      ['tanh', 'relu'],
      ['RELU', 0],
    ],
  ];
  for (const [name, read, taken, refused] of limits) {
    it(`is accepted up to its limits only: ${name}`, () => {
      for (const x of taken) assert.deepEqual(read(new ConfigFields({ x })), x);
      for (const x of refused) {
        assert.throws(
          () => read(new ConfigFields({ x })),
          /^RangeError: .*config\.json (must be|requests)/,
        );
      }
    });
  }

  it('may be any number of token ids', () => {
    const ids = (x) => new ConfigFields({ x }).ids('x');
    assert.deepEqual([ids(null), ids(0), ids([0, 7])], [[], [0], [0, 7]]);
  });

  it('has the value of its first present name; null counts as absent', () => {
    const c = new ConfigFields({ a: null, b: 2, c: 3 });
    assert.equal(c.integer('a|b|c'), 2);
    assert.equal(c.integer('a', 7), 7);
    assert.throws(
      () => c.integer('a|d', 0),
      /^RangeError: 'a' of config\.json must be an integer from 1/,
    );
    assert.throws(() => c.integer('a|d'), /^RangeError: config\.json has no 'a' or 'd'$/);
    assert.equal(new ConfigFields(JSON.parse('{"__proto__": 5}')).get('__proto__'), 5);
    assert.equal(c.get('toString'), undefined);
  });

  it('must be an object', () => {
    for (const fields of [null, [], 'a', 5, undefined]) {
      assert.throws(
        () => new ConfigFields(fields),
        /^TypeError: config\.json must be an object, found/,
      );
    }
  });

  it('may be a list of architectures, one of them known', () => {
    const hasArchitecture = (architectures) =>
      new ConfigFields({ architectures }).hasArchitecture(/Model$/);
    assert.deepEqual(
      [
        hasArchitecture(undefined),
        hasArchitecture([]),
        hasArchitecture(['A']),
        hasArchitecture(['A', 'BModel']),
      ],
      [false, false, false, true],
    );
  });
});
