// How the module's description of itself is read, and a record written and read by it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { readDescription, readFields } from '../../../web/lib/module/record.js';

// Every slot is another one than the module's.
const layout = {
  tensorRank: 2,
  tensorDims: 3,
  tensorCount: 1,
  tensorPlace: 7,
  tensorType: 8,
  maximumRank: 4,
  numberValue: 2,
  listCount: 2,
  listAddress: 1,
};
const words = Object.entries(layout).map((entry) => entry.join(':'));
const told = `layout ${words.join(' ')}
enum Similarity gaussian:7 given:9
enum NumberType int8:5 float16:6 float32:4
calls attention:40 norm:20`;
const ofAttention =
  'query:t:0 heads:o:9 causal:n:12 offsets:l:13 output:r:16 heads:f:30 bytes:f:31 parts:f:32 slices:f:33';

describe('the description of a module', () => {
  it('tells the functions, their fields, results and facts, one of which may have an option name', () => {
    const { functions } = readDescription(told);
    assert.deepEqual(
      [...functions],
      [
        ['attention', { index: 0, size: 40 }],
        ['norm', { index: 1, size: 20 }],
      ],
    );
    const { given, lists, results, facts, bytes, parts, slices } = readFields(ofAttention);
    assert.deepEqual([lists, bytes, parts, slices], [['offsets'], 31, 32, 33]);
    assert.deepEqual(given.get('heads'), { name: 'heads', kind: 'o', slot: 9 });
    assert.deepEqual([...given.keys()], ['query', 'heads', 'causal', 'offsets']);
    assert.deepEqual(results, [{ name: 'output', kind: 'r', slot: 16 }]);
    assert.deepEqual(
      facts.map(({ name, slot }) => [name, slot]),
      [
        ['heads', 30],
        ['bytes', 31],
        ['parts', 32],
        ['slices', 33],
      ],
    );
  });

  it('tells the numbers of names', () => {
    const { enums } = readDescription(told);
    assert.deepEqual({ ...enums.Similarity }, { gaussian: 7, given: 9 });
    assert.equal(enums.Similarity.constructor, undefined);
    assert.equal(enums.NumberType.int8, 5);
  });

  it('tells where the parts of a field are', () => {
    const { fields, enums } = readDescription(told);
    const { given } = readFields(ofAttention);
    const record = new Float64Array(40);
    fields.writeTensor(record, given.get('query'), { dims: [2, 3], type: 'int8' }, 6);
    assert.deepEqual([...record.slice(0, 9)], [1, 6, 2, 2, 3, 0, 0, 0, enums.NumberType.int8]);
    assert.deepEqual(fields.dimsOf(record, { slot: 0 }), [2, 3]);
    assert.equal(fields.countOf(record, { slot: 0 }), 6);
    record[layout.tensorPlace] = 64;
    assert.equal(fields.placeOf(record, { slot: 0 }), 64);
    // Whatever the module does not know is float32 when it comes in.
    fields.writeTensor(record, given.get('query'), { dims: [], type: 'Float64Array' }, 0);
    assert.equal(record[layout.tensorType], enums.NumberType.float32);
    fields.writeNumber(record, given.get('heads'), 8);
    assert.deepEqual([...record.slice(9, 12)], [1, 0, 8]);
    fields.writeNumber(record, given.get('causal'), true);
    assert.equal(record[12], 1);
    fields.writeList(record, given.get('offsets'), 5, 800);
    assert.deepEqual([...record.slice(13, 16)], [1, 800, 5]);
  });
});
