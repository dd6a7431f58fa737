// Code for the oldest supported engines, Chrome 93 and Firefox 92: their arrays have no method that is newer than
// ES2022. tsc and a rule of ESLint look for such methods; here they are missing.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { copyBox } from '../../web/lib/arguments/box.js';
import { lastIndex } from '../../web/lib/arguments/last_index.js';
import { Head } from '../../web/lib/models/run/head.js';
import { decoderIdsOf } from '../../web/lib/models/run/read_input.js';
import { allowPatterns } from '../../web/lib/models/tokenizer/budget.js';
import { contradictions } from '../../web/lib/models/tokenizer/contradictions.js';
import { requireFewPaths } from '../../web/lib/models/tokenizer/pattern/count_paths.js';
import { readPattern } from '../../web/lib/models/tokenizer/pattern/read_pattern.js';

const newer = ['findLast', 'findLastIndex', 'toReversed', 'toSorted', 'toSpliced', 'with'];

/** The result of a synchronous function, during which arrays have no newer methods. */
function withoutNewer(run) {
  const methods = newer.map((name) => [
    name,
    Object.getOwnPropertyDescriptor(Array.prototype, name),
  ]);
  for (const [name] of methods) delete Array.prototype[name];
  try {
    return run();
  } finally {
    for (const [name, method] of methods) Object.defineProperty(Array.prototype, name, method);
  }
}

describe('an engine without methods newer than ES2022', () => {
  it('divides a call into ranges', () => {
    const tensor = { data: Float32Array.of(0, 1, 2, 3, 4, 5), dims: [2, 3], type: 'Float32Array' };
    const box = [
      [1, 2],
      [0, 2],
    ];
    assert.deepEqual([...withoutNewer(() => copyBox(tensor, box)).data], [3, 4]);
  });

  it('finds the last token that is no padding, and the end of a text', () => {
    const at = (on) =>
      withoutNewer(() =>
        new Head({}, { on }, []).positionOf(4, [7, 5, 0, 0], { ends: [5], padding: 0 }),
      );
    assert.deepEqual([at('last'), at('end')], [1, 1]);
  });

  it('shifts the input of a decoder', () => {
    const components = { specialIds: { padding: 0 }, head: {}, shiftsLast: true };
    const shifted = (ids) => withoutNewer(() => decoderIdsOf(components, { ids }));
    assert.deepEqual(shifted([7, 5, 0]), [5, 7, 5]);
    assert.deepEqual(shifted([0, 0]), [0, 0]);
  });

  it('compares the two files of a tokenizer', () => {
    const tokenizer = {
      encode: () => ({
        tokens: ['<s>', 'a', '</s>'],
        spans: [
          [0, 0],
          [0, 1],
          [1, 1],
        ],
      }),
    };
    const config = { add_eos_token: false, eos_token: '</s>' };
    const [sentence] = withoutNewer(() => contradictions({}, config, tokenizer));
    assert.match(sentence, /has a token '<\/s>' at the end/);
  });

  it('counts the paths of a pattern', () => {
    allowPatterns();
    assert.doesNotThrow(() => withoutNewer(() => requireFewPaths(readPattern('ab+c'))));
  });
});

describe('lastIndex()', () => {
  it('is -1 if no item passes', () => {
    assert.equal(
      lastIndex([1, 2], (item) => item > 2),
      -1,
    );
    assert.equal(
      lastIndex([3, 3, 1], (item) => item === 3),
      1,
    );
  });
});
