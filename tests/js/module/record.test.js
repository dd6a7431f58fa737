// Reading the module's description of its records, and writing and reading a record by it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { readDescription } from '../../../web/lib/module/record.js';

// A layout in which every slot differs from the module's.
const layout = {
  tensorRank: 2,
  tensorDims: 3,
  tensorCount: 1,
  tensorOffset: 7,
  tensorType: 8,
  tensorBytes: 9,
  maximumRank: 4,
  numberValue: 2,
  listCount: 2,
  listAddress: 1,
};
const description = JSON.stringify({
  layout,
  enums: {
    Similarity: { gaussian: 7, precomputed: 9 },
    NumberType: { int8: 5, float16: 6, float32: 4 },
  },
  calls: [
    {
      name: 'norm',
      doubles: 20,
      fields: [
        { name: 'bytes', kind: 'fact', slot: 3 },
        { name: 'isDivisible', kind: 'fact', slot: 4 },
      ],
    },
    {
      name: 'attention',
      doubles: 40,
      fields: [
        { name: 'query', kind: 'tensor', slot: 0 },
        { name: 'heads', kind: 'optional', slot: 10 },
        { name: 'causal', kind: 'number', slot: 13 },
        { name: 'offsets', kind: 'list', slot: 14 },
        { name: 'output', kind: 'result', slot: 17 },
        { name: 'heads', kind: 'fact', slot: 30 },
        { name: 'isDivisible', kind: 'fact', slot: 32 },
        { name: 'bytes', kind: 'fact', slot: 31 },
      ],
    },
  ],
});

describe('the description of a module', () => {
  it('has the functions with their fields, results and facts, which may have the name of an option', () => {
    const { functions } = readDescription(description);
    assert.deepEqual([...functions.keys()], ['norm', 'attention']);
    const { inputs, lists, results, facts, ...rest } = functions.get('attention');
    assert.deepEqual(rest, { index: 1, size: 40, bytes: 31, isDivisible: 32 });
    assert.deepEqual(lists, ['offsets']);
    assert.deepEqual(inputs.get('heads'), { name: 'heads', kind: 'optional', slot: 10 });
    assert.deepEqual([...inputs.keys()], ['query', 'heads', 'causal', 'offsets']);
    assert.deepEqual(results, [{ name: 'output', kind: 'result', slot: 17 }]);
    assert.deepEqual(
      facts.map(({ name, slot }) => [name, slot]),
      [
        ['heads', 30],
        ['isDivisible', 32],
        ['bytes', 31],
      ],
    );
  });

  it('has the numbers of enum names', () => {
    const { enums } = readDescription(description);
    assert.deepEqual({ ...enums.Similarity }, { gaussian: 7, precomputed: 9 });
    assert.equal(enums.Similarity.constructor, undefined);
    assert.equal(enums.constructor, undefined);
    assert.equal(enums.NumberType.int8, 5);
  });

  it('has the slots of each field', () => {
    const { fields, enums, functions } = readDescription(description);
    const { inputs } = functions.get('attention');
    const record = new Float64Array(40);
    fields.writeTensor(record, inputs.get('query'), { dims: [2, 3], type: 'int8' }, 6);
    assert.deepEqual([...record.slice(0, 9)], [1, 6, 2, 2, 3, 0, 0, 0, enums.NumberType.int8]);
    assert.deepEqual(fields.dimsOf(record, { slot: 0 }), [2, 3]);
    assert.equal(fields.countOf(record, { slot: 0 }), 6);
    record[layout.tensorOffset] = 64;
    assert.equal(fields.offsetOf(record, { slot: 0 }), 64);
    record[layout.tensorBytes] = 14;
    assert.equal(fields.bytesOf(record, { slot: 0 }), 14);
    // Types unknown to the module are converted to float32.
    fields.writeTensor(record, inputs.get('query'), { dims: [], type: 'Float64Array' }, 0);
    assert.equal(record[layout.tensorType], enums.NumberType.float32);
    fields.writeNumber(record, inputs.get('heads'), 8);
    assert.deepEqual([...record.slice(10, 13)], [1, 0, 8]);
    fields.writeNumber(record, inputs.get('causal'), true);
    assert.equal(record[13], 1);
    fields.writeList(record, inputs.get('offsets'), 5, 800);
    assert.deepEqual([...record.slice(14, 17)], [1, 800, 5]);
  });
});
