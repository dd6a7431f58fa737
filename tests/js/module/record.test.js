// Reading the module's description of its records, and writing and reading a record by it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { readDescription, readFields } from '../../../web/lib/module/record.js';

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
const words = Object.entries(layout).map((entry) => entry.join(':'));
const told = `layout ${words.join(' ')}
enum Similarity gaussian:7 precomputed:9
enum NumberType int8:5 float16:6 float32:4
calls attention:40 norm:20`;
const ofAttention =
  'query:t:0 heads:o:10 causal:n:13 offsets:l:14 output:r:17 heads:f:30 bytes:f:31';

describe('the description of a module', () => {
  it('has the functions with their fields, results and facts, which may have the name of an option', () => {
    const { functions } = readDescription(told);
    assert.deepEqual(
      [...functions],
      [
        ['attention', { index: 0, size: 40 }],
        ['norm', { index: 1, size: 20 }],
      ],
    );
    const { inputs, lists, results, facts, bytes } = readFields(ofAttention);
    assert.deepEqual([lists, bytes], [['offsets'], 31]);
    assert.deepEqual(inputs.get('heads'), { name: 'heads', kind: 'o', slot: 10 });
    assert.deepEqual([...inputs.keys()], ['query', 'heads', 'causal', 'offsets']);
    assert.deepEqual(results, [{ name: 'output', kind: 'r', slot: 17 }]);
    assert.deepEqual(
      facts.map(({ name, slot }) => [name, slot]),
      [
        ['heads', 30],
        ['bytes', 31],
      ],
    );
  });

  it('has the numbers of enum names', () => {
    const { enums } = readDescription(told);
    assert.deepEqual({ ...enums.Similarity }, { gaussian: 7, precomputed: 9 });
    assert.equal(enums.Similarity.constructor, undefined);
    assert.equal(enums.NumberType.int8, 5);
  });

  it('has the slots of each field', () => {
    const { fields, enums } = readDescription(told);
    const { inputs } = readFields(ofAttention);
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
