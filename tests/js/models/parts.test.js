// attention-wasm/models, its parts by themselves, where no whole model comes by: frequencies of rotary embeddings, stored
// numbers, pictures, folders and streams that fail, places of tokens.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { activations } from '../../../web/lib/models/activations.js';
import { ConfigFields } from '../../../web/lib/models/config_fields.js';
import { decoderIdsOf } from '../../../web/lib/models/decoder_ids.js';
import { describeModel } from '../../../web/lib/models/families.js';
import { floatsOf, kept, keptType } from '../../../web/lib/models/kept_numbers.js';
import { readPixels } from '../../../web/lib/models/patches.js';
import { pickToken } from '../../../web/lib/models/pick_token.js';
import { readInput } from '../../../web/lib/models/read_input.js';
import { rotaryOf } from '../../../web/lib/models/rotary_frequencies.js';
import { readPooling } from '../../../web/lib/models/sentence_pooling.js';
import { directoryHandle } from '../../../web/lib/models/sources/directory_handle.js';
import { diskFolder } from '../../../web/lib/models/sources/disk_folder.js';
import { fillFromStream } from '../../../web/lib/models/sources/fill_from_stream.js';
import { webFolder } from '../../../web/lib/models/sources/web_folder.js';
import { bertTokenizer } from '../../../web/lib/models/tokenizer/bert_vocabulary.js';
import { TextTokens } from '../../../web/lib/models/tokenizer/text_tokens.js';
import { bytesOfToken } from '../../../web/lib/models/tokenizer/token_bytes.js';
import { placesOfBytes, placesOfPieces } from '../../../web/lib/models/tokenizer/token_places.js';
import { normalised } from '../../../web/lib/models/vector_rows.js';

const close = (got, want, tolerance = 1e-12) => {
  assert.equal(got.length, want.length);
  want.forEach((number, at) =>
    assert.ok(Math.abs(got[at] - number) <= tolerance * Math.abs(number), `${got} for ${want}`),
  );
};

describe('frequencies of rotary embeddings', () => {
  const rotary = (rope, keyDim = 8) =>
    rotaryOf(new ConfigFields({ max_position_embeddings: 4096, rope_scaling: rope }), { keyDim })
      .rotary;
  const plain = [1, 0.1, 0.01, 0.001]; // 10000^(-2i/8)

  it('of llama3 stay, are divided, or lie between', () => {
    const rope = { rope_type: 'llama3', factor: 8, low_freq_factor: 1, high_freq_factor: 4 };
    // 1000/2π turns of the first, 15.9, 1.59 and 0.159 of the others.
    const { frequencies } = rotary({ ...rope, original_max_position_embeddings: 1000 });
    const share = ((1000 * 0.01) / (2 * Math.PI) - 1) / 3;
    close(frequencies, [1, 0.1, ((1 - share) * 0.01) / 8 + share * 0.01, 0.001 / 8]);
  });

  it('of yarn change over a ramp, which need not end at whole dimensions', () => {
    const yarn = { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 1024 };
    const placeOf = (turns) => (8 * Math.log(1024 / (turns * 2 * Math.PI))) / (2 * Math.log(1e4));
    const [low, high] = [placeOf(32), placeOf(1)];
    const want = plain.map((f, i) => {
      const ramp = Math.min(Math.max((i - low) / (high - low), 0), 1);
      return (f / 4) * ramp + f * (1 - ramp);
    });
    close(rotary({ ...yarn, truncate: false }).frequencies, want);
    // Both ends at one dimension: a step.
    const step = rotary({ ...yarn, truncate: false, beta_fast: 10, beta_slow: 10 }).frequencies;
    const end = placeOf(10);
    close(
      step,
      plain.map((f, i) => (i <= end ? f : f / 4)),
    );
  });

  it('of yarn come with a factor, which may be given in three ways', () => {
    const yarn = { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 1024 };
    const factorOf = (more) => rotary({ ...yarn, ...more }).factor;
    const grown = (by) => 0.1 * by * Math.log(4) + 1;
    close([factorOf({})], [grown(1)]);
    close([factorOf({ attention_factor: 0.5 })], [0.5]);
    close([factorOf({ mscale: 2, mscale_all_dim: 0.5 })], [grown(2) / grown(0.5)]);
    close([factorOf({ mscale: 2 })], [grown(1)]);
    close([factorOf({ factor: 1 })], [1]);
  });
});

describe('stored numbers', () => {
  it('of 16 and 64 bits are read, infinities and NaN among them', () => {
    const bits = Uint16Array.of(0x3c00, 0xc000, 0x7c00, 0xfc00, 0x7e00, 0x0001, 0x8000);
    const got = floatsOf({ data: bits, type: 'float16' });
    const want = [1, -2, Infinity, -Infinity, NaN, 2 ** -24, -0];
    want.forEach((number, at) => assert.ok(Object.is(got[at], number), `${got[at]} at ${at}`));
    const doubles = Float64Array.of(0.1, -Infinity);
    assert.deepEqual(
      [...floatsOf({ data: doubles, type: 'float64' })],
      [Math.fround(0.1), -Infinity],
    );
  });

  it('of 64 bits are kept as those of 32, and a row of zeros has a scale of 0', () => {
    const doubles = { data: Float64Array.of(0, 0, 1, -2), dims: [2, 2], type: 'float64' };
    assert.equal(keptType('float64', 'as stored'), 'float32');
    assert.equal(kept(doubles, 'as stored').type, 'float32');
    const { data, scales } = kept(doubles, 'int8');
    assert.deepEqual([[...data], scales[0]], [[0, 0, 64, -127], 0]);
  });

  it('have nonlinearities far out, and directions where there are any', () => {
    assert.equal(activations.gelu(20), 20);
    assert.equal(activations.gelu(-20), -0);
    const nothing = Float32Array.of(0, 0);
    assert.equal(normalised(nothing), nothing);
  });
});

describe('pictures', () => {
  const plan = { channels: 1, image: [2, 2] };
  const nested = [
    [
      [1, 2],
      [3, 4],
    ],
  ];
  const dims = [1, 2, 2];

  it('are tensors, also in a batch of one, numbers in a row, or numbers within arrays', () => {
    const data = Float32Array.of(1, 2, 3, 4);
    for (const pixels of [
      data,
      [1, 2, 3, 4],
      nested,
      { data, dims },
      { data, dims: [1, ...dims] },
    ]) {
      const read = readPixels(pixels, plan);
      assert.deepEqual([[...read.data], read.dims], [[1, 2, 3, 4], dims]);
    }
  });

  it('are refused as anything else', () => {
    for (const [pixels, Problem, sentence] of [
      ['picture', TypeError, /pixels must be a tensor .* found 'picture'/],
      [new Float32Array(5), RangeError, /pixels are 5 numbers, but must be 1 channels × height/],
      [{ data: new Float32Array(8), dims: [2, 2, 2] }, RangeError, /pixels are 2×2×2 numbers/],
      [[[1, 2], [3]], RangeError, /pixels are 2×2 numbers, but must be/],
    ]) {
      assert.throws(
        () => readPixels(pixels, plan),
        (error) => {
          assert.ok(error instanceof Problem);
          assert.match(error.message, sentence);
          return true;
        },
      );
    }
  });

  it('are cut as configs say', () => {
    const vit = (more) =>
      describeModel(
        'vit',
        new ConfigFields({
          ...{ hidden_size: 8, num_hidden_layers: 1, num_attention_heads: 2 },
          ...{ intermediate_size: 16, ...more },
        }),
      ).self;
    assert.deepEqual(vit({}).patches.image, [224, 224]);
    assert.deepEqual(vit({}).withoutBias, []);
    assert.deepEqual(vit({ patch_size: [2, 4] }).patches.patch, [2, 4]);
    assert.equal(vit({ qkv_bias: false }).withoutBias.length, 3);
    for (const size of [[2], [2, 0], '2', [1, 2, 3]]) {
      assert.throws(
        () => vit({ image_size: size }),
        /'image_size' of config\.json must be a whole number or \[height, width\]/,
      );
    }
  });
});

describe('configs that say what is seldom said', () => {
  const sizes = { vocab_size: 9, hidden_size: 8, num_hidden_layers: 2, num_attention_heads: 2 };
  const all = {
    ...{ ...sizes, intermediate_size: 16, max_position_embeddings: 16, d_model: 8 },
    ...{ n_embd: 8, n_layer: 2, n_head: 2, n_positions: 16, encoder_layers: 1, decoder_layers: 1 },
    ...{ encoder_attention_heads: 2, decoder_attention_heads: 2 },
    ...{ encoder_ffn_dim: 16, decoder_ffn_dim: 16, head_dim: 4, patch_size: 2, image_size: 4 },
  };
  const described = (type, more) => describeModel(type, new ConfigFields({ ...all, ...more }));
  const projections = ['self.query', 'self.key', 'self.value'];

  it('have scores without a scale, biases or none, and no window', () => {
    assert.equal(described('gpt2', { scale_attn_weights: false }).self.options.scale, 1);
    const { withoutBias } = described('dinov2', { qkv_bias: false }).self;
    assert.deepEqual(withoutBias, projections);
    const neox = described('gpt_neox', { attention_bias: false, rotary_pct: 1 }).self.withoutBias;
    assert.deepEqual(neox, [...projections, 'self.output']);
    const qwen = described('qwen3', { attention_bias: true }).self.withoutBias;
    assert.deepEqual(qwen, ['gate', 'widen', 'narrow']);
    assert.equal(described('mistral', { sliding_window: null }).self.windowOf, undefined);
    const classes = described('gpt2', { architectures: ['GPT2ForTokenClassification'] }).heads;
    assert.equal(classes.find(({ steps }) => steps[0].linear === 'score').on, 'tokens');
  });

  it('are refused where they say two things, or none that is known', () => {
    assert.throws(
      () => described('bart', { add_final_layer_norm: true }),
      /'add_final_layer_norm' of config\.json differs from 'normalize_before'/,
    );
    assert.throws(
      () => described('bert', { architectures: 'BertModel' }),
      /'architectures' of config\.json must be an array, found 'BertModel'/,
    );
  });
});

describe('inputs of other kinds', () => {
  const model = { tokenizer: undefined, isImage: false, most: 9 };

  it('are refused in a sentence', () => {
    for (const [input, how, sentence] of [
      [{ ids: 5 }, model, /ids must be an array of whole numbers, found 5/],
      [{ ids: [1], decoderIds: 'a' }, model, /decoderIds must be an array of whole numbers/],
      ['a', model, /came without a tokenizer: give \{ ids \}/],
      [['a', 7], model, /the input must be a text, \[text, text\] or \{ ids \}/],
      ['a', { ...model, isImage: true }, /looks at pictures: give \{ pixels \}, found 'a'/],
      [{ pixels: null }, { ...model, isImage: true }, /give \{ pixels \}, found an object/],
    ]) {
      assert.throws(() => readInput(input, how), sentence);
    }
    assert.deepEqual(readInput({ ids: [1], typeIds: null }, model).ids, [1]);
  });
});

describe('configs that leave something out', () => {
  const neo = (more) =>
    describeModel(
      'gpt_neo',
      new ConfigFields({
        ...{ vocab_size: 9, hidden_size: 8, num_layers: 4, num_heads: 2 },
        ...{ max_position_embeddings: 16, ...more },
      }),
    ).self;

  it('have windows in every other layer, or where they say so', () => {
    const windows = ({ windowOf }) => [0, 1, 2, 3].map((n) => windowOf(n)?.[0]);
    assert.deepEqual(windows(neo({})), [undefined, 255, undefined, 255]);
    const types = [
      [['local'], 3],
      [['global'], 1],
    ];
    assert.deepEqual(windows(neo({ attention_types: types, window_size: 3 })), [
      2,
      2,
      2,
      undefined,
    ]);
    for (const attention_types of [[7], [[['local'], 3]], [[['local'], 1e9]], [[['near'], 4]]]) {
      assert.throws(
        () => neo({ attention_types }),
        /'attention_types' of config\.json must name 4 layers/,
      );
    }
  });

  it('have a decoder that begins as it can', () => {
    const parts = { starts: { decoder: 2 }, type: 'bart', head: { on: 'end' } };
    const read = { ids: [5, 6, 7] };
    const tokenizer = { encodePlain: (text) => [...text].map(Number) };
    assert.deepEqual(decoderIdsOf(parts, read), [2, 5, 6]);
    assert.deepEqual(decoderIdsOf({ ...parts, head: undefined }, read), [2]);
    assert.deepEqual(decoderIdsOf({ ...parts, tokenizer }, read, '34'), [2, 3, 4]);
    assert.deepEqual(decoderIdsOf(parts, { ...read, decoderIds: [9] }), [9]);
    for (const [given, of, begin, sentence] of [
      [parts, { ...read, decoderIds: [9] }, '3', /decoderIds and decoder both say/],
      [{ ...parts, starts: {} }, read, undefined, /has no 'decoder_start_token_id'/],
      [parts, read, '3', /came without a tokenizer: give decoderIds/],
    ]) {
      assert.throws(() => decoderIdsOf(given, of, begin), sentence);
    }
  });
});

/** What fetch answers meanwhile: (url, options) → a Response, or an error. */
async function withFetch(answer, use) {
  const { fetch } = globalThis;
  globalThis.fetch = async (url, options) => answer(url, options ?? {});
  try {
    return await use(webFolder('https://models.test/bert'));
  } finally {
    globalThis.fetch = fetch;
  }
}

describe('folders on a server', () => {
  const partial = (bytes, headers = {}) => new Response(bytes, { status: 206, headers });
  const bytes = Uint8Array.of(1, 2, 3);

  it('may hide the length of a range, and tell it by itself', async () => {
    const answer = (_, { method }) =>
      method === 'HEAD'
        ? new Response(null, { headers: { 'content-length': '300000' } })
        : partial(bytes);
    const file = await withFetch(answer, (folder) => folder.bytes('model.safetensors'));
    assert.equal(file.size, 300_000);
    for (const head of [
      new Response(null, { status: 405 }),
      new Response(null, { headers: { 'content-length': '0' } }),
    ]) {
      const silent = (_, { method }) => (method === 'HEAD' ? head : partial(bytes));
      await assert.rejects(
        withFetch(silent, (folder) => folder.bytes('model.safetensors')),
        /^Error: https:\/\/models\.test\/bert\/model\.safetensors does not say how long it is$/,
      );
    }
  });

  it('may fail, and say why', async () => {
    await assert.rejects(
      withFetch(
        () => new Response('', { status: 500 }),
        (folder) => folder.text('config.json'),
      ),
      /config\.json was answered with status 500/,
    );
    await assert.rejects(
      withFetch(
        () => Promise.reject(new TypeError('no network')),
        (folder) => folder.text('config.json'),
      ),
      /config\.json could not be fetched: no network/,
    );
    assert.equal(
      await withFetch(
        () => new Response('', { status: 410 }),
        (folder) => folder.text('tokenizer.json'),
      ),
      undefined,
    );
    let asked = 0;
    await assert.rejects(
      withFetch(
        () =>
          asked++ === 0
            ? partial(bytes, { 'content-range': 'bytes 0-2/9' })
            : new Response('gone', { status: 200 }),
        async (folder) => (await folder.bytes('model.safetensors')).slice(3, 9).arrayBuffer(),
      ),
      /gave its bytes 3 to 9 no more/,
    );
  });

  it('may be left while they answer', async () => {
    const controller = new AbortController();
    const { fetch } = globalThis;
    globalThis.fetch = async () => {
      controller.abort(new Error('enough'));
      throw new TypeError('aborted');
    };
    try {
      const folder = webFolder('https://models.test/bert/', controller.signal);
      await assert.rejects(folder.text('config.json'), /^Error: enough$/);
    } finally {
      globalThis.fetch = fetch;
    }
  });
});

describe('folders that fail', () => {
  it('say so, and that a file is missing by giving nothing', async () => {
    const failing = (name) => ({
      name: 'models',
      async getFileHandle() {
        throw Object.assign(new Error(name), { name });
      },
    });
    assert.equal(await directoryHandle(failing('NotFoundError')).text('a'), undefined);
    assert.equal(await directoryHandle(failing('TypeMismatchError')).bytes('a'), undefined);
    await assert.rejects(directoryHandle(failing('NotAllowedError')).text('a'), /NotAllowedError/);
    const folder = diskFolder(fileURLToPath(new URL('.', import.meta.url)));
    assert.equal(await folder.text('nothing.json'), undefined);
    assert.equal(await folder.text('models_parts.test.js/config.json'), undefined);
    await assert.rejects(folder.text('.'), { code: 'EISDIR' });
    await folder.close();
  });

  it('give streams that end too soon or go on too long', async () => {
    const streamOf = (...parts) =>
      new ReadableStream({
        start(controller) {
          for (const part of parts) controller.enqueue(Uint8Array.from(part));
          controller.close();
        },
      });
    const filled = await fillFromStream(streamOf([1, 2], [3]), new Uint8Array(3));
    assert.deepEqual([...filled], [1, 2, 3]);
    const short = await fillFromStream(streamOf([1, 2]), new Uint8Array(3));
    assert.deepEqual([...short], [1, 2]);
    await assert.rejects(
      fillFromStream(streamOf([1, 2], [3, 4]), new Uint8Array(3)),
      /more bytes came than were asked for/,
    );
  });
});

describe('places of tokens', () => {
  const pieces = (text, tokens, how = {}) =>
    placesOfPieces(text, tokens, { unknown: '<unk>', ...how }).map((span) => text.slice(...span));

  it('are found behind suffixes, and for letters that became others', () => {
    assert.deepEqual(pieces('low er', ['low</w>', 'er</w>'], { suffix: '</w>' }), ['low', 'er']);
    assert.deepEqual(pieces('a € b', ['a', 'EUR', 'b']), ['a', '€', 'b']);
    assert.deepEqual(pieces('a', ['a', 'b']), ['a', '']);
    assert.deepEqual(pieces('', ['<unk>', '']), ['', '']);
    assert.deepEqual(pieces('\u{1f600}!', ['<0xF0>', '<0x9F>', '<0x98>', '<0x80>', '!']), [
      ...Array(4).fill('\u{1f600}'),
      '!',
    ]);
    assert.deepEqual(pieces('éx', ['<0xC3>', 'x']).at(-1), 'x');
    assert.deepEqual(pieces('x', ['<0xFF>']), ['x']);
  });

  it('are those of bytes, and of tokens that stand as they are', () => {
    const places = (text, tokens, literal = []) =>
      placesOfBytes(text, tokens, { literal: new Set(literal) }).map((span) => text.slice(...span));
    assert.deepEqual(places('a<end>b', ['a', '<end>', 'b'], ['<end>']), ['a', '<end>', 'b']);
    assert.deepEqual(places('ab', ['a', '<end>'], ['<end>']), ['a', '']);
    assert.deepEqual(places('a', ['Ġa']), ['a']);
  });
});

describe('how sentences are pooled', () => {
  const kind = (name, path) => ({ type: `sentence_transformers.models.${name}`, path });
  const both = [kind('Transformer', ''), kind('Pooling', 'p')];
  const read = (modules, config) =>
    readPooling({
      json: async (name) => ({ 'modules.json': modules, 'p/config.json': config })[name],
    });
  const mean = { pooling_mode_mean_tokens: true, word_embedding_dimension: 8 };

  it('is what is said beside the model, if it is one thing', async () => {
    assert.deepEqual(await read(both, mean), { mode: 'mean', isNormalised: false });
    const cls = { pooling_mode_mean_tokens: false, pooling_mode_cls_token: true };
    const normed = [...both, kind('Normalize', '')];
    assert.deepEqual(await read(normed, cls), { mode: 'cls', isNormalised: true });
    for (const [modules, config] of [
      [undefined, mean],
      [{}, mean],
      [both.slice(0, 1), mean],
      [[...both, kind('Dense', '')], mean],
      [[null, ...both], mean],
      [both, undefined],
      [both, {}],
      [both, { pooling_mode_mean_tokens: true, pooling_mode_cls_token: true }],
      [both, { pooling_mode_max_tokens: true }],
    ]) {
      assert.equal(await read(modules, config), undefined, JSON.stringify([modules, config]));
    }
  });
});

describe('vocabularies', () => {
  it('of one token a line must have those that stand for others', () => {
    const { model } = bertTokenizer('[UNK]\r\n[CLS]\r\n[SEP]\r\na');
    assert.deepEqual(model.vocab, { '[UNK]': 0, '[CLS]': 1, '[SEP]': 2, a: 3 });
    assert.throws(() => bertTokenizer('[UNK]\n[CLS]\na'), /vocab\.txt has no token '\[SEP\]'/);
    assert.throws(() => bertTokenizer('a', { unk_token: { content: 'b' } }), /no token 'b'/);
  });

  it('have parts of words of a hundred letters, and of longer ones none', () => {
    const description = bertTokenizer('[UNK]\n[CLS]\n[SEP]\na\n##a');
    const idsOf = (count) => new TextTokens(description, {}, 5).encodePlain('a'.repeat(count));
    assert.deepEqual(idsOf(100), [3, ...Array(99).fill(4)]);
    assert.deepEqual(idsOf(101), [0]);
  });

  it('have bytes for what is none of their letters, and no text for no tokens', () => {
    assert.deepEqual(bytesOfToken('a\u4e00Ġ'), [0x61, 0x3f, 0x20]);
    const model = { type: 'WordPiece', unk_token: 'a', vocab: { a: 0 } };
    const tokens = new TextTokens({ model }, {}, 1);
    assert.deepEqual([tokens.decode([]), tokens.tokenOf(0), tokens.tokenOf(1)], ['', 'a', '']);
  });

  it('give the likeliest token where chance is all used up', () => {
    const how = { temperature: 1, random: () => 1, refused: new Set([2]) };
    assert.equal(pickToken(Float32Array.of(1, 3, 9, 2), how), 1);
    assert.equal(pickToken(Float32Array.of(1, 3, 9, 2), { ...how, random: () => 0 }), 0);
  });
});
