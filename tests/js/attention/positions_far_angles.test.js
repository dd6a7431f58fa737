// Sines and cosines of angles of a million turns and more, which the module reduces by itself, against those of the
// JavaScript engine, in float64.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { seeded } from '../../support/js/random_tensors.js';

// Doubles next to a multiple of π/2: the last is the nearest there is (Muller et al., Handbook of Floating-Point
// Arithmetic, §10.1).
const nextToQuarters = [2 ** 21, 5.319372648326541e255, 6381956970095103 * 2 ** 797];

describe('large angles', async () => {
  const { rotaryEmbedding, sinusoidalPositions } = await loadAttention();

  it('rotate as exactly as small ones', () => {
    const random = seeded('large angles');
    const positions = [...nextToQuarters, Number.MAX_VALUE, 2 ** 1023];
    for (let exponent = 18; exponent < 1024; exponent++) {
      positions.push((1 + random.integer(1, 2 ** 30) * 2 ** -30) * 2 ** exponent);
    }
    const signed = positions.flatMap((position) => [position, -position]);
    const data = Float32Array.from(signed.flatMap(() => [1, 0]));
    const x = { data, dims: [signed.length, 2] };
    const turned = rotaryEmbedding(x, { positions: signed }).data;
    for (const [row, angle] of signed.entries()) {
      assert.equal(turned[2 * row], Math.fround(Math.cos(angle)), `cos ${angle}`);
      assert.equal(turned[2 * row + 1], Math.fround(Math.sin(angle)), `sin ${angle}`);
    }
  });

  it('are as exact in sinusoidal positions', () => {
    const offset = 2 ** 52 + 1;
    const { data } = sinusoidalPositions(8, 2, { offset });
    for (let row = 0; row < 8; row++) {
      assert.equal(data[2 * row], Math.fround(Math.sin(offset + row)));
      assert.equal(data[2 * row + 1], Math.fround(Math.cos(offset + row)));
    }
  });
});
