// attention-wasm/models: edits and captures at every place of a layer, compared with a float64 oracle in models of each
// kind, and identities that hold bit by bit.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ablate, knockout, loadModel, patch, steer } from 'attention-wasm/models';
import { explainBitDifference, explainDifference } from '../../support/js/compare.js';
import {
  editsOf,
  editsOfAll,
  isEditable,
  listed,
  normals,
  placesOf,
} from '../../support/js/model_edits.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { oracleModel } from '../../support/js/oracle_model.js';
import { seededInput, seededWeights } from '../../support/js/seeded_weights.js';

const kinds = [
  'bert, masked words', // norms after the sums
  'albert', // four applications of two layers
  'gpt2', // norms before the sums, fused projections
  'qwen3', // grouped heads, rotary embedding, norms of queries and keys
  'gpt_neox', // parallel residual
  't5', // relative positions, two stacks
  'bart', // two stacks, norms after the sums
  'dinov2', // images, layer scale
  'deberta-v2', // scores of contents and positions
];

// Relatives of these, by what their papers change. They have fewer tests: links, heads and tokens.
const relatives = [
  ...['gemma', 'phi3', 'starcoder2', 'granite', 'smollm3', 'stablelm', 'stablelm, parallel'],
  ...['cohere', 'gemma2', 'gemma3_text', 'olmo2', 'bloom', 'falcon', 'falcon, groups'],
  ...['falcon, alibi', 'mpt', 'gpt_bigcode', 'gpt_bigcode, all heads', 'gptj', 'codegen', 'opt'],
  ...['opt, projected', 'camembert', 'roberta-prelayernorm', 'mpnet', 'esm', 'esm, positions'],
  ...['modernbert', 'modernbert, biases, classes'],
];

// Rounding errors of float32 after two to four layers with norms, of numbers around 1 to 10.
const tolerance = 4e-5;

const sourceOf = (name) => ({ config: cases[name].config, weights: seededWeights(cases[name]) });

async function withModel(name, use) {
  const source = sourceOf(name);
  const model = await loadModel(source);
  try {
    const input = seededInput(cases[name]);
    const plain = model.run(input, { hiddenStates: true });
    const inputs = plain.encoderHiddenStates
      ? { encoder: plain.encoderHiddenStates[0], decoder: plain.hiddenStates[0] }
      : { self: plain.hiddenStates[0] };
    return await use({ name, model, source, input, inputs, plain, places: placesOf(model) });
  } finally {
    model.delete();
  }
}

/** Runs with edits and compares the output and everything captured with the oracle. */
function compare({ model, source, input, inputs, places }, edits, allowed = tolerance) {
  const got = model.run(input, { edits, capture: places });
  const want = oracleModel(source, inputs, edits);
  const what = JSON.stringify(edits).slice(0, 200);
  assert.equal(explainDifference(got.hidden, want.hidden, allowed), '', `hidden: ${what}`);
  const captured = listed(got);
  assert.equal(captured.size, got.captured.length);
  assert.deepEqual([...captured.keys()].sort(), [...want.captured.keys()].sort());
  for (const [key, tensor] of want.captured) {
    assert.equal(explainDifference(captured.get(key), tensor, allowed), '', `${key}: ${what}`);
  }
  return got;
}

for (const name of kinds) {
  describe(`edits in ${name}`, () => {
    it('are none: what is captured is what the paper says, and nothing changes', () =>
      withModel(name, (one) => {
        const got = compare(one, []);
        const again = one.model.run(one.input, { edits: [], capture: null });
        for (const { hidden } of [got, again]) {
          assert.equal(explainBitDifference(hidden, one.plain.hidden), '');
        }
        assert.deepEqual(again, one.model.run(one.input));
      }));

    it('of each place and operation have the numbers of the oracle', () =>
      withModel(name, (one) => {
        const captured = listed(one.model.run(one.input, { capture: one.places }));
        for (const place of one.places.filter(({ at }) => isEditable(at))) {
          const { dims } = captured.get(`${place.stack} ${place.at} 0`);
          for (const edit of editsOf(place, 0, dims)) compare(one, [edit]);
        }
      }));

    it('apply in the order of the computation and of the list', () =>
      withModel(name, (one) => {
        const captured = listed(one.model.run(one.input, { capture: one.places }));
        const edits = editsOfAll(one.places, captured);
        compare(one, edits);
        const reversed = [...edits].reverse();
        compare(one, reversed);
      }));

    it('through JSON have the same bits', () =>
      withModel(name, ({ model, input, places }) => {
        const captured = listed(model.run(input, { capture: places }));
        const edits = places
          .filter(({ at }) => isEditable(at))
          .map((place) => {
            const { dims } = captured.get(`${place.stack} ${place.at} 1`);
            const data = Float32Array.from(normals(dims).data);
            return { ...place, layer: 1, to: { add: { data, dims } } };
          });
        const asJson = edits.map(({ to: { add }, ...edit }) => {
          const data = Array.from(add.data);
          return JSON.parse(JSON.stringify({ ...edit, to: { add: { ...add, data } } }));
        });
        assert.deepEqual(
          model.run(input, { edits: asJson, capture: places }),
          model.run(input, { edits, capture: places }),
        );
      }));

    it('that set captured numbers of the same run change no bit', () =>
      withModel(name, (one) => {
        const { model, input, places } = one;
        const result = model.run(input, { capture: places });
        for (const { at, stack } of places.filter((place) => isEditable(place.at))) {
          if (at === 'scores' || at === 'pattern') continue;
          const edits = patch(result, { at, stack, layer: [0, 1] });
          const got = model.run(input, {
            edits: JSON.parse(JSON.stringify(edits)),
            capture: places,
          });
          assert.equal(explainBitDifference(got.hidden, result.hidden), '', `${stack} ${at}`);
          for (const [n, { tensor }] of result.captured.entries()) {
            assert.equal(
              explainBitDifference(got.captured[n].tensor, tensor),
              '',
              `${stack} ${at}`,
            );
          }
        }
      }));
  });
}

describe('edits in relatives of these', () => {
  for (const name of relatives) {
    it(`have the numbers of the oracle: ${name}`, () =>
      withModel(name, (one) => {
        const { heads } = one.model;
        compare(one, []);
        compare(one, knockout({ layers: [0, 1], query: [5, 3], key: [1, 2], head: heads - 1 }));
        compare(one, ablate(1, heads - 1));
        compare(one, [{ at: 'scores', layer: [0, 1], key: 2, to: 'blocked' }]);
        const captured = listed(one.model.run(one.input, { capture: one.places }));
        compare(one, editsOfAll(one.places, captured));
      }));
  }
});

/** An attention API whose layers, in the order of their creation, have these masks in every call. */
async function withMasks(masks) {
  const { loadAttention } = await import('attention-wasm');
  const api = await loadAttention();
  let count = 0;
  class TransformerLayer {
    static fromWeights(weights, options) {
      const layer = api.TransformerLayer.fromWeights(weights, options);
      const own = masks[count++];
      return {
        forward: (x, call) => layer.forward(x, { ...call, ...own }),
        delete: () => layer.delete(),
      };
    }
  }
  return { ...api, TransformerLayer };
}

describe('knockout()', () => {
  /** A mask heads × n × m without these pairs. */
  const maskOf = (dims, isBlocked) => {
    const [, rows, columns] = dims;
    const data = Uint8Array.from({ length: dims[0] * rows * columns }, (_, at) => {
      const [head, i, j] = [
        Math.floor(at / (rows * columns)),
        Math.floor(at / columns) % rows,
        at % columns,
      ];
      return Number(!isBlocked(head, i, j));
    });
    return { data, dims };
  };

  for (const [name, layers, stack, dims, optionName] of [
    ['bert, masked words', [1], 'self', [2, 5, 5], 'mask'],
    ['gpt2', [0, 1], 'self', [2, 6, 6], 'mask'],
    ['qwen3', [1], 'self', [4, 7, 7], 'mask'],
    ['mistral', [1], 'self', [4, 7, 7], 'mask'],
    ['t5', [0], 'encoder', [2, 9, 9], 'mask'],
    ['bart', [1], 'cross', [4, 4, 5], 'crossMask'],
  ]) {
    it(`has the bits of a boolean mask: ${stack} in ${name}`, async () => {
      const isBlocked = (head, i, j) => head === 1 && [3, 1].includes(i) && [0, 2].includes(j);
      const source = sourceOf(name);
      // Layers are created stack by stack: encoder, decoder.
      const masks = { [stack === 'cross' ? 2 : 0]: undefined };
      for (const layer of layers) {
        masks[layer + (stack === 'cross' ? 2 : 0)] = { [optionName]: maskOf(dims, isBlocked) };
      }
      const masked = await loadModel(source, { api: await withMasks(masks) });
      const model = await loadModel(source);
      try {
        const input = seededInput(cases[name]);
        const edits = knockout({ layers, query: [3, 1], key: [0, 2], head: 1, stack });
        const options = { attentions: true, hiddenStates: true };
        const got = model.run(input, { ...options, edits });
        assert.deepEqual(got, masked.run(input, options));
        assert.notDeepEqual(got, model.run(input, options));
      } finally {
        model.delete();
        masked.delete();
      }
    });
  }

  it('of all but the diagonal leaves the values, and of all keys zeros', () =>
    withModel('bert, masked words', ({ model, input }) => {
      const edits = [0, 1, 2, 3, 4].flatMap((query) =>
        knockout({ layers: 0, query, key: [0, 1, 2, 3, 4].filter((key) => key !== query) }),
      );
      const diagonal = listed(model.run(input, { edits, capture: ['v', 'z'] }));
      assert.equal(explainBitDifference(diagonal.get('self z 0'), diagonal.get('self v 0')), '');
      const nothing = listed(
        model.run(input, { edits: knockout({ layers: 0, query: 2 }), capture: ['z', 'pattern'] }),
      );
      const { data, dims } = nothing.get('self z 0');
      data.forEach((x, at) => {
        if (Math.floor(at / dims[2]) % dims[1] === 2) assert.equal(x, 0);
      });
    }));
});

describe('ablate()', () => {
  for (const [name, type] of [
    ['gpt2', 'float32'],
    ['gpt2, float16', 'float16'],
    ['bert, masked words', 'float32'],
  ]) {
    it(`is as rows of zeros in the output matrix: ${name}`, async () => {
      const source = sourceOf(name);
      const changed = sourceOf(name);
      const output = changed.weights.get(
        name.startsWith('gpt2')
          ? 'transformer.h.1.attn.c_proj.weight'
          : 'bert.encoder.layer.1.attention.output.dense.weight',
      );
      const [rows, columns] = output.dims;
      const isInByOut = name.startsWith('gpt2');
      output.data.forEach((_, at) => {
        const input = isInByOut ? Math.floor(at / columns) : at % columns;
        if (input >= (isInByOut ? rows : columns) / 2) output.data[at] = 0;
      });
      const [model, without] = [await loadModel(source), await loadModel(changed)];
      try {
        const { input } = cases[name];
        const got = model.run(input, { edits: ablate(1, 1) });
        const want = without.run(input);
        assert.equal(explainDifference(got.logits, want.logits, 1e-6), '', type);
        const both = model.run(input, { edits: ablate([0, 1], [0, 1]), capture: ['z'] });
        assert.ok(both.captured.every(({ tensor }) => tensor.data.every((x) => x === 0)));
        assert.deepEqual(model.run(input, { edits: ablate([0, 1]) }).hidden, both.hidden);
      } finally {
        model.delete();
        without.delete();
      }
    });
  }

  it('takes positions and a stack', () => {
    assert.deepEqual(ablate(9, 6), [{ at: 'z', layer: 9, head: 6, to: 'zero' }]);
    assert.deepEqual(ablate(1, 0, { stack: 'cross', query: 2 }), [
      { at: 'z', layer: 1, stack: 'cross', head: 0, query: [2], to: 'zero' },
    ]);
    assert.throws(() => ablate(0, 0, { key: 1 }), /ablate\(\) has no option 'key'/);
  });
});

describe('steer()', () => {
  it('adds a scaled vector to the output of a layer', () =>
    withModel('gpt2', ({ model, input }) => {
      const vector = Float32Array.from({ length: 8 }, (_, c) => c / 4 - 1);
      const edits = steer(0, vector, { scale: 0.5, query: [2, 4] });
      assert.deepEqual(JSON.parse(JSON.stringify(edits)), edits);
      const capture = ['resid_post'];
      const plain = model.run(input, { capture }).captured[0].tensor;
      const got = model.run(input, { edits, capture }).captured[0].tensor;
      got.data.forEach((x, at) => {
        const added = [2, 4].includes(Math.floor(at / 8)) ? vector[at % 8] * 0.5 : 0;
        assert.equal(x, Math.fround(plain.data[at] + added));
      });
      assert.deepEqual(
        model.run(input, { edits: steer([0, 1], { data: vector, dims: [8] }) }),
        model.run(input, { edits: [0, 1].flatMap((layer) => steer(layer, vector)) }),
      );
    }));
});

describe('patch()', () => {
  it('sets what another run captured, of some heads and positions', () =>
    withModel('gpt2', (one) => {
      const { model } = one;
      const clean = model.run({ ids: [4, 9, 2, 7, 7, 1] }, { capture: one.places });
      const corrupted = { ids: [4, 9, 3, 7, 7, 1] };
      const all = patch(clean, { at: 'resid_post', layer: 1 });
      const same = model.run(corrupted, { edits: all });
      assert.equal(explainBitDifference(same.logits, clean.logits), '');
      for (const [at, more] of [
        ['z', { head: 1, query: [5, 2] }],
        ['v', { head: [1], key: 2 }],
        ['scores', { head: 0, query: 5, key: [2, 0] }],
        ['scores', {}],
        ['pattern', { query: [3] }],
        ['resid_mid', { query: [2] }],
      ]) {
        const edits = JSON.parse(JSON.stringify(patch(clean, { at, layer: 1, ...more })));
        const got = listed(model.run(corrupted, { edits, capture: one.places }));
        const before = listed(model.run(corrupted, { capture: one.places }));
        const want = listed(clean);
        const key = `self ${at} 1`;
        const { dims } = want.get(key);
        const expected = before.get(key);
        const axes =
          dims.length === 3
            ? ['head', at === 'v' ? 'key' : 'query', at === 'v' ? '' : 'key']
            : ['query'];
        expected.data.forEach((_, index) => {
          let rest = index;
          const indices = dims.map((__, axis) => {
            const inner = dims.slice(axis + 1).reduce((a, b) => a * b, 1);
            const own = Math.floor(rest / inner);
            rest %= inner;
            return own;
          });
          const isSelected = axes.every(
            (field, axis) => !(field in more) || [more[field]].flat().includes(indices[axis]),
          );
          if (isSelected) expected.data[index] = want.get(key).data[index];
        });
        assert.equal(explainBitDifference(got.get(key), expected), '', JSON.stringify([at, more]));
      }
    }));

  it('names what is missing or in several stacks', () =>
    withModel('bart', ({ model, input }) => {
      const result = model.run(input, {
        capture: [
          { at: 'z', stack: 'encoder' },
          { at: 'z', stack: 'decoder', layer: 0 },
        ],
      });
      assert.throws(() => patch({}, { at: 'z', layer: 0 }), {
        name: 'RangeError',
        message: /^the result has not captured z of layer 0: run\(\) with the option capture/,
      });
      assert.throws(() => patch(result, { at: 'z', layer: 0 }), /z of layer 0 in several stacks/);
      assert.throws(
        () => patch(result, { at: 'z', layer: 1, stack: 'decoder' }),
        /not captured z of layer 1 of the stack decoder/,
      );
      assert.throws(() => patch(result, { at: 'z', layer: 1, head: 2 }), /^RangeError: head has 2/);
      assert.deepEqual(patch(result, { at: 'z', layer: 1 })[0].stack, 'encoder');
    }));
});

describe('numbers of edits', () => {
  it('are nested arrays or tensors, −∞ is null or itself, and -0 is 0', () =>
    withModel('gpt2', ({ model, input }) => {
      const run = (at, set) =>
        model.run(input, { edits: [{ at, layer: 1, query: [4, 5], to: { set } }], capture: [at] });
      const numbers = [0.5, null, 1, -1, 2, 0, 1, null, 0.25, -2, 3, null];
      const want = run('scores', [numbers.slice(0, 6), numbers.slice(6)]);
      const infinite = numbers.map((x) => x ?? -Infinity);
      for (const data of [
        numbers,
        infinite,
        Float32Array.from(infinite),
        Float64Array.from(infinite),
      ]) {
        assert.deepEqual(run('scores', { data, dims: [2, 6] }), want);
        assert.deepEqual(run('scores', { data, dims: [1, 2, 6] }), want);
      }
      const { data } = run('mlp_out', [-0]).captured[1].tensor;
      for (const x of data.subarray(4 * 8)) assert.ok(Object.is(x, 0));
    }));

  it('are not changed, and may be frozen', () =>
    withModel('gpt2', ({ model, input }) => {
      const edit = { at: 'z', layer: 0, head: Object.freeze([1]), to: Object.freeze({ scale: 2 }) };
      const edits = Object.freeze([
        Object.freeze(edit),
        ...patch(model.run(input, { capture: ['v'] }), { at: 'v', layer: 1 }),
      ]);
      const before = JSON.stringify(edits);
      model.run(input, { edits });
      assert.equal(JSON.stringify(edits), before);
    }));
});

describe('captures', () => {
  it('are in the order of the layers, each once', () =>
    withModel('bart', ({ model, input }) => {
      const { captured } = model.run(input, {
        capture: [
          { at: 'pattern', stack: 'cross' },
          { at: 'z', stack: 'decoder', layer: [1] },
          { at: 'pattern', stack: 'cross', layer: 1 },
          { at: 'resid_pre', stack: 'encoder', layer: 0 },
        ],
      });
      assert.deepEqual(
        captured.map(({ at, layer, stack, tensor: { dims } }) => [at, layer, stack, ...dims]),
        [
          ['resid_pre', 0, 'encoder', 5, 8],
          ['pattern', 0, 'cross', 4, 4, 5],
          ['pattern', 1, 'cross', 4, 4, 5],
          ['z', 1, 'decoder', 4, 4, 2],
        ],
      );
    }));

  it('agree with other results of the same run', () =>
    withModel('qwen3', ({ model, input, places }) => {
      const edits = [...ablate(0, 2), ...knockout({ layers: 1, query: 5, key: 2 })];
      const options = { attentions: true, projections: true, hiddenStates: true, edits };
      const result = model.run(input, { ...options, capture: places });
      const captured = listed(result);
      const same = (key, tensor) =>
        assert.equal(explainBitDifference(captured.get(key), tensor), '', key);
      for (const n of [0, 1]) {
        same(`self pattern ${n}`, result.attentions.self[n]);
        same(`self q ${n}`, result.projections.self[n].query);
        same(`self k ${n}`, result.projections.self[n].key);
        same(`self v ${n}`, result.projections.self[n].value);
        same(`self resid_pre ${n}`, result.hiddenStates[n]);
      }
      same('self resid_post 0', result.hiddenStates[1]);
      const { captured: _, ...others } = result;
      assert.deepEqual(others, model.run(input, options));
    }));
});
