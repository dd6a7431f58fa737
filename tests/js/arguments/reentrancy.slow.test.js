// Names added to Object.prototype change no result; after an interrupted call (stack overflow) a module rejects all calls.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { loadAttention } from 'attention-wasm';

import { root, run } from '../../support/js/package.js';
import { normalTensor, seeded } from '../../support/js/random_tensors.js';

const random = seeded('code of the caller');
const tensor = (...dims) => normalTensor(random, dims);
const square = () => tensor(8, 8);

describe('what was added to Object.prototype', () => {
  it('changes no call, whatever its name', async () => {
    const names =
      `activation at average base batch bandwidth bias block cache capacity causal configurable
      constant context cos createWorker cross crossKeyLengths crossMask data degree dims dim enumerable
      epsilon error featureMap fields get given headOutputs heads id index interleaved kernels key
      keyDim keyLengths kvHeads layer length locale localeMatcher logSumExp mask memory memoryCache
      metadata name noun norm normFirst object offset output outputBias positions prefix query
      queryCost rank required result S scale scales scores seed set similarity sin sinks size sliding
      slopes softcap stacked stackedBias state task torch type value valueDim weight weights width
      window workers writable z`.split(/\s+/);
    const program = fileURLToPath(new URL('../../support/js/polluted_calls.js', import.meta.url));
    assert.equal(await run(process.execPath, [program, ...names], root), '\n');
  });
});

describe('a call that is interrupted', () => {
  const x = tensor(16, 64);

  /** Makes a call near stack overflow, with decreasing depth until the call succeeds. */
  function callAtTheEnd(call) {
    try {
      callAtTheEnd(call);
    } catch {
      call();
    }
  }

  it('makes all later calls throw a clear error; a new module can be loaded', async () => {
    const expected = (await loadAttention()).attention(x, x, x).output.data;
    let interrupted = 0;
    // Nearly every round interrupts the call, each elsewhere.
    for (let round = 0; round < 60; round++) {
      const { attention } = await loadAttention();
      try {
        callAtTheEnd(() => attention(x, x, x));
      } catch (error) {
        assert.match(
          error.message,
          /^a call was interrupted \(.+\), so this instance cannot be used any more/,
        );
        assert.ok(error.cause instanceof Error);
        assert.throws(() => attention(x, x, x), { message: error.message });
        interrupted++;
      }
      const { output } = (await loadAttention()).attention(x, x, x);
      assert.deepEqual(output.data, expected);
    }
    assert.ok(interrupted > 0, 'no call ran out of stack within the module');
  });

  it('makes the objects of its module throw; deleting them is harmless', async () => {
    const { attention, Linear } = await loadAttention();
    const linear = Linear.fromWeights({ weight: square() });
    for (let round = 0; round < 400; round++) {
      try {
        callAtTheEnd(() => attention(x, x, x));
      } catch {
        break;
      }
    }
    assert.throws(() => linear.forward(tensor(3, 8)), /interrupted/);
    linear.delete();
  });
});
