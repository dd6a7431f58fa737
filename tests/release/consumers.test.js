// The weight matrix of the consumer projects (tests/release/consumers.js) against its float64 definition.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { known, knownTensor, options } from './consumers/known.js';
import { pooled } from './consumers/pooled.js';

const [batch, tokens, heads, dim] = [2, 9, 3, 8];

describe('the known weights of the consumers', () => {
  it('are those of the definition, and their digest is that of a fresh instance too', async () => {
    const { attention } = await loadAttention();
    const x = knownTensor();
    assert.deepEqual(x.dims, [batch, tokens, heads * dim]);
    const { output, weights } = attention(x, x, x, options);
    const at = (entry, token, head, c) => ((entry * tokens + token) * heads + head) * dim + c;
    for (let row = 0; row < batch * heads * tokens; row++) {
      const [entry, head, token] = [
        Math.floor(row / (heads * tokens)),
        Math.floor(row / tokens) % heads,
        row % tokens,
      ];
      const exponentials = Array.from({ length: tokens }, (_, key) => {
        let product = 0;
        for (let c = 0; c < dim; c++) {
          product += x.data[at(entry, token, head, c)] * x.data[at(entry, key, head, c)];
        }
        return key <= token ? Math.exp(product / Math.sqrt(dim)) : 0;
      });
      const sum = exponentials.reduce((a, b) => a + b);
      for (let key = 0; key < tokens; key++) {
        const found = weights.data[row * tokens + key];
        assert.ok(Math.abs(found - exponentials[key] / sum) < 1e-6, `${row}, ${key}: ${found}`);
      }
      for (let c = 0; c < dim; c++) {
        let mean = 0;
        for (let key = 0; key < tokens; key++) {
          mean += (exponentials[key] / sum) * x.data[at(entry, key, head, c)];
        }
        const found = output.data[at(entry, token, head, c)];
        assert.ok(Math.abs(found - mean) < 1e-6, `${row}, ${c}: ${found}, not ${mean}`);
      }
    }
    assert.equal(await known(() => loadAttention({ kernels: 'simd' })), await known());
    assert.equal(await pooled(), 'same');
  });
});
