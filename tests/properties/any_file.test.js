// Short fuzzing of all file readers; `node tests/fuzz/readers.js --seconds 600` runs longer.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { fuzzReader } from '../support/js/fuzz_reader.js';
import { runCount } from '../support/js/run_count.js';
import { moduleMemory, readers } from '../support/js/reader_targets.js';

describe('changed files fail with a sentence, soon, and leave nothing behind', () => {
  for (const [name, { heavy = 1 }] of Object.entries(readers)) {
    it(name, async (t) => {
      const executions = runCount(600 / heavy);
      await fuzzReader(name, { executions, seed: 'before' });
      const memory = moduleMemory();
      const { refused, findings } = await fuzzReader(name, { executions });
      t.diagnostic(`note: ${name}: ${executions} changed files, ${refused} refused`);
      assert.deepEqual(findings, []);
      assert.ok(moduleMemory() <= memory + 2 ** 20, 'what is refused keeps its memory');
    });
  }
});

describe('what changed files have shown', () => {
  it('a .npy file of no shape is refused', () => {
    const { seeds, read } = readers.npy;
    const file = Buffer.from(seeds[0]).toString('latin1').replace('(2, 3)', '(2  3)');
    assert.throws(() => read(new Uint8Array(Buffer.from(file, 'latin1'))), {
      message: 'its header has the shape NaN, which no array has',
    });
  });

  it('a tokenizer may have an id beyond all tables, which are not made, but none beyond that', async () => {
    const { seeds, read } = readers['tokenizer.json of models'];
    const source = structuredClone(seeds[0]);
    const invalidId = (id) =>
      `tokenizer.json cannot be used: the id of token 'a' must be a token id, an integer from 0 to 2147483647, found ${id}`;
    source.tokenizer.model.vocab.a = 2 ** 31 - 1;
    await read(source);
    for (const [id, message] of [
      [2 ** 40, invalidId(2 ** 40)],
      [-1, invalidId(-1)],
    ]) {
      source.tokenizer.model.vocab.a = id;
      await assert.rejects(read(source), { name: 'RangeError', message });
    }
  });
});
