// attention-wasm/models: rotary frequencies, sinusoidal positions and activations, compared with their
// formulas.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { activations } from '../../../web/lib/models/run/activations.js';
import { ConfigFields } from '../../../web/lib/models/config/config_fields.js';
import { addPosition } from '../../../web/lib/models/run/embedding.js';
import { rotaryOf } from '../../../web/lib/models/config/rotary_frequencies.js';

const near = (got, want, tolerance = 1e-12) => {
  assert.equal(got.length, want.length);
  want.forEach((x, n) => assert.ok(Math.abs(got[n] - x) <= tolerance, `${got[n]} for ${x}, ${n}`));
};

describe('rotary embeddings', () => {
  const rotary = (fields, { keyDim = 8, fraction } = {}) =>
    rotaryOf(new ConfigFields(fields), 4, { keyDim, fraction });
  const scaled = (rope) => rotary({ max_position_embeddings: 4096, rope_scaling: rope }).rotary;
  const plain = [1, 0.1, 0.01, 0.001]; // 10000^(-2i/8)

  it('have angles of the given base, by default 10,000 for Llama', () => {
    for (const [fields, want] of [
      [{}, [1, 0.01]],
      [{ rope_theta: 100 }, [1, 0.1]],
      [{ rotary_emb_base: 100 }, [1, 0.1]],
      [{ rope_theta: 100, rope_parameters: { rope_type: 'default' } }, [1, 0.1]],
      [{ rope_theta: 5, rope_parameters: { rope_theta: 100 } }, [1, 0.1]],
      [{ rope_scaling: { type: 'linear', factor: 4 } }, [0.25, 0.0025]],
    ]) {
      near(rotary(fields, { keyDim: 4 }).rotary.frequencies, want);
    }
  });

  it('may differ by layer type', () => {
    const [full, sliding] = ['full_attention', 'sliding_attention'];
    const ten = { rope_type: 'default', rope_theta: 10 };
    const byType = (rope_parameters, layer_types) =>
      rotary({ rope_theta: 5, rope_parameters, layer_types }, { keyDim: 4 });
    near(byType({ [full]: ten }).rotary.frequencies, [1, 10 ** -0.5]);
    const yarned = { ...ten, rope_type: 'yarn', factor: 4, original_max_position_embeddings: 16 };
    const factor = 0.1 * Math.log(4) + 1;
    near([byType({ [full]: yarned }).rotary.factor], [factor]);
    const halved = { rope_theta: 100, rope_type: 'linear', factor: 2 };
    const kinds = [full, sliding, full, full];
    const { optionsOf } = byType({ [full]: ten, [sliding]: halved }, kinds);
    for (const [n, kind] of kinds.entries()) {
      const want = kind === full ? [1, 10 ** -0.5] : [0.5, 0.05];
      near(optionsOf(n).rotary.frequencies, want);
    }
    const longrope = {
      rope_type: 'longrope',
      short_factor: [1, 1],
      original_max_position_embeddings: 8,
    };
    assert.equal(byType({ [full]: ten, [sliding]: longrope }, kinds).maxLength, 8);
    for (const [parameters, types] of [
      [{ [full]: ten, [sliding]: ten }, undefined],
      [{ [full]: ten }, kinds],
      [{ [full]: ten, [sliding]: ten }, kinds.slice(1)],
    ]) {
      assert.throws(() => byType(parameters, types), /^RangeError: 'layer_types' of config\.json/);
    }
  });

  it('need the type of their scaling, and finite numbers', () => {
    for (const [fields, sentence] of [
      [
        { rope_scaling: { factor: 4 } },
        /'rope_scaling' of config\.json has no 'rope_type' or 'type'/,
      ],
      [{ rope_scaling: {} }, /has no 'rope_type'/],
      [{ rope_parameters: { rope_theta: 9, factor: 4 } }, /'rope_parameters' .* no 'rope_type'/],
      [
        { rope_parameters: { full_attention: { factor: 4 } } },
        /'full_attention' of .* no 'rope_type'/,
      ],
      [{ rope_theta: 0 }, /'rope_theta' .* must be a number above 0/],
      [{ rope_scaling: { type: 'linear', factor: 0 } }, /'factor' .* must be a number above 0/],
      [{ rope_scaling: { type: 'linear', factor: 1e-40 } }, /'factor' .* of at least 2\^-126/],
    ]) {
      assert.throws(() => rotary(fields), { name: 'RangeError', message: sentence });
    }
    assert.equal(rotary({ rope_parameters: {} }).rotary.width, 8);
  });

  it('rotate an even number of dimensions, from 2 to the head size', () => {
    for (const [keyDim, fraction, want] of [
      [2, 1, 2],
      [5, 0.4, 2],
      [80, 0.4, 32],
      [2 ** 16, 1, 2 ** 16],
    ]) {
      assert.equal(rotary({}, { keyDim, fraction }).rotary.width, want);
    }
    for (const [keyDim, fraction] of [
      [3, 1],
      [4, 0.25],
      [4, 0],
      [4, 1.5],
      [2 ** 16 + 2, 1],
    ]) {
      assert.throws(() => rotary({}, { keyDim, fraction }), RangeError);
    }
  });

  it('of llama3: high frequencies stay, low ones are divided, others interpolated', () => {
    const rope = { rope_type: 'llama3', factor: 8, low_freq_factor: 1, high_freq_factor: 4 };
    // Rotations over 1000 positions: 1000/2π for the first frequency, 15.9, 1.59 and 0.159 for the others.
    const { frequencies } = scaled({ ...rope, original_max_position_embeddings: 1000 });
    const fraction = ((1000 * 0.01) / (2 * Math.PI) - 1) / 3;
    near(frequencies, [1, 0.1, ((1 - fraction) * 0.01) / 8 + fraction * 0.01, 0.001 / 8]);
  });

  const yarn = { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 1024 };

  it('of yarn: a ramp with fractional ends, or a step', () => {
    const placeOf = (turns) => (8 * Math.log(1024 / (turns * 2 * Math.PI))) / (2 * Math.log(1e4));
    const [low, high] = [placeOf(32), placeOf(1)];
    const want = plain.map((f, i) => {
      const ramp = Math.min(Math.max((i - low) / (high - low), 0), 1);
      return (f / 4) * ramp + f * (1 - ramp);
    });
    near(scaled({ ...yarn, truncate: false }).frequencies, want);
    const step = scaled({ ...yarn, truncate: false, beta_fast: 10, beta_slow: 10 }).frequencies;
    near(
      step,
      plain.map((f, i) => (i <= placeOf(10) ? f : f / 4)),
    );
  });

  it('of yarn: an attention factor from any of three fields', () => {
    const grown = (by) => 0.1 * by * Math.log(4) + 1;
    for (const [more, want] of [
      [{}, grown(1)],
      [{ attention_factor: 0.5 }, 0.5],
      [{ mscale: 2, mscale_all_dim: 0.5 }, grown(2) / grown(0.5)],
      [{ mscale: 2 }, grown(1)],
      [{ factor: 1 }, 1],
    ]) {
      near([scaled({ ...yarn, ...more }).factor], [want]);
    }
  });

  it('are limited to the trained length of their scaling', () => {
    const shares = { type: 'su', short_factor: [1, 2], long_factor: [3, 4] };
    const usual = (by, from) => Math.sqrt(1 + Math.log(by) / Math.log(from));
    const grown = { max_position_embeddings: 4096, original_max_position_embeddings: 1024 };
    const dynamic = { type: 'dynamic', factor: 2 };
    for (const [fields, rope_scaling, factor, maxLength] of [
      [{}, shares, 1, 2048],
      [grown, shares, usual(4, 1024), 1024],
      [grown, { ...shares, factor: 8 }, usual(8, 1024), 1024],
      [grown, { ...shares, factor: 0.5 }, 1, 1024],
      [grown, { ...shares, attention_factor: 3 }, 3, 1024],
      [grown, { ...shares, original_max_position_embeddings: 2 }, usual(2048, 2), 2],
      [{}, dynamic, undefined, 2048],
      [{ max_position_embeddings: 9 }, dynamic, undefined, 9],
      [{}, undefined, undefined, undefined],
    ]) {
      const got = rotary({ ...fields, rope_scaling }, { keyDim: 4 });
      assert.deepEqual([got.rotary.factor, got.maxLength], [factor, maxLength]);
    }
    const none = { ...shares, original_max_position_embeddings: 1 };
    assert.throws(() => rotary({ ...grown, rope_scaling: none }, { keyDim: 4 }), {
      name: 'RangeError',
      message: /'original_max_position_embeddings'/,
    });
  });
});

describe('sinusoidal positions', () => {
  /** Sines, then cosines of an angle per position. */
  const vector = (p, width, sines, angle) =>
    Array.from({ length: width }, (_, n) => {
      if (n < sines) return Math.sin(p * angle(n));
      return n < sines + Math.floor(width / 2) ? Math.cos(p * angle(n - sines)) : 0;
    });

  it('are sines and cosines of their frequencies, also for odd widths', () => {
    for (const width of [6, 7]) {
      for (const p of [0, 1, 5]) {
        const got = (kind) => {
          const row = new Float64Array(width).fill(1);
          addPosition(row, kind, p);
          return row.map((x) => x - 1); // positions are added to the row, which was 1
        };
        const ofWidth = (i) => 10_000 ** ((-2 * i) / width);
        near(got('halves'), vector(p, width, Math.ceil(width / 2), ofWidth));
        near(
          got('fairseq'),
          vector(p, width, 3, (i) => 10_000 ** (-i / 2)),
        );
      }
    }
  });
});

describe('nonlinearities', () => {
  // Computed by erf, tanh and exp of C.
  const known = {
    relu: { '-1': 0, 0: 0, 2: 2 },
    gelu: {
      ...{ '-20': 0, '-1': -0.15865525393145705, 0: 0, 0.5: 0.34573123063700656 },
      ...{ 1: 0.8413447460685429, 3: 2.99595030590511, 20: 20 },
    },
    gelu_tanh: { '-1': -0.15880800939172324, 0: 0, 1: 0.8411919906082768, 3: 2.996362607918227 },
    quick_gelu: { '-1': -0.1542042340671787, 0: 0, 1: 0.8457957659328212, 2: 1.9356586231442083 },
    silu: { '-1': -0.2689414213699951, 0: 0, 1: 0.7310585786300049, 5: 4.966535745378576 },
    tanh: { '-1': -0.7615941559557649, 0: 0, 1: 0.7615941559557649 },
  };
  for (const [name, values] of Object.entries(known)) {
    it(`have the values of their formulas: ${name}`, () => {
      for (const [x, y] of Object.entries(values)) near([activations[name](Number(x))], [y]);
    });
  }
});
