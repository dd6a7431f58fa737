// Edits and captures inside layers, from JavaScript. Values are tested in tests/cpp/layers/interventions_test.cpp.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';
import { loadAttentionPool } from 'attention-wasm/pool';

const heads = 4;
const kvHeads = 2;
const width = 8;
const rows = 5;
const memoryRows = 3;
const crossPlaces = 16;
const [set, add, scale] = [0, 1, 2];
const place = { residPre: 0, query: 1, key: 2, value: 3, scores: 4, pattern: 5, heads: 6 };
const matrices = [place.scores, place.pattern];
const everyPlace = Array.from({ length: 13 }, (_, at) => at);
const headOutputs = 11;

/** Numbers between -0.5 and 0.5. */
function randomTensors() {
  let seed = 1;
  return (...dims) => ({
    dims,
    data: Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, () => {
      seed = (seed * 16807) % 2147483647;
      return seed / 2147483647 - 0.5;
    }),
  });
}
const random = randomTensors();

const attentionWeights = () => ({
  query: random(width, width),
  key: random(width, width / 2),
  value: random(width, width / 2),
  output: random(width, width),
  queryBias: random(width),
  outputBias: random(width),
});

function weightsOf(decoder) {
  return {
    self: attentionWeights(),
    ...(decoder && { cross: attentionWeights(), crossNorm: random(width) }),
    selfNorm: random(width),
    feedForwardNorm: random(width),
    widen: random(width, 2 * width),
    narrow: random(2 * width, width),
    selfScale: random(width),
    feedForwardScale: random(width),
  };
}

/** Heads, rows and columns of a place. */
function shapeOf(at) {
  const keys = at >= crossPlaces ? memoryRows : rows;
  const dim = width / heads;
  const shapes = {
    1: [heads, rows, dim],
    2: [kvHeads, keys, dim],
    3: [kvHeads, keys, dim],
    4: [heads, rows, keys],
    5: [heads, rows, keys],
    6: [heads, rows, dim],
    11: [heads, rows, width],
    12: [heads, keys, width],
  };
  return shapes[at % crossPlaces] ?? [1, rows, width];
}

const product = (dims) => dims.reduce((a, b) => a * b, 1);
const farthest = (a, b) => Math.max(...a.map((number, at) => Math.abs(number - b[at])));

/** An edit of everything at a place. */
function editOf(at, operation, factor = 1) {
  const [, tableRows, columns] = shapeOf(at);
  const strides = operation === scale ? [0, 0, 0] : [tableRows * columns, columns, 1];
  const isCross = at >= crossPlaces ? 1 : 0;
  return [at % crossPlaces, isCross, operation, factor, 0, ...strides, 0, 0, 0];
}

const vector = (data) => ({ data: Float32Array.from(data), dims: [data.length] });

for (const [name, options, decoder] of [
  ['an encoder layer with post-norm', {}, false],
  ['an encoder layer with pre-norm', { normFirst: true }, false],
  ['a parallel layer', { parallel: true }, false],
  ['a decoder layer', { normFirst: true }, true],
]) {
  describe(`interventions in ${name}`, () => {
    const x = random(1, rows, width);
    const forwardOptions = { causal: true, weights: true };
    if (decoder) forwardOptions.memory = random(1, memoryRows, width);
    const cross = everyPlace.filter((at) => (at > 0 && at < 8) || at > 10).map((at) => at + 16);
    const captures = [...everyPlace.filter((at) => !(at === 8 && options.parallel))];
    if (decoder) captures.push(...cross);
    const weights = weightsOf(decoder);
    let layer;
    let plain;
    const captured = new Map();

    const forward = (interventions) => layer.forward(x, { ...forwardOptions, interventions });

    before(async () => {
      const { TransformerLayer } = await loadAttention();
      const own = { heads, kvHeads, rotary: {}, layout: 'in × out', ...options };
      layer = TransformerLayer.fromWeights(weights, own);
      plain = layer.forward(x, forwardOptions);
      const result = forward({ captures });
      assert.deepEqual(result.output.data, plain.output.data);
      let first = 0;
      for (const at of captures) {
        captured.set(at, result.captured.data.slice(first, (first += product(shapeOf(at)))));
      }
      assert.equal(first, result.captured.data.length);
    });

    it('captures input, output and weights', () => {
      assert.deepEqual(captured.get(place.residPre), x.data);
      assert.deepEqual(captured.get(10), plain.output.data);
      assert.deepEqual(captured.get(place.pattern), plain.weights.data);
      if (decoder) assert.deepEqual(captured.get(place.pattern + 16), plain.crossWeights.data);
    });

    it('computes the same when its own numbers are set, and others when they are halved', () => {
      for (const at of captures.filter((one) => one % crossPlaces < headOutputs)) {
        const edits = editOf(at, set);
        const patched = forward({ edits, values: vector(captured.get(at)) }).output.data;
        // Scores and weights take another path.
        const bound = matrices.includes(at % crossPlaces) ? 2e-6 : 0;
        assert.ok(farthest(patched, plain.output.data) <= bound, `place ${at}`);
        const halved = forward({ edits: editOf(at, scale, 0.5) }).output.data;
        assert.ok(farthest(halved, plain.output.data) > 1e-4, `place ${at}`);
      }
    });

    it('has head outputs that add up to the output of attention', () => {
      const outputs = captured.get(headOutputs);
      const sums = captured.get(7).map((_, at) => {
        const column = at % width;
        let sum = weights.self.outputBias.data[column];
        for (let head = 0; head < heads; head++) sum += outputs[head * rows * width + at];
        return sum * weights.selfScale.data[column];
      });
      assert.ok(farthest(sums, captured.get(7)) < 1e-6);
    });

    it('hides a key from a query as a mask does', () => {
      const edits = [place.scores, 0, set, 1, 0, 0, 0, 0, 0, 1, 3, 1, 1];
      const hidden = forward({ edits, values: vector([-Infinity]) });
      const mask = { data: new Uint8Array(rows * rows).fill(1), dims: [rows, rows] };
      mask.data[3 * rows + 1] = 0;
      const masked = layer.forward(x, { ...forwardOptions, mask });
      assert.ok(farthest(hidden.output.data, masked.output.data) <= 2e-6);
      assert.deepEqual(hidden.weights.data, masked.weights.data);
    });

    it('edits the rows of steps with a cache as those of the whole sequence', () => {
      const edits = [...editOf(place.pattern, scale, 0.5), ...editOf(place.value, scale, 3)];
      const whole = forward({ edits }).output.data;
      const cache = layer.createCache({ capacity: rows });
      const steps = [];
      for (let row = 0; row < rows; row++) {
        const one = { data: x.data.slice(row * width, (row + 1) * width), dims: [1, 1, width] };
        const step = layer.forward(one, { ...forwardOptions, cache, interventions: { edits } });
        steps.push(...step.output.data);
      }
      assert.ok(farthest(whole, steps) <= 2e-6);
    });

    if (!decoder) return;

    it('edits keys of the memory when they are projected', () => {
      const edits = [place.key, 1, add, 1, 0, 0, 0, 0, 0, 1, 1, 0];
      const interventions = { edits, values: vector([0.5]) };
      const memory = layer.projectMemory(forwardOptions.memory, { interventions });
      const once = layer.forward(x, { ...forwardOptions, memory });
      assert.deepEqual(once.output.data, forward(interventions).output.data);
      assert.notDeepEqual(once.output.data, plain.output.data);
      assert.throws(
        () => layer.forward(x, { ...forwardOptions, memory, interventions }),
        /operation 1 is none of place 2 here/,
      );
    });
  });
}

describe('interventions of the wrong kind', () => {
  it('are refused by name', async () => {
    const { MultiHeadAttention } = await loadAttention();
    const layer = MultiHeadAttention.fromWeights(attentionWeights(), { heads, kvHeads });
    const x = random(rows, width);
    const tries = [
      [{ edits: 'all' }, /interventions\.edits must be an array of numbers/],
      [{ values: 1 }, /interventions\.values must be a tensor/],
      [{ captures: ['6'] }, /interventions\.captures\[0\] must be a number/],
      [{ capture: [6] }, /interventions\(\) has no option 'capture'/],
    ];
    for (const [interventions, message] of tries) {
      assert.throws(() => layer.forward(x, null, { interventions }), message);
    }
    assert.throws(
      () => layer.projectContext(x, { interventions: { captures: [2] } }),
      /has no option 'captures'/,
    );
  });

  it('are refused by the layers of a pool', async () => {
    const pool = await loadAttentionPool({ workers: 1 });
    try {
      const layer = pool.MultiHeadAttention.fromWeights(attentionWeights(), { heads, kvHeads });
      await assert.rejects(
        async () => layer.forward(random(rows, width), null, { interventions: { captures: [6] } }),
        /has no option 'interventions'/,
      );
    } finally {
      await pool.close();
    }
  });
});
