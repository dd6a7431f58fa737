// Tensors of every number type: every call accepts them for each tensor and for all, with the bits of the same numbers as
// float32. int8 weights of layers are multiplied as integers, which have an oracle.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';

import { explainDifference } from '../../support/js/compare.js';
import { asBfloat16, asFloat16, asFloat32, asInt8 } from '../../support/js/narrowed.js';
import { integerWeights } from '../../support/js/oracle_integers.js';
import { oracleMultiHead } from '../../support/js/oracle_multi_head.js';
import { normalTensor, seeded } from '../../support/js/random_tensors.js';
import { same } from '../../support/js/same_results.js';
import { tensorCalls } from '../../support/js/tensor_calls.js';

const types = {
  float64: ({ data, dims }) => ({ data: Float64Array.from(data, (x) => x * 1.0000001), dims }),
  float16: asFloat16,
  bfloat16: asBfloat16,
  int8: asInt8,
};

for (const kernels of ['simd', 'reference']) {
  describe(`types of numbers, ${kernels} kernels`, async () => {
    const api = await loadAttention({ kernels });
    for (const [name, [call, ...shapes]] of Object.entries(tensorCalls(api, 9))) {
      it(name, () => {
        const random = seeded(name);
        const tensors = shapes.map((dims) => normalTensor(random, dims));
        for (const [type, narrow] of Object.entries(types)) {
          const changes = [...tensors.keys(), 'all'];
          for (const which of changes) {
            const given = tensors.map((tensor, at) =>
              which === at || which === 'all' ? narrow(tensor) : tensor,
            );
            const want = call(...given.map(asFloat32));
            const what = `${type}, tensor ${which}`;
            const got = call(...given);
            if (type === 'int8' && name === 'MultiHeadAttention.fromWeights') {
              const [query, key, value, output] = given.map((tensor) =>
                tensor.scales ? integerWeights(tensor, 'in × out') : tensor,
              );
              const ones = { data: new Float32Array(4).fill(1), dims: [2, 2] };
              const parameters = { query, key, value, output };
              const exact = oracleMultiHead(parameters, { heads: 1 }, ones, ones);
              assert.equal(explainDifference(got.output, exact.output, 4e-6), '', what);
            } else same(got, want, what);
          }
        }
      });
    }
  });
}
