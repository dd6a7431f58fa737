// The kernels of attention-wasm/fused: where the engine has relaxed SIMD they run, elsewhere 'simd' does.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadAttention as loadCore } from 'attention-wasm/core';
import { fused } from 'attention-wasm/fused';
import { loadAttentionPool } from 'attention-wasm/pool';
import { loadTranslator } from 'attention-wasm/translator';
import { explainBitDifference } from '../support/js/compare.js';
import { normalTensor, seeded } from '../support/js/random_tensors.js';
import { same } from '../support/js/watched_pool.js';

const bytesOf = (name) => readFileSync(new URL(import.meta.resolve(`attention-wasm/${name}`)));
const hasRelaxedSimd = WebAssembly.validate(bytesOf('fused.wasm'));
const expected = hasRelaxedSimd ? 'fused' : 'simd';

// (1 + e)² - (1 + 2e) = e² with e = 2^-13, exactly; (1 + e)² rounded to float32 is 1 + 2e.
const e = 2 ** -13;
const query = { data: Float32Array.of(1, 1 + e), dims: [1, 2] };
const key = { data: Float32Array.of(-(1 + 2 * e), 1 + e), dims: [1, 2] };
const score = ({ scores }) => scores(query, key, { scale: 1 }).data[0];

const letters = (text) => [text.length, ...Buffer.from(text)];
/** A section of a module: its number, and its content. */
const section = (number, ...content) => [number, content.length, ...content];

/** A module with a section dylink.0 of these bytes, and other sections. */
function moduleWith(dylink, ...sections) {
  const custom = section(0, ...letters('dylink.0'), ...dylink);
  return new WebAssembly.Module(
    Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, ...custom, ...sections.flat()),
  );
}

const emptyType = section(1, 1, 0x60, 0, 0);
/** One function without parameters or results; body: its instructions. */
const functionOf = (body, name = 'fuse', kind = 0) => [
  emptyType,
  section(3, 1, 0),
  section(7, 1, ...letters(name), kind, 0),
  section(10, 1, body.length + 2, 0, ...body, 0x0b),
];

describe('fused kernels', () => {
  it('round a product and its sum once', async () => {
    const api = await loadAttention({ kernels: fused });
    assert.equal(api.kernels, expected);
    assert.equal(score(api), hasRelaxedSimd ? e * e : 0);
    assert.equal(score(await loadAttention()), 0);
  });

  // Among weights and rows are the largest of both signs.
  it('multiply int8 weights with the same bits', async () => {
    const inputs = 90;
    const outputs = 20;
    const weight = {
      data: Int8Array.from(
        { length: inputs * outputs },
        (_, at) => [127, -127, at % 127][(at % 7) % 3],
      ),
      scales: new Float32Array(outputs).fill(0.01),
      dims: [outputs, inputs],
    };
    const results = await Promise.all(
      [fused, 'simd'].map(async (kernels) => {
        const { Linear } = await loadAttention({ kernels });
        const linear = Linear.fromTorch({ weight });
        return [1, 2, 3, 4, 5].map((rows) => {
          const data = Float32Array.from({ length: rows * inputs }, (_, at) =>
            at % 3 === 2 ? Math.sin(at) : [1, -1][at % 3],
          );
          return linear.forward({ data, dims: [rows, inputs] }).data;
        });
      }),
    );
    assert.deepEqual(results[0], results[1]);
    assert.notEqual(results[0][0][0], 0);
  });

  it('multiply rows that are not quantized with the same bits', async () => {
    const [inputs, outputs] = [40, 72];
    const random = seeded('not quantized');
    const weights = [1e-3, 1e30, 1e37].map((scale) => ({
      data: Int8Array.from({ length: inputs * outputs }, () => random.integer(-128, 127)),
      scales: Float32Array.from({ length: outputs }, () => scale * random.uniform()),
      dims: [outputs, inputs],
    }));
    const layers = await Promise.all(
      [fused, 'simd'].map(async (kernels) => {
        const { Linear } = await loadAttention({ kernels });
        return weights.map((weight) => Linear.fromTorch({ weight }));
      }),
    );
    for (const special of [Infinity, -Infinity, NaN, 0, 1e-40, 3e38]) {
      for (const rows of [1, 2, 4, 5]) {
        const factor = special === 1e-40 ? 1e-32 : 1e5;
        const x = Float32Array.from(
          { length: rows * inputs },
          (_, at) => [1, factor, -factor][at % 3] * random.normal(),
        );
        for (let row = 0; row < rows; row++) x[row * inputs + 7 + row] = special;
        layers[0].forEach((layer, n) => {
          const [got, want] = [layer, layers[1][n]].map((one) =>
            one.forward({ data: x, dims: [rows, inputs] }),
          );
          assert.equal(explainBitDifference(got, want), '', `${special} in ${rows} rows`);
        });
      }
    }
  });

  it('run in a pool', async () => {
    const pool = await loadAttentionPool({ workers: 1, kernels: fused });
    const x = normalTensor(seeded('fused'), [1, 1, 512, 64]);
    assert.equal(pool.kernels, expected);
    const { output } = await pool.attention(x, x, x);
    await pool.close();
    const [alone, simd] = await Promise.all(
      [fused, 'simd'].map(async (kernels) => (await loadAttention({ kernels })).attention(x, x, x)),
    );
    same(output, alone.output);
    const isOfSimd = output.data.every((number, at) => number === simd.output.data[at]);
    assert.equal(isOfSimd, !hasRelaxedSimd);
  });

  it('run in the translator, with nearly the same probabilities', async () => {
    const [found, wanted] = await Promise.all(
      [fused, 'simd'].map(async (kernels) => {
        const translator = await loadTranslator({ api: await loadAttention({ kernels }) });
        return translator.translate('The red car is fast.');
      }),
    );
    assert.equal(found.text, wanted.text);
    found.logProbabilities.forEach((number, at) => {
      assert.ok(Math.abs(number - wanted.logProbabilities[at]) < 1e-3, `piece ${at}`);
    });
    const isSame = found.logProbabilities.every(
      (number, at) => number === wanted.logProbabilities[at],
    );
    assert.equal(isSame, !hasRelaxedSimd);
  });

  it('are taken compiled', async () => {
    const compiled = (name) => new WebAssembly.Module(bytesOf(name));
    if (!hasRelaxedSimd) {
      assert.throws(() => compiled('fused.wasm'), WebAssembly.CompileError);
      return;
    }
    const wasm = compiled('attention.wasm');
    const api = await loadCore({ wasm, kernels: compiled('fused.wasm') });
    assert.equal(api.kernels, 'fused');
    assert.equal(score(api), e * e);
  });

  it('must be those of the package', async () => {
    const other = new WebAssembly.Module(bytesOf('attention.wasm'));
    await assert.rejects(loadAttention({ kernels: other }), {
      message:
        'kernels is not fused.wasm of this version of attention-wasm: it has no section dylink.0',
    });
    const sizes = [1, 4, 8, 4, 1, 0];
    const short = (count) =>
      `its section dylink.0 of ${count} bytes has no sizes of memory and table`;
    const foreign = [emptyType, section(2, 1, ...letters('env'), ...letters('free'), 0, 0)];
    for (const [dylink, sections, found] of [
      [[], [], short(0)],
      [[1, 4], [], short(2)],
      [[2, 1, 0], [], short(3)],
      [[1, 4, 255, 255, 255, 255, 255, 255, 255, 1], [], short(10)],
      [
        [1, 9, 255, 255, 255, 255, 15, 4, 255, 255, 255, 255, 15, 0],
        [],
        'it requests 4294967295 bytes and 4294967295 table entries; the limits are 1048576 and 4096',
      ],
      [sizes, foreign, "it imports 'env.free'"],
      [sizes, [], "it exports no function 'fuse'"],
      [sizes, functionOf([], 'other'), "it exports no function 'fuse'"],
      [sizes, functionOf([0]), /unreachable/],
    ]) {
      await assert.rejects(loadAttention({ kernels: moduleWith(dylink, ...sections) }), (error) => {
        const [, rest] = error.message.split(
          /^kernels is not fused.wasm of this version of attention-wasm: /,
        );
        return typeof found === 'string' ? rest === found : found.test(rest);
      });
    }
    const wanted = "kernels must be 'simd', 'reference' or fused of 'attention-wasm/fused', found";
    for (const [kernels, found, name] of [
      ['fused', "'fused'", 'RangeError'],
      [{ name: 'fused' }, 'an object', 'TypeError'],
      [1, '1', 'TypeError'],
    ]) {
      await assert.rejects(loadAttention({ kernels }), { name, message: `${wanted} ${found}` });
    }
  });
});
