// attention-wasm/models: outputs of every model family, compared with independent float64 results (tests/vectors/models.py)
// and, if present beside the checkout, with published models.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { explainBitDifference, explainDifference } from '../../support/js/compare.js';
import { root } from '../../support/js/package.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { seededInput, seededWeights } from '../../support/js/seeded_weights.js';

const everything = { attentions: true, hiddenStates: true, projections: true };

// Rounding errors of float32 after two layers with norms; numbers are around 1, logits up to 10.
const tolerance = 1e-5;

/** The tensors of a result by their name in the fixture. */
function partOf(result, name) {
  if (name === 'attentions') return result.attentions.self;
  return ['encoder', 'decoder', 'cross'].includes(name) ? result.attentions[name] : result[name];
}

function assertClose(got, want, allowed, what) {
  if (!Array.isArray(want)) {
    assert.equal(explainDifference(got, want, allowed), '', what);
    return;
  }
  assert.equal(got?.length, want.length, what);
  want.forEach((tensor, n) => assertClose(got[n], tensor, allowed, `${what} ${n}`));
}

async function withModel(source, options, use) {
  const model = await loadModel(source, options);
  try {
    return await use(model);
  } finally {
    model.delete();
  }
}

const sourceOf = (found) => ({ config: found.config, weights: seededWeights(found) });

describe('families of models', () => {
  for (const [name, found] of Object.entries(cases)) {
    it(`have the numbers of their papers: ${name}`, () =>
      withModel(sourceOf(found), {}, (model) => {
        assert.equal(model.type, found.config.model_type);
        const result = model.run(seededInput(found), everything);
        for (const [part, want] of Object.entries(found.expected)) {
          assertClose(partOf(result, part), want, tolerance, part);
        }
        assert.equal(
          'logits' in result,
          'logits' in found.expected || result.decoderIds !== undefined,
        );
      }));
  }

  it('refuse what their positions do not reach', () =>
    withModel(sourceOf(cases['llama, rope_scaling longrope']), {}, (model) => {
      const ids = Array(9).fill(1);
      assert.throws(() => model.run({ ids }), /9 tokens, but the model has positions for 8/);
    }));

  it('reserve the positions up to the padding id', () =>
    withModel(sourceOf(cases['roberta, masked words']), {}, (model) => {
      const { max_position_embeddings: count } = cases['roberta, masked words'].config;
      assert.ok(model.run({ ids: Array(count - 2).fill(4) }).hidden);
      assert.throws(() => model.run({ ids: Array(count - 1).fill(4) }), RangeError);
    }));

  // Layers without a window keep their rotary base.
  it('have the numbers of a wide window without one: gemma3_text', async () => {
    const found = cases.gemma3_text;
    const { sliding_window: _, ...config } = found.config;
    const weights = seededWeights(found);
    const logitsOf = (window) =>
      withModel(
        { config: { ...config, sliding_window: window }, weights },
        {},
        (model) => model.run(found.input).logits,
      );
    assert.equal(explainBitDifference(await logitsOf(null), await logitsOf(1000)), '');
  });

  it('return requested results only', () =>
    withModel(sourceOf(cases.llama), {}, (model) => {
      const ids = cases.llama.input.ids;
      assert.deepEqual(Object.keys(model.run({ ids })).sort(), ['hidden', 'ids', 'logits']);
      assert.deepEqual(Object.keys(model.run({ ids }, { logits: false })).sort(), [
        'hidden',
        'ids',
      ]);
      const all = model.run({ ids }, { ...everything, logits: false });
      assert.equal(all.hiddenStates.length, model.layers + 1);
      assert.deepEqual(all.hiddenStates.at(-1), all.hidden);
      const [{ query, key, value }] = all.projections.self;
      assert.deepEqual(
        [query.dims, key.dims, value.dims],
        [
          [4, 7, 4],
          [2, 7, 4],
          [2, 7, 4],
        ],
      );
      const second = model.run({ ids }, { attentions: [1] }).attentions.self;
      assert.deepEqual(second, [all.attentions.self[1]]);
      const mean = model.run({ ids }, { attentions: 'average' }).attentions.self[0];
      const [heads] = all.attentions.self;
      const want = mean.data.map((_, at) => {
        const of = [0, 1, 2, 3].map((head) => heads.data[head * mean.data.length + at]);
        return of.reduce((sum, x) => sum + x, 0) / 4;
      });
      assert.equal(explainDifference(mean, { data: want, dims: [7, 7] }, 1e-6), '');
    }));

  it('return requested results of two stacks only', () =>
    withModel(sourceOf(cases.bart), {}, (model) => {
      const keys = (options) => Object.keys(model.run(cases.bart.input, options)).sort();
      const always = ['decoderIds', 'encoderHidden', 'hidden', 'ids'];
      assert.deepEqual(keys({ logits: false }), always);
      assert.deepEqual(keys({}), [...always, 'logits']);
      for (const [options, names] of [
        [{ attentions: 'average' }, ['attentions']],
        [{ hiddenStates: true }, ['encoderHiddenStates', 'hiddenStates']],
        [{ projections: true }, ['projections']],
      ]) {
        assert.deepEqual(keys({ ...options, logits: false }), [...always, ...names].sort());
      }
    }));

  it('return the attentions of one layer, also if the encoder has fewer', () => {
    const { config, shapes, ...rest } = cases.bart;
    const left = Object.entries(shapes).filter(([name]) => !name.includes('.encoder.layers.1.'));
    const all = { ...rest, shapes: Object.fromEntries(left) };
    const source = { config: { ...config, encoder_layers: 1 }, weights: seededWeights(all) };
    return withModel(source, {}, (model) => {
      const { encoder, decoder, cross } = model.run(cases.bart.input, {
        attentions: [1],
      }).attentions;
      assert.deepEqual([encoder.length, decoder.length, cross.length], [0, 1, 1]);
      assert.equal('attentions' in model.run(cases.bart.input, { attentions: [] }), false);
    });
  });

  it('have weights that are the softmax of their projections', () =>
    withModel(sourceOf(cases['gpt_neox']), {}, (model) => {
      const { projections, attentions } = model.run(seededInput(cases['gpt_neox']), everything);
      projections.self.forEach(({ query, key }, n) => {
        const [heads, rows, width] = query.dims;
        const want = new Float64Array(heads * rows * rows);
        for (let head = 0; head < heads; head++) {
          for (let i = 0; i < rows; i++) {
            const powers = Array.from({ length: i + 1 }, (_, j) => {
              let score = 0;
              for (let c = 0; c < width; c++) {
                score +=
                  query.data[(head * rows + i) * width + c] *
                  key.data[(head * rows + j) * width + c];
              }
              return Math.exp(score / Math.sqrt(width));
            });
            const sum = powers.reduce((a, b) => a + b);
            powers.forEach((power, j) => (want[(head * rows + i) * rows + j] = power / sum));
          }
        }
        assert.equal(
          explainDifference(attentions.self[n], { data: want, dims: [heads, rows, rows] }, 1e-6),
          '',
        );
      });
    }));
});

describe('names of tensors', () => {
  const renamed = (found, change) => ({
    config: found.config,
    weights: new Map([...seededWeights(found)].map(([name, tensor]) => [change(name), tensor])),
  });
  const logitsOf = (source, input) => withModel(source, {}, (model) => model.run(input).logits);

  it('may lack their prefix, and may use both spellings of norms', async () => {
    const found = cases['bert, masked words'];
    const want = await logitsOf(sourceOf(found), found.input);
    for (const change of [
      (name) => name.replace(/^bert\./, ''),
      (name) => name.replace('gamma', 'weight').replace('beta', 'bias'),
      (name) => name.replace(/^bert\./, 'model.bert.'),
    ]) {
      assert.equal(
        explainBitDifference(await logitsOf(renamed(found, change), found.input), want),
        '',
      );
    }
  });

  it('may use any name of a tied embedding', async () => {
    for (const [name, from, to] of [
      ['gpt2', 'transformer.wte.weight', 'lm_head.weight'],
      ['t5', 'shared.weight', 'encoder.embed_tokens.weight'],
      ['bart', 'model.shared.weight', 'lm_head.weight'],
      ['qwen3', 'model.embed_tokens.weight', 'embed_tokens.weight'],
    ]) {
      const found = cases[name];
      const source = renamed(found, (tensor) => (tensor === from ? to : tensor));
      const got = await logitsOf(source, found.input);
      assert.equal(
        explainBitDifference(got, await logitsOf(sourceOf(found), found.input)),
        '',
        name,
      );
    }
  });
});

describe('weights of models', () => {
  const run = (source, input, weights) =>
    withModel(source, { weights }, (model) => [model.run(input), model.memoryBytes]);

  it("are the same 'as stored' and as float32, in half of the memory", async () => {
    for (const name of ['gpt2, float16', 'llama, bfloat16, tied']) {
      const found = cases[name];
      const [stored, storedBytes] = await run(sourceOf(found), found.input, 'as stored');
      const [float, floatBytes] = await run(sourceOf(found), found.input, 'float32');
      assert.equal(explainDifference(stored.logits, float.logits, 1e-6), '', name);
      assert.ok(storedBytes < 0.7 * floatBytes, `${storedBytes} of ${floatBytes}`);
    }
  });

  // The second norm makes numbers above 65,536, which float16 does not have.
  it('have the bits of float32 in a decoder with large activations and zero weights', async () => {
    const { config, shapes, input } = cases['gpt2, float16'];
    for (const [type, large] of [
      ['float16', 0x7b00],
      ['bfloat16', 0x4780],
    ]) {
      const weights = seededWeights({ shapes, type });
      for (const [name, { data, dims }] of weights) {
        if (name.endsWith('ln_2.weight')) data.fill(large);
        if (dims.length === 2)
          data.forEach((bits, at) => (data[at] = at % 3 ? bits : bits & 0x8000));
      }
      for (let length = 1; length <= input.ids.length; length++) {
        const of = (how) => run({ config, weights }, { ids: input.ids.slice(0, length) }, how);
        const [[stored], [float]] = [await of('as stored'), await of('float32')];
        for (const part of ['hidden', 'logits']) {
          const difference = explainBitDifference(stored[part], float[part]);
          assert.equal(difference, '', `${part}, ${type}, ${length} tokens`);
        }
      }
    }
  });

  it('are counted once, also a tied embedding, with a scale per row', async () => {
    for (const name of ['gpt2', 'gpt2, float16', 'llama, bfloat16, tied', 'gpt_neox']) {
      const { shapes, type = 'float32', input } = cases[name];
      const size = { float32: 4, 'as stored': type === 'float32' ? 4 : 2, int8: 1 };
      for (const how of Object.keys(size)) {
        let want = 0;
        for (const [tensor, dims] of Object.entries(shapes)) {
          if (tensor.endsWith('.attn.bias')) continue;
          const count = dims.reduce((product, dim) => product * dim, 1);
          // GPT-2's matrices are in × out: a scale per column.
          const scales = /\.c_\w+\.weight$/.test(tensor) ? dims[1] : dims[0];
          if (dims.length === 2) want += count * size[how] + (how === 'int8' ? 4 * scales : 0);
          else want += 4 * count;
        }
        assert.equal((await run(sourceOf(cases[name]), input, how))[1], want, `${name} ${how}`);
      }
    }
  });

  it('are converted from float64 to float32', async () => {
    const found = cases['bert, classes'];
    const weights = new Map(
      [...seededWeights(found)].map(([name, { data, dims }]) => [
        name,
        { data: Float64Array.from(data), dims },
      ]),
    );
    const of = (source, how) => run(source, found.input, how);
    const [want] = await of(sourceOf(found), 'float32');
    const [got] = await of({ config: found.config, weights }, 'as stored');
    assert.deepEqual(got, want);
  });

  it('are rounded to 1/127 of the maximum of their row as int8, and multiplied as integers', async () => {
    const found = Object.entries(cases).filter(([, { int8 }]) => int8);
    assert.ok(found.length > 30);
    for (const [name, one] of found) {
      const [got, bytes] = await run(sourceOf(one), seededInput(one), 'int8');
      assert.equal(explainDifference(got.hidden, one.int8.hidden, tolerance), '', name);
      const [, floatBytes] = await run(sourceOf(one), seededInput(one), 'float32');
      assert.ok(bytes < 0.7 * floatBytes, `${bytes} of ${floatBytes}`);
    }
  });
});

/** Matrices as int8 with scales of 2⁻⁶, and the float32 numbers that they stand for. */
function storedAsInt8(found) {
  const int8 = new Map();
  const floats = new Map();
  for (const [name, tensor] of seededWeights(found)) {
    const { dims } = tensor;
    int8.set(name, tensor);
    floats.set(name, tensor);
    if (dims.length !== 2) continue;
    const width = dims[1];
    // With 127 in each row, the scales are those of quantizing again.
    const data = Int8Array.from(tensor.data, (x, at) =>
      at % width === 0 ? 127 : Math.max(-127, Math.min(127, Math.round(x * 64))),
    );
    const scales = new Float32Array(dims[0]).fill(2 ** -6);
    int8.set(name, { data, dims, type: 'int8', scales });
    floats.set(name, { data: Float32Array.from(data, (x) => x / 64), dims });
  }
  return { int8, floats };
}

describe('int8 weights of a file', () => {
  const run = ({ config, input }, weights, how) =>
    withModel({ config, weights }, { weights: how }, (model) => [
      model.run(input, { hiddenStates: true }),
      model.memoryBytes,
    ]);

  it('are those of quantizing the numbers that they stand for', async () => {
    const found = cases.llama;
    const { int8, floats } = storedAsInt8(found);
    const [got, bytes] = await run(found, int8, 'as stored');
    const [want, wantBytes] = await run(found, floats, 'int8');
    assert.deepEqual(got, want);
    assert.equal(bytes, wantBytes);
  });

  it('become float32 where they are in × out, because a scale belongs to an output', async () => {
    const found = cases.gpt2;
    const { int8, floats } = storedAsInt8(found);
    const [got, bytes] = await run(found, int8, 'as stored');
    const [want, floatBytes] = await run(found, floats, 'float32');
    assert.deepEqual(got.hiddenStates, want.hiddenStates);
    const tables = [...int8].filter(
      ([name, { dims }]) => dims.length === 2 && !/\.c_\w+\.weight$/.test(name),
    );
    const saved = tables.reduce(
      (
        sum,
        [
          ,
          {
            dims: [rows, width],
          },
        ],
      ) => sum + 3 * rows * width - 4 * rows,
      0,
    );
    assert.equal(bytes, floatBytes - saved);
  });

  it('are refused without a scale for each row', async () => {
    const found = cases.llama;
    const { int8 } = storedAsInt8(found);
    const [name, tensor] = [...int8].find(
      ([, { dims }]) => dims.length === 2 && dims[0] !== dims[1],
    );
    const [rows] = tensor.dims;
    int8.set(name, { ...tensor, scales: tensor.scales.subarray(1) });
    await assert.rejects(
      loadModel({ config: found.config, weights: int8 }),
      new RegExp(`^RangeError: .*${rows} `),
    );
  });
});

// ---- models beside the checkout -----------------------------------------------------------------

const published = join(root, '../shared/data/models');
const isThere = existsSync(published);
const skip = isThere ? false : 'no models beside the checkout';

const readJson = (...path) => JSON.parse(readFileSync(join(published, ...path), 'utf8'));
const asTensor = (numbers) => {
  const dims = [];
  for (let inner = numbers; Array.isArray(inner); [inner] = inner) dims.push(inner.length);
  return { data: Float64Array.from(numbers.flat(Infinity)), dims };
};
/** The last `count` numbers, or those from `from` on. */
const numbersOf = ({ data }, from, count) => {
  const part = data.slice(from, from + count);
  return { data: part, dims: [part.length] };
};

function tiny(name, config) {
  const folder = join(published, 'tiny', name);
  const weights = readFileSync(join(folder, `tiny_${name}.safetensors`));
  return { config: config ?? readJson('tiny', name, `tiny_${name}_config.json`), weights };
}

describe('models compared with transformers', { skip }, () => {
  const close = (got, want, what) => assertClose(got, asTensor(want), 1e-4, what);

  // The expected logits of phi3_longrope are those of a text beyond the original length, where long_factor applies.
  const longer = ({ rope_scaling: rope, ...config }) => {
    const { long_factor, original_max_position_embeddings: original } = rope;
    const factor = Math.sqrt(1 + Math.log(32 / original) / Math.log(original));
    const scaling = { ...rope, short_factor: long_factor, attention_factor: factor };
    return { ...config, rope_scaling: { ...scaling, original_max_position_embeddings: 32 } };
  };
  for (const [name, change = (config) => config] of [
    ['opt'],
    ['bloom'],
    ['falcon_mq'],
    ['starcoder2_window'],
    ['gemma2'],
    ['modernbert'],
    ['debertav2_seqcls'],
    ['phi3_longrope', longer],
  ]) {
    it(`${name}: logits, of models without a head hidden vectors`, () => {
      const at = (file) => [`families/${name}`, `tiny_${name}${file}`];
      const { sequences, logits } = readJson(...at('_logits.json'));
      const config = change(readJson(...at('_config.json')));
      const weights = readFileSync(join(published, ...at('.safetensors')));
      return withModel({ config, weights }, {}, (model) => {
        assert.deepEqual(model.unknownFields, []);
        sequences.forEach((ids, n) => {
          const result = model.run({ ids });
          close(result.logits ?? result.hidden, logits[n], `row ${n}`);
        });
      });
    });
  }

  for (const name of ['bert', 'roberta']) {
    it(`${name}: hidden vectors and pooled ones`, () => {
      const {
        sequences,
        token_types: types,
        hidden,
        pooler,
      } = readJson('tiny', name, `tiny_${name}_hidden.json`);
      return withModel(tiny(name), {}, (model) =>
        sequences.forEach((ids, n) => {
          const result = model.run({ ids, typeIds: types[n] });
          close(result.hidden, hidden[n], `row ${n}`);
          close(result.pooled, pooler[n], `row ${n}`);
        }),
      );
    });
  }

  for (const name of ['gpt2', 'gptneox', 'llama', 'qwen3', 'smollm2']) {
    it(`${name}: logits`, () => {
      const { sequences, logits, config } = readJson('tiny', name, `tiny_${name}_logits.json`);
      const own = name === 'gpt2' ? { model_type: 'gpt2', ...config } : undefined;
      return withModel(tiny(name, own), {}, (model) =>
        sequences.forEach((ids, n) => close(model.run({ ids }).logits, logits[n], `row ${n}`)),
      );
    });
  }

  for (const name of ['bart', 't5v10']) {
    it(`${name}: the encoder's output and logits`, () => {
      const expected = readJson('tiny', name, `tiny_${name}_logits.json`);
      return withModel(tiny(name), {}, (model) =>
        expected.enc_sequences.forEach((ids, n) => {
          const result = model.run({ ids, decoderIds: expected.dec_sequences[n] });
          close(result.encoderHidden, expected.enc_hidden[n], `row ${n}`);
          close(result.logits, expected.logits[n], `row ${n}`);
        }),
      );
    });
  }

  it('vit: logits, hidden vectors and attention of a picture', () => {
    const { pixels, logits } = readJson('tiny', 'vit', 'tiny_vit_logits.json');
    const own = readJson('tiny', 'vit', 'expected.json');
    return withModel(tiny('vit'), {}, (model) => {
      const result = model.run({ pixels }, { attentions: true });
      close(result.logits, logits[0], 'logits');
      const firstRow = numbersOf(result.attentions.self[0], 0, 10);
      assertClose(firstRow, asTensor(own.attn_L0_H0_cls_row), tolerance, 'attention');
      assertClose(
        numbersOf(result.hidden, 0, 16),
        asTensor(own.final_hidden_cls),
        tolerance,
        'hidden',
      );
      assert.deepEqual(result.grid, [3, 3]);
    });
  });
});

describe('trained models', { skip }, () => {
  const close = (got, want, what) => assertClose(got, asTensor(want), tolerance, what);
  async function written(model, input) {
    const ids = [];
    for await (const { id } of model.generate(input)) ids.push(id);
    return ids;
  }

  it('characters and phonemes: attention of a decoder, and its output', () =>
    withModel(join(published, 'g2p-bart-us'), {}, async (model) => {
      for (const want of readJson('g2p-bart-us', 'expected.json').cases) {
        const input = { ids: want.input_ids, decoderIds: want.decoder_input_ids };
        const result = model.run(input, { attentions: true });
        const { dims } = result.hidden;
        const last = (dims[0] - 1) * dims[1];
        close(numbersOf(result.hidden, last, 8), want.decoder_last_hidden_lastpos_first8, 'hidden');
        close(
          numbersOf(result.encoderHidden, 0, 8),
          want.encoder_last_hidden_pos0_first8,
          'encoder',
        );
        close(numbersOf(result.logits, 0, want.logits_step0.length), want.logits_step0, 'logits');
        const { cross, encoder } = result.attentions;
        close(
          { data: cross[0].data, dims: cross[0].dims.slice(1) },
          want.cross_attn_L0_H0_all_rows,
          'cross',
        );
        const columns = want.input_ids.length;
        close(
          numbersOf(encoder[0], columns, columns),
          want.encoder_self_attn_L0_H0_query1,
          'encoder',
        );
        const [start, ...after] = want.decoder_output_ids;
        assert.deepEqual(
          [start, ...(await written(model, { ids: want.input_ids }))],
          [start, ...after],
        );
      }
    }));

  it('manufacturing plans: the last row of every head, and the next tokens', () =>
    withModel(join(published, 'capp-gpt2'), {}, async (model) => {
      for (const want of readJson('capp-gpt2', 'expected.json').cases) {
        const ids = want.input_ids;
        const n = ids.length;
        const result = model.run({ ids }, { attentions: true, hiddenStates: true });
        const last = (n - 1) * 64;
        close(
          numbersOf(result.hidden, last, 8),
          want.final_hidden_lastpos_first8_after_ln_f,
          'hidden',
        );
        close(
          numbersOf(result.hiddenStates[1], last, 8),
          want.residual_after_block0_lastpos_first8,
          'between',
        );
        close(numbersOf(result.logits, (n - 1) * 53, 53), want.last_logits, 'logits');
        for (const [name, row] of Object.entries(want.attn_lastrow)) {
          const [layer, head] = name.match(/\d+/g).map(Number);
          close(numbersOf(result.attentions.self[layer], (head * n + n - 1) * n, n), row, name);
        }
        assert.deepEqual(await written(model, { ids }), want.greedy_ids);
      }
    }));

  it('a folder with a tokenizer, and the same with a vocabulary alone', async () => {
    const folder = join(published, 'tiny-bert-random');
    const pieces = {
      config: readJson('tiny-bert-random', 'config.json'),
      weights: readFileSync(join(folder, 'model.safetensors')),
      tokenizer: readJson('tiny-bert-random', 'tokenizer.json'),
    };
    for (const source of [folder, pieces]) {
      await withModel(source, {}, (model) => {
        const { ids, tokens, spans } = model.run('t5  t6 unheard t7');
        assert.deepEqual(ids, [2, 5, 6, 1, 7, 3]);
        assert.deepEqual(tokens, ['[CLS]', 't5', 't6', '[UNK]', 't7', '[SEP]']);
        assert.deepEqual(spans, [
          [0, 0],
          [0, 2],
          [4, 6],
          [7, 14],
          [15, 17],
          [17, 17],
        ]);
      });
    }
  });
});
