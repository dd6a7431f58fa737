// Low-precision weights keep their size in the module. Results of float16 and bfloat16 have the bits of the same numbers
// as float32, those of int8 the bits of the integer product; all are near x·W + b in float64. A Linear can be filled
// and read row by row.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { explainBitDifference, explainDifference } from '../../support/js/compare.js';
import { normalTensor, seeded } from '../../support/js/random_tensors.js';
import { asBfloat16, asFloat16, asFloat32, asInt8, decoded } from '../../support/js/narrowed.js';
import { integerProduct, quantizedRows } from '../../support/js/oracle_integers.js';
import { transposed } from '../../support/js/oracle_multi_head.js';
import { assertRefuses } from '../../support/js/refusals.js';

const random = seeded('narrow weights');
const narrowings = { float16: asFloat16, bfloat16: asBfloat16, int8: asInt8 };
const rowsOf = ({ data, dims: [, width], type, scales }, first, last) => ({
  data: data.subarray(first * width, last * width),
  dims: [last - first, width],
  ...(type && { type }),
  ...(scales && { scales: scales.subarray(first, last) }),
});

/** x·Wᵀ + b in float64, W being out × in. */
function product(x, { data: w, dims: [out, width] }, bias) {
  const rows = x.data.length / width;
  const data = new Float64Array(rows * out);
  for (let i = 0; i < rows; i++) {
    for (let o = 0; o < out; o++) {
      let sum = bias.data[o];
      for (let j = 0; j < width; j++) sum += x.data[i * width + j] * w[o * width + j];
      data[i * out + o] = sum;
    }
  }
  return { data, dims: [rows, out] };
}

const same = (got, want, what) => assert.equal(explainBitDifference(got, want), '', what);

for (const kernels of ['simd', 'reference']) {
  describe(`low-precision weights, ${kernels} kernels`, async () => {
    const { Linear, MultiHeadAttention, attention } = await loadAttention({ kernels });

    for (const [type, narrow] of Object.entries(narrowings)) {
      // Column counts below, at and above a panel of W, and above a group that is converted at once; depths around a block
      // of sums.
      for (const [width, out] of [
        [1, 1],
        [2, 15],
        [7, 16],
        [255, 17],
        [256, 32],
        [257, 33],
        [600, 50],
        [257, 137],
      ]) {
        it(`${type} is its numbers, ${width} to ${out}`, () => {
          const weight = narrow(normalTensor(random, [out, width]));
          const bias = normalTensor(random, [out]);
          const wide = asFloat32(weight);
          const kept = Linear.fromTorch({ weight, bias });
          const floats = Linear.fromTorch({ weight: wide, bias });
          const turned = narrow(transposed(wide));
          const keptTurned = Linear.fromWeights({ weight: turned, bias });
          const floatsTurned = Linear.fromWeights({ weight: asFloat32(turned), bias });
          for (const rows of [1, 2, 3, 16, 17]) {
            const x = normalTensor(random, [rows, width]);
            const got = kept.forward(x);
            const isInteger = type === 'int8';
            const [want, wantTurned] = isInteger
              ? [integerProduct(x, weight, bias), integerProduct(x, turned, bias, 'in × out')]
              : [floats.forward(x), floatsTurned.forward(x)];
            same(got, want, `${rows} rows`);
            const exact = product(isInteger ? quantizedRows(x) : x, wide, bias);
            assert.equal(explainDifference(got, exact, 2 ** -24 * 8 * (width + 4)), '');
            same(keptTurned.forward(x), wantTurned, `${rows} rows, in × out`);
          }
          for (const made of [kept, floats, keptTurned, floatsTurned]) made.delete();
        });
      }

      it(`${type} in the layers of attention`, () => {
        const narrowed = (...dims) => narrow(normalTensor(random, dims, 0.3));
        const weights = Object.fromEntries(
          ['query', 'key', 'value', 'output'].map((name) => [name, narrowed(24, 24)]),
        );
        const stacked = narrowed(72, 24);
        const third = (part) => rowsOf(stacked, 24 * part, 24 * (part + 1));
        const x = normalTensor(random, [5, 24]);
        for (const [layer, make, matrices] of [
          [MultiHeadAttention.fromWeights(weights, { heads: 3 }), 'fromWeights', weights],
          [
            MultiHeadAttention.fromTorch(
              { in_proj_weight: stacked, 'out_proj.weight': weights.output },
              { heads: 3 },
            ),
            'fromTorch',
            { query: third(0), key: third(1), value: third(2), output: weights.output },
          ],
        ]) {
          // The layer is its Linears with attention between them.
          const through = (name, rows) => {
            const linear = Linear[make]({ weight: matrices[name] });
            const result = linear.forward(rows);
            linear.delete();
            return result;
          };
          const projections = ['query', 'key', 'value'].map((name) => through(name, x));
          const { output } = attention(...projections, { heads: 3 });
          same(layer.forward(x).output, through('output', output));
          layer.delete();
        }
      });

      it(`${type}, reserved and filled row by row`, () => {
        const [width, out] = [300, 37];
        const weight = narrow(normalTensor(random, [out, width]));
        const bias = normalTensor(random, [out]);
        const wide = asFloat32(weight);
        for (const kept of [type, 'float32']) {
          const whole = Linear.fromTorch({ weight: kept === type ? weight : wide, bias });
          const parts = Linear.reserve({ inDim: width, outDim: out, bias: true, type: kept });
          const x = normalTensor(random, [3, width]);
          same(parts.forward(x), { data: new Float32Array(3 * out), dims: [3, out] }, 'zeros');
          for (const [first, last] of [
            [30, 37],
            [0, 1],
            [1, 30],
          ]) {
            const part = { data: bias.data.subarray(first, last), dims: [last - first] };
            parts.fill(first, rowsOf(weight, first, last), part);
          }
          same(parts.forward(x), whole.forward(x), kept);
          const ids = [36, 0, 8, 8, 15];
          const rows = parts.rows(ids);
          assert.deepEqual(rows.dims, [5, width]);
          ids.forEach((id, at) => same(rowsOf(rows, at, at + 1), rowsOf(wide, id, id + 1)));
          assert.deepEqual(parts.rows([]).dims, [0, width]);
          // Without biasPart the bias is unchanged.
          parts.fill(5, rowsOf(weight, 5, 6));
          same(parts.forward(x), whole.forward(x));
          parts.delete();
          whole.delete();
        }
      });
    }

    for (const type of ['float16', 'bfloat16']) {
      it(`all 65,536 of ${type} are exact in W`, () => {
        const data = Uint16Array.from({ length: 2 ** 16 }, (_, bits) => bits);
        const layer = Linear.fromTorch({ weight: { data, dims: [32, 2048], type } });
        const rows = layer.rows(Array.from({ length: 32 }, (_, row) => row));
        rows.data.forEach((number, bits) =>
          assert.ok(Object.is(number, decoded(bits, type)), bits.toString(16)),
        );
        layer.delete();
        // One row times all numbers of the type as a column: the gemv path.
        const one = { data: Float32Array.of(1), dims: [1, 1] };
        const column = Linear.fromTorch({ weight: { data, dims: [2 ** 16, 1], type } });
        column.forward(one).data.forEach((number, bits) => {
          // 0 + -0 is 0.
          const expected = decoded(bits, type) + 0;
          assert.ok(Object.is(number, expected), `${bits.toString(16)}: ${number}`);
        });
        column.delete();
      });
    }

    for (const [type, narrow] of Object.entries(narrowings).filter(([name]) => name !== 'int8')) {
      it(`${type} is its numbers in rows of any content, which change no other row`, () => {
        const [width, out] = [40, 72];
        const number = (at) => [0, -0, random.normal()][at % 3];
        const weight = narrow({
          data: Float32Array.from({ length: width * out }, (_, at) => number(at + (at >> 5))),
          dims: [out, width],
        });
        const wide = asFloat32(weight);
        const square = (tensor) => rowsOf(tensor, 0, width);
        const layers = [weight, wide].map((matrix) => Linear.fromTorch({ weight: matrix }));
        const attentions = [weight, wide].map((matrix) =>
          MultiHeadAttention.fromTorch(
            {
              in_proj_weight: {
                ...matrix,
                data: new matrix.data.constructor([
                  ...matrix.data,
                  ...matrix.data.subarray(0, (3 * width - out) * width),
                ]),
                dims: [3 * width, width],
              },
              'out_proj.weight': square(matrix),
            },
            { heads: 2 },
          ),
        );
        for (const special of [0, -0, 65535, 65536, 1e30, 1e-40, Infinity, -Infinity, NaN]) {
          for (const rows of [1, 2, 3, 4, 5, 17]) {
            const x = normalTensor(random, [rows, width]);
            x.data.set([special, 1, special], (rows - 1) * width);
            const [got, want] = layers.map((layer) => layer.forward(x));
            same(got, want, `${special} in ${rows} rows`);
            for (let row = 0; row < rows; row++) {
              const alone = layers[0].forward(rowsOf(x, row, row + 1));
              same(rowsOf(got, row, row + 1), alone, `row ${row} of ${rows}, with ${special}`);
            }
            const [projected, expected] = attentions.map((layer) => layer.project(x));
            for (const name of ['query', 'key', 'value']) {
              same(projected[name], expected[name], `${name}, ${special} in ${rows} rows`);
            }
            const outputs = attentions.map((layer) => layer.forward(x).output);
            same(...outputs, `attention, ${special} in ${rows} rows`);
          }
        }
        for (const layer of [...layers, ...attentions]) layer.delete();
      });
    }

    it('needs the memory of its numbers', async () => {
      const { Linear: Fresh, memoryBytes } = await loadAttention({
        kernels,
        wasm: await moduleBytes(),
      });
      const side = 2048;
      const before = memoryBytes();
      const made = ['int8', 'float16', 'bfloat16'].map((type) =>
        Fresh.reserve({ inDim: side, outDim: side, type }),
      );
      const bytes = memoryBytes() - before;
      assert.ok(bytes < 5.1 * side * side, `${bytes} bytes`);
      for (const layer of made) layer.delete();
    });

    it('refuses rows that do not fit, and calls after delete()', () => {
      const layer = Linear.reserve({ inDim: 4, outDim: 10, type: 'bfloat16' });
      const floats = (...dims) => normalTensor(random, dims);
      assertRefuses(() => layer.fill('0', floats(2, 4)), TypeError, 'firstRow');
      assertRefuses(() => layer.rows(3), TypeError, 'ids');
      assertRefuses(() => Linear.reserve({ inDim: 4 }), TypeError, 'outDim');
      assert.throws(() => Linear.reserve({ inDim: 4, outDim: 4, type: 'int4' }), RangeError);
      layer.delete();
      assert.throws(() => layer.rows([0]), { name: 'DeletedError' });
      assert.throws(() => layer.fill(0, floats(2, 4)), { name: 'DeletedError' });
      // The scales of a matrix that is in × out belong to its inputs.
      const turned = Linear.fromWeights({ weight: asInt8(floats(4, 3)) });
      assertRefuses(() => turned.fill(0, asInt8(floats(1, 4))), RangeError, 'weightRows');
      turned.delete();
    });
  });
}

/** The raw module, for an instance of its own. */
async function moduleBytes() {
  const { readFile } = await import('node:fs/promises');
  const { fileURLToPath } = await import('node:url');
  return readFile(fileURLToPath(import.meta.resolve('attention-wasm/attention.wasm')));
}
