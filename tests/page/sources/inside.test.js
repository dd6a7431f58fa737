// The whole block of a layer: vectors of every kind of layer against float64, with what is blocked, and the logit lens,
// whose last layer has the probabilities of the model.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadTranslator } from 'attention-wasm/translator';
import { editsOf, readBlocks } from '../../../web/demo/blocks.js';
import { linesOf } from '../../../web/demo/page/flow/block_lines.js';
import { insideOf } from '../../../web/demo/worker/compute/inside.js';
import { close, open, read } from '../../../web/demo/worker/sources/own_model.js';
import { openModel } from '../../../web/demo/worker/models/open_model.js';
import { read as readTrained } from '../../../web/demo/worker/models/built_in_model.js';
import { capturedByOracle } from '../../support/js/captured_by_oracle.js';
import { explainDifference } from '../../support/js/compare.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { logitsOf } from '../../support/js/oracle_measures.js';
import { seededNumbers, seededWeights } from '../../support/js/seeded_weights.js';
import { decoderFiles, seeingFiles } from '../../support/js/whole_models.js';
import { folderOf, withReading } from '../../support/js/own_model.js';

const api = await loadAttention();
const context = { api, step: async () => {}, report: async () => {} };
const tolerance = 4e-5; // float32 after two layers, of numbers around 1 to 10

const inside = (reading, id, row) =>
  insideOf({ part: reading.parts.find((part) => part.id === id), reading, request: { api } }, row);

/** Captures of the oracle, in float64: (stack, place, layer) → row. */
async function oracleOf(one, input, edits = []) {
  const captured = await capturedByOracle(one, input, edits);
  return (stack, place, layer, row) => {
    const tensor = captured.get(`${stack} ${place} ${layer}`);
    if (!tensor) return undefined;
    const { data, dims } = tensor;
    return Array.from(data.slice(row * dims[1], (row + 1) * dims[1]));
  };
}

function assertVector(got, expected, what, off = tolerance) {
  const dims = [expected.length];
  const difference = explainDifference({ data: got, dims }, { data: expected, dims }, off);
  assert.equal(difference, '', what);
}

/** Every vector of a block against the oracle. */
function assertBlock(block, at, row) {
  const { stack, layer, vectors } = block;
  const names = {
    x: [stack, 'resid_pre'],
    attention: [stack, 'attn_out'],
    cross: ['cross', 'attn_out'],
    between: [stack, 'resid_mid'],
    forward: [stack, 'mlp_out'],
    y: [stack, 'resid_post'],
  };
  for (const [name, [from, place]] of Object.entries(names)) {
    const expected =
      name === 'cross' && stack !== 'decoder' ? undefined : at(from, place, layer, row);
    if (expected) assertVector(vectors[name], expected, `${stack} ${layer} ${name}`);
    else assert.equal(vectors[name], undefined, name);
  }
}

const kindOf = ({ facts: { parallel, norms } }) =>
  parallel ? 'parallel' : norms.feedForward.includes('after') ? 'after' : 'before';

/** The page's lines of a block against the oracle: symbols, and the vectors that they name. */
function assertLines(block, at, row) {
  const { stack, layer, vectors } = block;
  const sum = vectors.cross ? 'x + a + c' : 'x + a';
  const sums = {
    after: { h: 'resid_mid', y: 'resid_post' },
    before: { [sum]: 'resid_mid', [`y = ${sum} + m`]: 'resid_post' },
    parallel: { 'y = x + a + m': 'resid_post' },
  };
  const places = { x: 'resid_pre', a: 'attn_out', m: 'mlp_out', ...sums[kindOf(block)] };
  const lines = Object.fromEntries(linesOf(block).map(({ symbol, vector }) => [symbol, vector]));
  for (const [symbol, place] of Object.entries(places)) {
    assertVector(lines[symbol], at(stack, place, layer, row), `${stack} ${layer}, line ${symbol}`);
  }
  if (vectors.cross) assertVector(lines.c, at('cross', 'attn_out', layer, row), 'line c');
}

/** Probabilities of a row of logits, largest first. */
function likeliest(logits, count = 5) {
  const top = Math.max(...logits);
  const sum = logits.reduce((total, logit) => total + Math.exp(logit - top), 0);
  return logits
    .map((logit, id) => ({ id, probability: Math.exp(logit - top) / sum }))
    .sort((a, b) => b.probability - a.probability)
    .slice(0, count);
}

function assertLikely(tokens, logits, nameOf) {
  const expected = likeliest(Array.from(logits));
  assert.deepEqual(tokens.map(({ text }) => text), expected.map(({ id }) => nameOf(id))); // prettier-ignore
  expected.forEach(({ probability }, at) =>
    assert.ok(Math.abs(tokens[at].probability - probability) < 1e-5),
  );
}

const kinds = {
  'bert, masked words': 'after',
  albert: 'after',
  gpt2: 'before',
  qwen3: 'before',
  gpt_neox: 'parallel',
  t5: 'before',
  bart: 'after',
};

describe('the whole block', () => {
  for (const [name, norms] of Object.entries(kinds)) {
    it(`has the vectors of the model, in float64: ${name}, norms: ${norms}`, () =>
      withReading(cases[name], '', async (reading, input) => {
        const at = await oracleOf(cases[name], input);
        for (const part of reading.parts) {
          const row = (part.rows ?? reading.rows).length - 1;
          const block = await inside(reading, part.id, row);
          assert.equal(kindOf(block), norms);
          assertBlock(block, at, row);
          assertLines(block, at, row);
          const { x, attention, cross, between, sum, forward, last, y } = block.vectors;
          const added = (...list) => list.reduce((a, b) => a.map((number, c) => number + b[c]));
          if (norms === 'parallel') assertVector(y, added(x, attention, forward), 'y');
          if (norms === 'before') {
            assertVector(between, added(x, attention, ...(cross ? [cross] : [])), 'between');
            assertVector(y, added(between, forward), 'y');
          }
          if (norms === 'after') {
            assertVector(last, added(between, forward), 'last');
            if (!cross) assertVector(sum, added(x, attention), 'sum');
          }
        }
      }));
  }

  it('follows what is blocked', () =>
    withReading(cases.gpt2, 'self.0.1,self.0:3-1', async (reading, input) => {
      const count = input.ids.length;
      const { heads } = reading.parts[0];
      const stacks = { self: { layers: 2, heads, queries: count, keys: count } };
      const edits = editsOf(readBlocks('self.0.1,self.0:3-1'), stacks);
      const block = await inside(reading, 'self.1', 3);
      assertBlock(block, await oracleOf(cases.gpt2, input, edits), 3);
      const before = await oracleOf(cases.gpt2, input);
      assert.notDeepEqual(Array.from(block.vectors.y), before('self', 'resid_post', 1, 3));
    }));

  it('is that of a picture', async () => {
    await open({ files: folderOf(seeingFiles()) }, context);
    try {
      const opened = openModel();
      const pixels = { data: Float32Array.from(seededNumbers('pixels', 192)), dims: [3, 8, 8] };
      Object.assign(opened, { pixels });
      const reading = await read({ mode: 'self' }, context);
      const block = await inside(reading, 'self.1', 2);
      const { captured } = opened.model.run({ pixels }, { capture: ['resid_post'] });
      const [, { tensor }] = captured;
      const [, width] = tensor.dims;
      assert.deepEqual(block.vectors.y, tensor.data.slice(2 * width, 3 * width));
      assert.match(block.lens.why, /no head/);
    } finally {
      await close();
    }
  });
});

describe('the lens of the whole block', () => {
  for (const name of ['gpt2', 'qwen3', 't5', 'bert, masked words']) {
    it(`is the final norm and the head after each layer, in float64: ${name}`, () =>
      withReading(cases[name], '', async (reading, input) => {
        const one = cases[name];
        const source = { config: one.config, weights: seededWeights({ ...one, type: 'float32' }) };
        const at = await oracleOf(one, input);
        const stack = reading.parts.some(({ id }) => id === 'decoder.0') ? 'decoder' : 'self';
        const row = 2;
        const { lens, layers } = await inside(reading, `${stack}.0`, row);
        assert.equal(lens.layers.length, layers);
        lens.layers.forEach((tokens, layer) => {
          assertLikely(tokens, logitsOf(source, at(stack, 'resid_post', layer, row)), String);
        });
      }));
  }

  it('names tokens by the model’s tokenizer, and its last layer has the model’s probabilities', async () => {
    await open({ files: folderOf(decoderFiles()) }, context);
    try {
      const { model } = openModel();
      const reading = await read({ mode: 'self', first: 'two cats sat' }, context);
      const row = reading.rows.length - 1;
      const { lens } = await inside(reading, 'self.0', row);
      const { logits } = model.run('two cats sat');
      const own = logits.data.subarray(row * logits.dims[1]);
      const nameOf = (id) => model.tokenizer.decode([id]).trim() || model.tokenizer.tokenOf(id);
      assertLikely(lens.layers.at(-1), own, nameOf);
    } finally {
      await close();
    }
  });

  for (const name of [
    'bert, classes',
    'bert, classes of tokens',
    'gpt2, classes, scaled by layer',
  ]) {
    it(`names the classes of the model: ${name}`, () =>
      withReading(cases[name], '', async (reading, input) => {
        const { model } = openModel();
        const { logits } = model.run(input);
        const row = logits.dims.length === 1 ? 0 : 2;
        const { lens } = await inside(reading, 'self.0', 2);
        const own = logits.data.subarray(row * logits.dims.at(-1)).subarray(0, logits.dims.at(-1));
        assertLikely(lens.layers.at(-1), own, (id) => model.config.id2label?.[id] ?? `class ${id}`);
      }));
  }

  it('says why there is none', async () => {
    await withReading(cases.t5, '', async (reading) => {
      const { lens } = await inside(reading, 'encoder.0', 0);
      assert.match(lens.why, /decoder/);
    });
  });
});

describe('the whole block of the trained model', async () => {
  const translator = await loadTranslator();
  const second = 'The red car is fast.';
  const first = 'La voiture rouge est rapide.';

  it('has its inputs of attention behind each norm, and its probabilities', async () => {
    const reading = await readTrained({ mode: 'cross', first, second }, context);
    const { vectors, logProbabilities, target } = translator.translate(second, {
      ...{ target: first, vectors: true },
    });
    for (const { id } of reading.parts) {
      const [kind, layer] = id.split('.');
      const row = 2;
      const block = await inside(reading, id, row);
      const from = block.vectors;
      const stack = kind === 'cross' ? 'decoder' : kind;
      const width = from.x.length;
      const inputOf = (name) =>
        vectors[name][layer].x.data.subarray(row * width, (row + 1) * width);
      assertVector(from.normed, inputOf(stack), 'norm before attention', 1e-5);
      if (kind === 'encoder') continue;
      assertVector(from.crossNormed, inputOf('cross'), 'norm before cross-attention', 1e-5);
      const found = block.lens.layers.at(-1).find(({ text }) => text === target.tokens[row].text);
      assert.ok(Math.abs(found.probability - Math.exp(logProbabilities[row])) < 1e-5);
      assert.deepEqual([block.token, block.written], ['voiture', 'rouge']);
    }
  });

  it('has the norm before feed-forward, in float64', async () => {
    const reading = await readTrained({ mode: 'self', first: second }, context);
    const { vectors } = await inside(reading, 'encoder.2', 1);
    const x = Array.from(vectors.between);
    const mean = x.reduce((a, b) => a + b, 0) / x.length;
    const deviation = Math.sqrt(x.reduce((a, b) => a + (b - mean) ** 2, 0) / x.length + 1e-5);
    const [weight, bias] = ['weight', 'bias'].map(
      (end) => translator.tensors.get(`encoder.layers.2.norm2.${end}`).data,
    );
    const expected = x.map((number, c) => ((number - mean) / deviation) * weight[c] + bias[c]);
    assertVector(vectors.forwardNormed, expected, 'norm', 1e-5);
  });

  it('follows what is blocked', async () => {
    const block = 'cross.0.1,encoder:2';
    const texts = { mode: 'cross', first, second };
    const reading = await readTrained({ ...texts, block }, context);
    const was = await readTrained(texts, context);
    const row = 2;
    const [now, before] = [
      await inside(reading, 'decoder.1', row),
      await inside(was, 'decoder.1', row),
    ];
    assert.notDeepEqual(now.vectors.y, before.vectors.y);
    const { words } = await reading.nextWords(row);
    const whole = words.find(({ isOwn }) => isOwn);
    const token = now.lens.layers.at(-1).find(({ text }) => text === whole.text);
    assert.ok(token.probability >= whole.probability - 1e-6, 'a token begins the word');
  });
});
