// attention-wasm/models: the table of pairs, compared with a Map.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PairTable } from '../../../../web/lib/models/tokenizer/pair_table.js';
import { seeded } from '../../../support/js/random_tensors.js';

describe('PairTable', () => {
  it('holds what a Map holds, whatever its first size', () => {
    const random = seeded('pairs');
    for (const [expected, limit] of [
      [0, 2],
      [0, 300_000],
      [5000, 70],
      [4, 2 ** 31 - 1],
    ]) {
      const table = new PairTable(expected);
      const map = new Map();
      for (let n = 0; n < 5000; n++) {
        const [first, second] = [random.integer(0, limit), random.integer(0, limit)];
        const key = `${first} ${second}`;
        assert.equal(table.get(first, second), map.get(key) ?? -1);
        table.set(first, second, n);
        map.set(key, n);
      }
      for (const [key, value] of map) assert.equal(table.get(...key.split(' ').map(Number)), value);
      assert.equal(table.get(limit, limit), map.get(`${limit} ${limit}`) ?? -1);
    }
  });
});
