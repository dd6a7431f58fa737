// The exported lines of JavaScript, run by Node.js: they compute the displayed weights.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toJavaScript } from '../../../web/demo/page/exports/javascript_lines.js';
import { run } from '../../support/js/package.js';
import { answerTo } from '../../support/js/page_answer.js';

const plain = { source: 'ngrams', mode: 'self', merge: false, hideSpecial: false };
const text = 'Say "tea", uncle: tea, teas';

/** { dims, data } of the weights that the lines compute. */
async function computed(code) {
  assert.match(code, /^import \{ loadAttention \} from 'attention-wasm';\n/);
  assert.ok(code.split('\n').length <= 12, code);
  const printed = code.replace(
    /^console\.log.*$/m,
    'console.log(JSON.stringify({ dims: weights.dims, data: Array.from(weights.data) }));',
  );
  return JSON.parse(await run('node', ['--input-type=module', '--eval', printed]));
}

describe('exported lines of JavaScript', () => {
  for (const [what, state] of Object.entries({
    'heads and a mask': { heads: 2, causal: true },
    'the average of heads': { heads: 2, average: true },
    'another kind between two texts, at a temperature': {
      ...{ mode: 'cross', context: 'uncles’ tea', heads: 2, kind: 'gaussian', temperature: 2 },
      ...{ fused: true, causal: true },
    },
  })) {
    it(`compute the displayed weights: ${what}`, async () => {
      const { state: all, picture, facts } = await answerTo({ ...plain, text, ...state });
      const code = toJavaScript(all, facts);
      assert.equal(code.includes('kernels: fused'), state.fused === true);
      const { dims, data } = await computed(code);
      const { weights } = picture.stages;
      assert.equal(
        dims.reduce((product, size) => product * size),
        weights.length,
      );
      const off = state.fused ? 1e-6 : 0; // fused kernels round less often
      data.forEach((weight, at) => assert.ok(Math.abs(weight - weights[at]) <= off, `${at}`));
    });
  }
});
