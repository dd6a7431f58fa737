// headOutputs, lens(), attribute(), norms() and sweep() of models of each kind: against float64 by their definitions, and
// identities that hold.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ablate, knockout, loadModel, patch, steer, sweep } from 'attention-wasm/models';
import { explainBitDifference, explainDifference } from '../../support/js/compare.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { attributionOf, logitsOf, normsOf } from '../../support/js/oracle_measures.js';
import { oracleModel } from '../../support/js/oracle_model.js';
import { seededInput, seededWeights } from '../../support/js/seeded_weights.js';

const summing = ['gpt2', 'gpt2, float16', 'qwen3', 'gpt_neox', 't5', 'vit, newer names'];
const withLens = ['bert, masked words', ...summing];
const all = [...withLens, 'dinov2'];

// Rounding errors of float32 after two layers with norms, of numbers around 1 to 10.
const tolerance = 4e-5;

const stacksOf = (model) => (model.description.self ? ['self'] : ['encoder', 'decoder', 'cross']);
const mainStack = (model) => (model.description.self ? 'self' : 'decoder');

/** use({ model, source, input }); source: as float32, which has the same numbers as all types of the fixture. */
async function withModel(name, use, options) {
  const { config } = cases[name];
  const model = await loadModel({ config, weights: seededWeights(cases[name]) }, options);
  const source = { config, weights: seededWeights({ ...cases[name], type: 'float32' }) };
  try {
    return await use({ model, source, input: seededInput(cases[name]) });
  } finally {
    model.delete();
  }
}

/** The places of the oracle, for the inputs that the embeddings give. */
function oracleOf({ model, source, input }) {
  const { hiddenStates, encoderHiddenStates } = model.run(input, { hiddenStates: true });
  const inputs = encoderHiddenStates
    ? { encoder: encoderHiddenStates[0], decoder: hiddenStates[0] }
    : { self: hiddenStates[0] };
  return oracleModel(source, inputs).captured;
}

const captureOf = (model, at, stacks = stacksOf(model)) => stacks.map((stack) => ({ at, stack }));

const rowAt = ({ data, dims }, index) =>
  Array.from(data.slice(index * dims.at(-1), (index + 1) * dims.at(-1)));

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

describe('headOutputs', () => {
  for (const name of all) {
    it(`are what each head adds, and sum to the output of W_O with its bias: ${name}`, () =>
      withModel(name, (one) => {
        const { model, input, source } = one;
        const stacks = stacksOf(model);
        const capture = captureOf(model, 'attn_out');
        const { headOutputs, captured } = model.run(input, { headOutputs: true, capture });
        const want = oracleOf(one);
        assert.deepEqual(Object.keys(headOutputs), stacks);
        for (const stack of stacks) {
          assert.equal(headOutputs[stack].length, 2);
          headOutputs[stack].forEach((got, layer) => {
            const expected = want.get(`${stack} head_out ${layer}`);
            assert.equal(explainDifference(got, expected, tolerance), '', `${stack} ${layer}`);
            const [heads, n, width] = got.dims;
            const { tensor } = captured.find(
              (one) => one.at === 'attn_out' && one.stack === stack && one.layer === layer,
            );
            const biases = [...source.weights].filter(([tensorName]) =>
              new RegExp(
                `\\b${layer}\\.(attn\\.c_proj|attention\\.(output\\.)?(dense|o_proj))\\.bias`,
              ).test(tensorName),
            );
            assert.equal(biases.length, /qwen3|t5/.test(name) ? 0 : 1);
            const scale = source.weights.get(`dinov2.encoder.layer.${layer}.layer_scale1.lambda1`);
            for (let at = 0; at < n * width; at++) {
              let total = biases[0]?.[1].data[at % width] ?? 0;
              for (let head = 0; head < heads; head++) total += got.data[head * n * width + at];
              total *= scale?.data[at % width] ?? 1;
              assert.ok(Math.abs(total - tensor.data[at]) <= 1e-4, `${stack} ${layer} ${at}`);
            }
          });
        }
      }));
  }

  it('are returned for the requested layers only, and not without the option', () =>
    withModel('gpt2', ({ model, input }) => {
      const { headOutputs } = model.run(input, { headOutputs: [1] });
      const whole = model.run(input, { headOutputs: true });
      assert.equal(headOutputs.self.length, 1);
      assert.equal(explainBitDifference(headOutputs.self[0], whole.headOutputs.self[1]), '');
      assert.equal('headOutputs' in model.run(input, { headOutputs: false }), false);
      assert.throws(() => model.run(input, { headOutputs: [2] }), { name: 'RangeError' });
      assert.throws(() => model.run(input, { headOutputs: 'all' }), {
        name: 'TypeError',
        message: /^headOutputs/,
      });
    }));
});

describe('lens()', () => {
  for (const name of withLens) {
    it(`is the final norm and the head after each layer, at the last the logits: ${name}`, () =>
      withModel(name, (one) => {
        const { model, input, source } = one;
        const stack = mainStack(model);
        const result = model.run(input, { capture: captureOf(model, 'resid_post', [stack]) });
        const views = model.lens(result);
        assert.deepEqual(
          views.map(({ layer }) => layer),
          [0, 1],
        );
        assert.equal(explainBitDifference(views[1].logits, result.logits), '');
        const want = oracleOf(one);
        for (const { layer, logits } of views) {
          const x = want.get(`${stack} resid_post ${layer}`);
          const rows = logits.dims.length === 1 ? 1 : x.dims[0];
          for (let at = 0; at < rows; at++) {
            const expected = logitsOf(source, rowAt(x, at));
            const got = { data: Float32Array.from(rowAt(logits, at)), dims: [expected.length] };
            const { dims } = got;
            assert.equal(explainDifference(got, { data: expected, dims }, tolerance), '');
          }
        }
      }));
  }

  it('has the likeliest tokens, of the requested layers', () =>
    withModel('gpt2', ({ model, input }) => {
      const result = model.run(input, { capture: ['resid_post'] });
      const [{ layer, top }] = model.lens(result, { layers: [1], top: 3 });
      assert.deepEqual([layer, top.length], [1, 6]);
      for (const [at, tokens] of top.entries()) {
        const logits = rowAt(result.logits, at);
        const order = [...logits.keys()].sort((a, b) => logits[b] - logits[a]).slice(0, 3);
        assert.deepEqual(
          tokens.map(({ id }) => id),
          order,
        );
        const total = sum(logits.map(Math.exp));
        for (const { id, logit, probability } of tokens) {
          assert.equal(logit, logits[id]);
          assert.ok(Math.abs(probability - Math.exp(logits[id]) / total) < 1e-9);
        }
      }
    }));

  it('has the likeliest classes of a text', () =>
    withModel('bert, classes', ({ model, input }) => {
      const result = model.run(input, { capture: ['resid_post'] });
      const views = model.lens(result, { top: 1 });
      const best = result.logits.data.indexOf(Math.max(...result.logits.data));
      assert.deepEqual(views.at(-1).top[0][0].id, best);
    }));

  it('names what is missing', () =>
    withModel('t5', async ({ model, input }) => {
      assert.throws(() => model.lens(model.run(input)), {
        name: 'TypeError',
        message: /no resid_post of the stack 'decoder'.*capture/,
      });
      const capture = [{ at: 'resid_post', stack: 'decoder', layer: 0 }];
      assert.throws(() => model.lens(model.run(input, { capture }), { layers: [1] }), {
        name: 'RangeError',
        message: /no resid_post of layer 1/,
      });
      const ofEncoder = [{ at: 'resid_post', stack: 'encoder' }];
      assert.throws(() => model.lens(model.run(input, { capture: ofEncoder })), /'decoder'/);
      await withModel('t5, encoder', ({ model: encoder, input: text }) => {
        const result = encoder.run(text, { capture: ['resid_post'] });
        assert.throws(() => encoder.lens(result), { name: 'RangeError', message: /no head/ });
      });
    }));
});

/** What the embeddings add at a position, by the weights. */
function embeddedAt({ source, input, model }, position) {
  const { config, weights } = source;
  const id = (input.decoderIds ?? input.ids)?.[position];
  if (config.model_type === 'gpt2') {
    return [
      { source: 'embed', row: rowAt(weights.get('transformer.wte.weight'), id) },
      { source: 'pos_embed', row: rowAt(weights.get('transformer.wpe.weight'), position) },
    ];
  }
  const [embedded] = model.run(input, { hiddenStates: true }).hiddenStates;
  return [{ source: 'embed', row: rowAt(embedded, position) }];
}

describe('attribute()', () => {
  for (const name of summing) {
    it(`has the parts of a logit and of a difference, which sum: ${name}`, () =>
      withModel(name, (one) => {
        const { model, input, source } = one;
        const result = model.run(input, { attribution: true });
        const isImage = name.startsWith('vit');
        const want = oracleOf(one);
        for (const options of [
          { token: 1 },
          { token: 2, against: 0 },
          ...(isImage ? [] : [{ token: 7, against: 3, position: 1 }]),
        ]) {
          const got = model.attribute(result, options);
          const count = (input.decoderIds ?? input.ids)?.length;
          const position = isImage ? 0 : (options.position ?? count - 1);
          assert.equal(got.position, position);
          const embedded = embeddedAt(one, position);
          const expected = attributionOf(source, want, embedded, { ...options, position });
          assert.deepEqual(
            got.parts.map(({ value: _, ...where }) => where),
            expected.map(({ value: _, ...where }) => where),
          );
          for (const [at, { value }] of expected.entries()) {
            const { value: found } = got.parts[at];
            assert.ok(Math.abs(found - value) <= 1e-4, `${JSON.stringify(got.parts[at])} ${value}`);
          }
          const logits = rowAt(result.logits, isImage ? 0 : position);
          const total = logits[options.token] - (logits[options.against] ?? 0);
          assert.equal(got.total, total);
          const size = sum(got.parts.map(({ value }) => Math.abs(value)));
          assert.ok(Math.abs(sum(got.parts.map(({ value }) => value)) - total) <= 1e-4 * size);
        }
      }));
  }

  // A norm or a scale follows the output of attention; Gemma 2 has logits of at most 3.
  for (const [name, uncapped = (logit) => logit] of [
    ['granite'],
    ['olmo2'],
    ['gemma3_text'],
    ['gemma2', (logit) => 3 * Math.atanh(logit / 3)],
  ]) {
    it(`has parts that sum where their outputs are normalized or scaled: ${name}`, () =>
      withModel(name, ({ model, input }) => {
        const result = model.run(input, { attribution: true });
        const { total, parts } = model.attribute(result, { token: 2, against: 5 });
        const logits = rowAt(result.logits, input.ids.length - 1).map(uncapped);
        const want = logits[2] - logits[5];
        const found = sum(parts.map(({ value }) => value));
        assert.ok(parts.every(({ source }) => source !== 'edits'));
        assert.ok(Math.abs(total - want) <= 1e-3, `${total} instead of ${want}`);
        assert.ok(Math.abs(found - want) <= 1e-3, `${found} instead of ${want}`);
      }));
  }

  it('of int8 weights has a part of their rounding, and sums', () =>
    withModel(
      'gpt2, wide',
      ({ model, input }) => {
        const result = model.run(input, { attribution: true });
        const { total, parts } = model.attribute(result, { token: 3, against: 5 });
        const rounding = parts.at(-1);
        assert.equal(rounding.source, 'rounding');
        assert.ok(rounding.value !== 0 && Math.abs(rounding.value) < 0.01, `${rounding.value}`);
        assert.ok(Math.abs(sum(parts.map(({ value }) => value)) - total) <= 1e-9);
      },
      { weights: 'int8' },
    ));

  it('has a part of edits of the residual stream', () =>
    withModel('gpt2', ({ model, input }) => {
      const edits = steer(0, [3, -1, 2, 0.5, 0, 1, -2, 4]);
      const { total, parts } = model.attribute(model.run(input, { attribution: true, edits }), {
        token: 3,
      });
      assert.equal(parts.at(-1).source, 'edits');
      assert.ok(Math.abs(sum(parts.map(({ value }) => value)) - total) <= 1e-9);
      const without = model.run(input, { attribution: true, edits: ablate(1, 0) });
      const own = model.attribute(without, { token: 3 }).parts;
      const { value } = own.find(({ layer, head }) => layer === 1 && head === 0);
      assert.equal(value, 0);
      assert.ok(own.every(({ source }) => source !== 'edits'));
    }));

  it('is refused with the reason', async () => {
    const refused = (name, message, edit = (options) => options) =>
      withModel(name, ({ model, input }) => {
        const result = model.run(input, { attribution: true });
        assert.throws(() => model.attribute(result, edit({ token: 1 })), {
          name: 'RangeError',
          message,
        });
      });
    await refused('bert, masked words', /post-norm/);
    await refused('bart', /post-norm/);
    await refused('dinov2', /not one linear map/);
    await refused('opt, projected', /post-norm/);
    await refused('t5, encoder', /no head/);
    await refused('gpt2', /^token must be from 0 to 10, found 11/, () => ({ token: 11 }));
    await refused('gpt2', /^against must be/, () => ({ token: 1, against: -1 }));
    await refused('gpt2', /^position must be from 0 to 5/, () => ({ token: 1, position: 6 }));
    await refused('gpt2, classes, scaled by layer', /^position is set/, () => ({
      ...{ token: 1, position: 0 },
    }));
    await withModel('gpt2', ({ model, input }) => {
      assert.throws(() => model.attribute(model.run(input), { token: 1 }), {
        name: 'TypeError',
        message: /no resid_post/,
      });
      const silent = model.run(input, { attribution: true, logits: false });
      assert.throws(() => model.attribute(silent, { token: 1 }), /no logits/);
      assert.throws(() => model.attribute(model.run(input)), /needs the option 'token'/);
    });
  });
});

describe('norms()', () => {
  for (const name of all) {
    it(`are those of weighted, transformed values: ${name}`, () =>
      withModel(name, (one) => {
        const { model, input } = one;
        const capture = captureOf(model, 'value_out');
        const got = model.norms(model.run(input, { capture, attentions: true }));
        const want = oracleOf(one);
        assert.equal(got.length, 2 * capture.length);
        for (const { stack, layer, heads, together } of got) {
          const values = want.get(`${stack} value_out ${layer}`);
          const expected = normsOf(want.get(`${stack} pattern ${layer}`), values);
          assert.equal(explainDifference(heads, expected.heads, tolerance), '');
          assert.equal(explainDifference(together, expected.together, tolerance), '');
        }
      }));
  }

  it('name what is missing', () =>
    withModel('gpt2', ({ model, input }) => {
      assert.throws(() => model.norms(model.run(input)), {
        name: 'TypeError',
        message: /no value_out/,
      });
      const capture = ['value_out'];
      for (const attentions of [false, 'average', [1]]) {
        assert.throws(() => model.norms(model.run(input, { capture, attentions })), {
          name: 'TypeError',
          message: /attentions: true/,
        });
      }
    }));
});

describe('sweep()', () => {
  const logitOf = (token) => (result) => result.logits.data.at(-5 + token);

  for (const name of withLens) {
    it(`has the numbers of its runs one by one, bit by bit: ${name}`, () =>
      withModel(name, async ({ model, input }) => {
        const metric = logitOf(3);
        for (const stack of stacksOf(model)) {
          const edit = (layer, head) => ablate(layer, head, { stack });
          const { values, dims, base } = await sweep(model, input, { edit, metric });
          assert.deepEqual(dims, [2, model.heads]);
          const runs = [0, 1].flatMap((layer) =>
            Array.from({ length: model.heads }, (_, head) =>
              metric(model.run(input, { edits: edit(layer, head) })),
            ),
          );
          assert.deepEqual([...values], runs);
          assert.equal(base, metric(model.run(input)));
          // Edits of an earlier layer than the one that the sweep is at.
          const both = (layer, head) => [...edit(layer, head), ...edit(0, 0)];
          const again = await sweep(model, input, { edit: both, metric, over: { layers: [1] } });
          const heads = Array.from({ length: model.heads }, (_, head) => head);
          assert.deepEqual(
            [...again.values],
            heads.map((head) => metric(model.run(input, { edits: both(1, head) }))),
          );
          assert.ok(new Set(values).size > 1 || stack === 'cross');
        }
      }));
  }

  it('is over the axes of its option, in their order, with several layers and stacks', () =>
    withModel('t5', async ({ model, input }) => {
      const other = model.run(
        { ...input, ids: [...input.ids].reverse() },
        {
          capture: [{ at: 'resid_pre', stack: 'encoder' }],
        },
      );
      const seen = [];
      const edit = (layer, head, position) => {
        seen.push([layer, head, position]);
        if (position === 3) return [];
        return [
          ...patch(other, { at: 'resid_pre', stack: 'encoder', layer, query: position }),
          ...knockout({ layers: [0, 1], stack: 'cross', key: position }),
        ];
      };
      const metric = (result) => sum([...result.logits.data].map(Math.abs));
      const over = { layers: [1, 0], heads: false, positions: [0, 3] };
      const { values, dims, base } = await sweep(model, input, { edit, metric, over });
      assert.deepEqual(dims, [2, 2]);
      const order = [[1, 0], [1, 3], [0, 0], [0, 3]]; // prettier-ignore
      assert.deepEqual(
        seen,
        order.map(([layer, position]) => [layer, undefined, position]),
      );
      const runs = order.map(([layer, position]) =>
        metric(model.run(input, { edits: edit(layer, undefined, position) })),
      );
      assert.deepEqual([...values], runs);
      assert.deepEqual([values[1], values[3]], [base, base]);
    }));

  it('has the logits of one position, with the same bits', () =>
    withModel('gpt2', async ({ model, input }) => {
      const edit = (layer) => knockout({ layers: layer, query: 4, key: 0 });
      const over = { heads: false };
      const metric = ({ logits: { data, dims } }) => (dims[0] === 1 ? data[3] : data[4 * 11 + 3]);
      const whole = await sweep(model, input, { edit, metric, over });
      const one = await sweep(model, input, { edit, metric, over, position: 4 });
      assert.deepEqual(one, whole);
    }));

  it('reads each edit once, and typed arrays of layers', () =>
    withModel('gpt2', async ({ model, input }) => {
      const over = { layers: [0], heads: false };
      const metric = logitOf(1);
      const edits = [{ at: 'z', layer: Int32Array.of(0, 1), to: 'zero' }];
      const { values } = await sweep(model, input, { edit: () => edits, metric, over });
      assert.deepEqual([...values], [metric(model.run(input, { edits }))]);
      let reads = 0;
      const changing = {
        ...{ at: 'z', to: 'zero' },
        get layer() {
          return reads++;
        },
      };
      const once = await sweep(model, input, { edit: () => [changing], metric, over });
      assert.deepEqual([...once.values], [metric(model.run(input, { edits: ablate(0) }))]);
      assert.equal(reads, 1);
    }));

  for (const [name, layer] of [
    ['gpt2', 1],
    ['bart', 1],
  ]) {
    it(`gives a metric copies, which it may change: ${name}`, () =>
      withModel(name, async ({ model, input }) => {
        const stack = name === 'bart' ? 'decoder' : undefined;
        const over = { layers: [layer], heads: [0, 1] };
        const edit = (...at) => ablate(...at.slice(0, 2), { stack });
        const metric = logitOf(1);
        const spoil = (tensor) => {
          for (const own of [tensor].flat()) own?.data?.fill(7);
        };
        const spoiling = (result) => {
          const value = metric(result);
          for (const part of Object.values(result)) {
            if (Array.isArray(part)) part.fill(0);
            spoil(part);
          }
          assert.equal(result.hiddenStates, undefined);
          return value;
        };
        const want = await sweep(model, input, { edit, metric, over });
        assert.deepEqual(await sweep(model, input, { edit, metric: spoiling, over }), want);
      }));
  }

  it('reports progress, lets other tasks run, and stops', () =>
    withModel('gpt2', async ({ model, input }) => {
      const controller = new AbortController();
      const progress = [];
      const sweeping = sweep(model, input, {
        ...{ edit: ablate, metric: logitOf(1), signal: controller.signal },
        onProgress(state) {
          progress.push(state);
          setImmediate(() => controller.abort());
        },
      });
      await assert.rejects(sweeping, { name: 'AbortError' });
      assert.deepEqual(progress[0], { done: 1, total: 4 });
      assert.ok(progress.length < 4);
    }));

  it('refuses other arguments', () =>
    withModel('gpt2', async ({ model, input }) => {
      const usual = { edit: ablate, metric: logitOf(1) };
      const refused = (options, name, message) =>
        assert.rejects(sweep(model, input, { ...usual, ...options }), { name, message });
      await refused({ edit: undefined }, 'TypeError', /needs the option 'edit'/);
      await refused({ metric: () => 'large' }, 'TypeError', /^metric must return a number/);
      await refused({ edit: () => ({}) }, 'TypeError', /^edit must return an array/);
      await refused({ over: { layers: false } }, 'RangeError', /over layers/);
      await refused({ over: { heads: 3 } }, 'TypeError', /^over\.heads/);
      await refused({ over: { layer: true } }, 'TypeError', /'layer'/);
      await refused({ over: { heads: [2] } }, 'RangeError', /head/);
      await refused({ position: 6 }, 'RangeError', /^position/);
      await assert.rejects(sweep({}, input, usual), { name: 'TypeError', message: /^model must/ });
    }));
});
