// attention-wasm/models: edits and captures of generate(), which equal those of run() step by step, also in beams.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ablate, knockout, loadModel, patch, steer } from 'attention-wasm/models';
import { beamSearch } from '../../../web/lib/models/run/beam_search.js';
import { explainDifference } from '../../support/js/compare.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { seeded } from '../../support/js/random_tensors.js';
import { seededWeights } from '../../support/js/seeded_weights.js';

const tolerance = 1e-5; // rounding errors: one row and many are multiplied in other orders

async function withModel(name, use) {
  const { config } = cases[name];
  // No end token, so that all texts have the requested length.
  const model = await loadModel({
    config: { ...config, eos_token_id: undefined },
    weights: seededWeights(cases[name]),
  });
  try {
    return await use(model);
  } finally {
    model.delete();
  }
}

async function all(generated) {
  const tokens = [];
  for await (const token of generated) tokens.push(token);
  return tokens;
}

const { normal } = seeded('edits of generated text');
const numbers = (...dims) => ({
  data: Array.from({ length: dims.reduce((a, b) => a * b) }, () => normal() / 2),
  dims,
});

/** The rows of a tensor at these indices along an axis. */
function rowsAt({ data, dims }, axis, indices) {
  const inner = dims.slice(axis + 1).reduce((a, b) => a * b, 1);
  const rows = [];
  for (let outer = 0; outer < data.length / (inner * dims[axis]); outer++) {
    for (const index of indices) {
      const from = (outer * dims[axis] + index) * inner;
      rows.push(...data.slice(from, from + inner));
    }
  }
  return { data: rows, dims: dims.map((dim, n) => (n === axis ? indices.length : dim)) };
}

/**
 * An edit of generate() as one of run() for a text of n tokens, or none: without positions that it does not have. A tensor
 * without positions has those of its rows.
 */
function reached({ query, key, to, ...edit }, n) {
  const isOfKeys = edit.at === 'k' || edit.at === 'v';
  const isOfText = edit.stack === undefined || edit.stack === 'decoder';
  const fields = { query, key };
  let change = to;
  for (const field of ['query', 'key']) {
    const isText = isOfText || (edit.stack === 'cross' && field === 'query');
    if (!isText) continue;
    const axisFromEnd = field === 'key' && !isOfKeys ? 1 : 2;
    const [name] = Object.keys(typeof to === 'object' ? to : {});
    const isTensor = (name === 'set' || name === 'add') && !Array.isArray(change[name]);
    const tensor = isTensor ? change[name] : undefined; // a list is a vector
    const axis = tensor ? tensor.dims.length - axisFromEnd : -1;
    const hasField = isOfKeys
      ? field === 'key'
      : field === 'query' || /scores|pattern/.test(edit.at);
    const hasRows = hasField && tensor && axis >= 0 && tensor.dims[axis] > 1;
    const list =
      fields[field] ??
      (hasRows ? Array.from({ length: tensor.dims[axis] }, (_, p) => p) : undefined);
    if (list === undefined) continue;
    const indices = [list].flat().flatMap((p, index) => (p < n ? index : []));
    if (indices.length === 0) return [];
    fields[field] = indices.map((index) => [list].flat()[index]);
    if (hasRows) change = { [name]: rowsAt(tensor, axis, indices) };
  }
  return [{ ...edit, ...fields, to: change }];
}

const ofRun = (edits, n) => edits.flatMap((edit) => reached(edit, n));

const lastRow = ({ data, dims }) => ({ data: data.slice(-dims.at(-1)), dims: [dims.at(-1)] });

// Lists of edits by model, applied one by one and together. Texts have 7 tokens and grow to 14; decoders start with 1.
const editsOf = {
  qwen3: [
    ...ablate(0, 1),
    ...ablate(1, [0, 3], { query: [3, 9] }),
    ...knockout({ layers: [0, 1], key: 2, head: 1 }),
    ...knockout({ layers: 1, query: [8, 11], key: [0, 10] }),
    ...steer(0, numbers(8), { query: [11, 2, 8] }),
    { at: 'resid_mid', layer: 1, to: { add: numbers(10, 8) } },
    { at: 'resid_pre', layer: 1, query: [9, 3, 12], to: { set: numbers(3, 8) } },
    { at: 'q', layer: 0, to: { scale: 1.5 } },
    { at: 'k', layer: 1, head: 1, key: [9, 4, 10], to: { set: numbers(3, 6) } },
    { at: 'v', layer: 0, to: { add: numbers(2, 9, 6) } },
    { at: 'v', layer: 1, to: { add: numbers(6) } },
    { at: 'scores', layer: 0, key: [1, 9], to: { add: numbers(4, 1, 2) } },
    { at: 'scores', layer: 0, to: { add: numbers(9, 11) } },
    { at: 'scores', layer: 1, query: 10, to: { scale: 0.5 } },
    { at: 'pattern', layer: 0, query: [5, 9], to: 'uniform' },
    { at: 'pattern', layer: 1, key: [8, 0], to: 'zero' },
    { at: 'mlp_out', layer: 0, query: 100, to: 'zero' },
    { at: 'attn_out', layer: 1, query: [13, 7, 6], to: { set: numbers(3, 1) } },
  ],
  gpt_neox: [
    ...ablate([0, 1], 1),
    ...steer([0, 1], numbers(16)),
    { at: 'v', layer: 1, key: [1, 8], to: 'zero' },
  ],
  t5: [
    ...ablate(0, 1, { stack: 'encoder' }),
    ...ablate(1, 0, { stack: 'cross', query: [0, 3] }),
    ...knockout({ layers: [0, 1], stack: 'cross', key: [2, 5] }),
    ...knockout({ layers: 0, stack: 'decoder', key: 0, query: [2, 5] }),
    ...knockout({ layers: 1, stack: 'encoder', key: 3 }),
    { at: 'k', layer: 0, stack: 'cross', key: [8, 1], to: { set: numbers(2, 2, 3) } },
    { at: 'v', layer: [0, 1], stack: 'cross', to: { add: numbers(2, 9, 3) } },
    { at: 'k', layer: 1, stack: 'decoder', key: [4, 0, 2], to: { add: numbers(3, 3) } },
    { at: 'scores', layer: 1, stack: 'cross', query: [4], to: { add: numbers(2, 1, 9) } },
    { at: 'resid_mid', layer: 0, stack: 'decoder', to: { add: numbers(4, 8) } },
  ],
  bart: [
    ...ablate(1, 3, { stack: 'cross' }),
    { at: 'pattern', layer: 0, stack: 'cross', query: [1, 4], to: 'uniform' },
    { at: 'v', layer: 1, stack: 'cross', key: 0, to: { scale: 2 } },
    { at: 'resid_post', layer: 1, stack: 'encoder', query: 3, to: { add: numbers(8) } },
  ],
};

/** The prompt, and the input of run() after some generated ids. */
function promptOf(model, name) {
  const { input } = cases[name];
  if (!model.description.decoder) {
    return {
      prompt: { ids: input.ids },
      after: (ids) => ({ ids: [...input.ids, ...ids] }),
      length: input.ids.length,
    };
  }
  const decoderIds = [input.decoderIds[0]];
  return {
    prompt: { ids: input.ids, decoderIds },
    after: (ids) => ({ ids: input.ids, decoderIds: [...decoderIds, ...ids] }),
    length: 1,
  };
}

describe('edits of generated text', () => {
  for (const [name, edits] of Object.entries(editsOf)) {
    const maxTokens = name === 'gpt_neox' ? 4 : 7;

    it(`are those of run(), step by step: ${name}`, () =>
      withModel(name, async (model) => {
        const { prompt, after, length } = promptOf(model, name);
        const plain = await all(model.generate(prompt, { maxTokens, logits: true }));
        let changed = 0;
        for (const list of [...edits.map((edit) => [edit]), edits]) {
          const tokens = await all(
            model.generate(prompt, { maxTokens, logits: true, edits: list }),
          );
          assert.equal(tokens.length, maxTokens);
          const ids = tokens.map(({ id }) => id);
          tokens.forEach(({ logits }, step) => {
            const before = ids.slice(0, step);
            const want = model.run(after(before), { edits: ofRun(list, length + step) });
            const what = `step ${step}: ${JSON.stringify(list).slice(0, 150)}`;
            assert.equal(explainDifference(logits, lastRow(want.logits), tolerance), '', what);
          });
          if (plain.some(({ logits }, n) => explainDifference(logits, tokens[n].logits, 1e-3)))
            changed++;
        }
        assert.ok(
          changed > 0.8 * edits.length,
          `${changed} of ${edits.length + 1} change something`,
        );
      }));

    it(`hold in every beam: ${name}`, () =>
      withModel(name, async (model) => {
        const { prompt, after, length } = promptOf(model, name);
        for (const list of [edits.slice(0, 3), edits]) {
          const beam = 3;
          const tokens = await all(model.generate(prompt, { maxTokens, beam, edits: list }));
          const nextLogits = (lists) => {
            const rows = lists.map((ids) => {
              const { logits } = model.run(after(ids), { edits: ofRun(list, length + ids.length) });
              return Array.from(lastRow(logits).data);
            });
            return { data: Float32Array.from(rows.flat()), dims: [rows.length, rows[0].length] };
          };
          const { bad_words_ids: banned = [] } = cases[name].config;
          const search = beamSearch(nextLogits, {
            ...{ beam, maxLength: maxTokens, ends: new Set(), bannedIds: banned.flat(), begin: [] },
            minFinished: beam,
          });
          let step = search.next();
          while (!step.done) step = search.next();
          const { ids, id } = step.value;
          assert.deepEqual(
            tokens.map((token) => token.id),
            ids.length < maxTokens ? [...ids, id] : ids,
          );
        }
      }));
  }

  it('are refused like those of run(), at once', () =>
    withModel('qwen3', (model) => {
      const generate = (edit) => model.generate({ ids: [1, 2] }, { edits: [edit] });
      assert.throws(
        () => generate({ at: 'z', layer: 7, to: 'zero' }),
        /^RangeError: edits\[0\]\.layer has 7/,
      );
      assert.throws(
        () => generate({ at: 'z', layer: 0, heads: 1 }),
        /^TypeError: edits\[0\] in generate\(\)/,
      );
      assert.throws(
        () => generate({ at: 'z', layer: 0, to: { set: [1, 2] } }),
        /^RangeError: edits\[0\]\.to\.set has dims 2, but the selection has 4×n×6/,
      );
      assert.throws(
        () => model.generate({ ids: [1] }, { capture: ['x'] }),
        /^RangeError: capture\[0\]\.at/,
      );
    }));

  it('of the encoder and of keys of cross-attention must be within the input', () =>
    withModel('t5', (model) => {
      for (const edit of [
        { at: 'z', layer: 0, stack: 'encoder', query: 3, to: 'zero' },
        { at: 'scores', layer: 0, stack: 'cross', key: 3, to: 'blocked' },
        { at: 'v', layer: 0, stack: 'cross', to: { set: numbers(4, 3) } },
      ]) {
        assert.throws(
          () => model.generate({ ids: [4, 9, 1] }, { edits: [edit] }),
          /^RangeError: edits\[0\]/,
        );
      }
    }));
});

describe('captures of generated text', () => {
  for (const name of ['qwen3', 't5']) {
    it(`are the rows of each step: ${name}`, () =>
      withModel(name, async (model) => {
        const { prompt, after } = promptOf(model, name);
        const stacks = name === 'qwen3' ? ['self'] : ['encoder', 'decoder', 'cross'];
        const capture = stacks.flatMap((stack) =>
          ['q', 'k', 'v', 'scores', 'pattern', 'z', 'attn_out'].map((at) => ({ at, stack })),
        );
        capture.push(
          ...stacks
            .filter((stack) => stack !== 'cross')
            .map((stack) => ({ at: 'resid_post', stack })),
        );
        const edits = editsOf[name].filter(
          ({ query, key, to }) => !query && !key && (typeof to === 'string' || 'scale' in to),
        );
        for (const beam of [1, 3]) {
          const options = { maxTokens: 4, edits, capture, beam };
          const tokens = await all(model.generate(prompt, options));
          const ids = tokens.map(({ id }) => id);
          let first = 0;
          tokens.forEach(({ captured }, step) => {
            const input = after(ids.slice(0, step));
            const end = (input.decoderIds ?? input.ids).length;
            const want = model.run(input, { edits, capture });
            const expected = want.captured.filter(({ stack }) => step === 0 || stack !== 'encoder');
            assert.deepEqual(
              captured.map(({ at, layer, stack }) => [at, layer, stack]),
              expected.map(({ at, layer, stack }) => [at, layer, stack]),
            );
            captured.forEach(({ at, stack, tensor }, n) => {
              const isWhole = stack === 'encoder' || (stack === 'cross' && /^[kv]$/.test(at));
              const { dims, data } = expected[n].tensor;
              const rows = Array.from({ length: end - first }, (_, row) => first + row);
              const part = isWhole
                ? { data, dims }
                : rowsAt({ data: Array.from(data), dims }, dims.length - 2, rows);
              assert.equal(
                explainDifference(tensor, part, tolerance),
                '',
                `${step} ${stack} ${at}`,
              );
            });
            first = end;
          });
        }
      }));
  }

  it('of a step can be patched into a run', () =>
    withModel('qwen3', async (model) => {
      const { ids } = cases.qwen3.input;
      const [token] = await all(model.generate({ ids }, { maxTokens: 1, capture: ['z'] }));
      const edits = patch(token, { at: 'z', layer: 0 });
      assert.deepEqual(model.run({ ids }, { edits }).hidden, model.run({ ids }).hidden);
    }));
});
